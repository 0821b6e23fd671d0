import type { Output } from '@ergon/sdk'
import { useQueries } from '@tanstack/react-query'
import { answerKey, useMarket } from './market.tsx'

export type Worker = Output<'workers.get'>

/** So many are asked for at once; whoever comes later in a long list goes without a name. */
const mostAsked = 30
const freshMs = 5 * 60_000

/** Workers by their ids, as far as they are known yet; each is asked for once. */
export function useWorkers(ids: readonly string[]): ReadonlyMap<string, Worker> {
  const market = useMarket()
  const asked = [...new Set(ids)].slice(0, mostAsked)
  const answers = useQueries({
    queries: asked.map((id) => ({
      queryKey: answerKey('workers.get', { executor_id: id }),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => market.workers.get({ executor_id: id }, { signal }),
      staleTime: freshMs,
    })),
  })
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const])))
}
