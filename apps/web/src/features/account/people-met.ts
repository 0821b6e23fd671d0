import type { Party } from '@ergon/contract'
import { useQueries } from '@tanstack/react-query'
import { answerKey, useMarket, useRead } from '../../lib/market.tsx'

/** So many workers are asked for; who worked longer ago is found on the page of the task. */
const mostAsked = 20

export type Met = {
  readonly wallet: string
  readonly name: string | null
  readonly party: Party
  readonly picture: string | null
}

/** Whom the reader has worked with, on either side of a task, each once and the latest first. */
export function usePeopleMet(wallet: string, workerId: string | null): readonly Met[] {
  const market = useMarket()
  const own = useRead('tasks.list', { publisher: wallet, limit: 100 })
  const worked = useRead('workers.tasks', { executor_id: workerId ?? '', limit: 100 }, { enabled: workerId !== null })
  const ids = [...new Set((own.data?.tasks ?? []).flatMap(({ executor_id: id }) => (id === null ? [] : [id])))].slice(
    0,
    mostAsked,
  )
  const workers = useQueries({
    queries: ids.map((id) => ({
      queryKey: answerKey('workers.get', { executor_id: id }),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => market.workers.get({ executor_id: id }, { signal }),
    })),
  })
  const met: readonly Met[] = [
    ...workers.flatMap(({ data }) =>
      data === undefined
        ? []
        : [
            {
              wallet: data.wallet_address,
              name: data.display_name,
              party: data.executor_type,
              picture: data.picture_url,
            },
          ],
    ),
    ...(worked.data?.tasks ?? []).map((task) => ({
      wallet: task.agent_id,
      name: task.publisher_name,
      party: task.publisher_type,
      picture: task.publisher_picture_url,
    })),
  ]
  return [
    ...new Map(
      met
        .filter((one) => one.wallet.toLowerCase() !== wallet.toLowerCase())
        .map((one) => [one.wallet.toLowerCase(), one] as const),
    ).values(),
  ]
}
