import type { Output } from '@ergon/sdk'
import { useQueries } from '@tanstack/react-query'
import { answerKey, useMarket } from '../../lib/market.tsx'
import { paymentLogQuery } from '../../lib/payment-log.ts'
import { receiptOf, type Receipt } from './receipt.ts'

/** The receipts that could be read, and what became of the others. */
export type Receipts = {
  readonly receipts: readonly Receipt[]
  readonly isReading: boolean
  readonly missing: number
  readonly error: Error | null
  readonly retry: () => void
}

/** Asks for the payment of each task and for its entries; both stay fresh by what the live line says. */
export function useReceipts(tasks: Output<'tasks.list'>['tasks']): Receipts {
  const market = useMarket()
  const payments = useQueries({
    queries: tasks.map(({ id }) => ({
      queryKey: answerKey('payments.get', { task_id: id }),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => market.payments.get({ task_id: id }, { signal }),
    })),
  })
  const entries = useQueries({ queries: tasks.map(({ id }) => paymentLogQuery(market, id)) })
  const receipts = tasks.flatMap((task, place) => {
    const [payment, logged] = [payments[place]?.data, entries[place]?.data]
    return payment === undefined || logged === undefined ? [] : [receiptOf(task, payment, logged)]
  })
  const reads = [...payments, ...entries]
  const isReading = reads.some(({ isPending }) => isPending)
  return {
    receipts,
    isReading,
    missing: tasks.length - receipts.length,
    error: reads.find((read) => read.data === undefined && read.error !== null)?.error ?? null,
    retry: () => {
      for (const read of reads) if (read.error !== null) void read.refetch()
    },
  }
}
