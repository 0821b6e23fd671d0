import type { OperationsClient, Output } from '@ergon/sdk'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { answerKey, useMarket } from './market.tsx'

export type PaymentEntry = Output<'payments.events'>['events'][number]
type Client = Pick<OperationsClient, 'payments'>

const everyMs = 30_000
/** Nobody reads on through thousands of attempts. */
const mostPages = 20

/** The payment log of a task, oldest first: a task that was tried often has more than a page of it. */
export async function paymentLog(
  { payments }: Client,
  taskId: string,
  signal: AbortSignal,
): Promise<readonly PaymentEntry[]> {
  const log: PaymentEntry[] = []
  for (let pages = 0; pages < mostPages; pages += 1) {
    const offset = log.length
    const page = await payments.events({ task_id: taskId, ...(offset === 0 ? {} : { offset }) }, { signal })
    log.push(...page.events)
    if (!page.has_more || page.count === 0) break
  }
  return log
}

/** The last entry of it, however long it is; null where it is empty. */
export async function lastPayment(
  { payments }: Client,
  taskId: string,
  signal: AbortSignal,
): Promise<PaymentEntry | null> {
  let page = await payments.events({ task_id: taskId }, { signal })
  for (let offset = page.total - page.count; page.has_more && page.count > 0; offset += page.count)
    page = await payments.events({ task_id: taskId, offset }, { signal })
  return page.events.at(-1) ?? null
}

/** How the whole log of a task is asked for, and asked again once its money moved. */
export const paymentLogQuery = (
  market: Client,
  taskId: string,
): {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (asked: { readonly signal: AbortSignal }) => Promise<readonly PaymentEntry[]>
} => ({
  queryKey: [...answerKey('payments.events', { task_id: taskId }), 'whole'],
  queryFn: ({ signal }) => paymentLog(market, taskId, signal),
})

export function usePaymentLog(taskId: string): UseQueryResult<readonly PaymentEntry[]> {
  return useQuery({ ...paymentLogQuery(useMarket(), taskId), refetchInterval: everyMs })
}

export function useLastPayment(taskId: string): UseQueryResult<PaymentEntry | null> {
  const market = useMarket()
  return useQuery({
    queryKey: [...answerKey('payments.events', { task_id: taskId }), 'last'],
    queryFn: ({ signal }) => lastPayment(market, taskId, signal),
    refetchInterval: everyMs,
  })
}
