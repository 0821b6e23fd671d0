import type { Party } from '@ergon/contract'
import { useQueries } from '@tanstack/react-query'
import { answerKey, useMarket } from '../../lib/market.tsx'
import { shortAddress } from '../../lib/short-address.ts'
import type { News } from './use-news.ts'

/** So many workers are asked for, each once; the rest of a long list goes without names. */
const mostAsked = 30
const freshMs = 5 * 60_000

export type Who = {
  /** The name, and where there is none the wallet as the eye compares it. */
  readonly who: string
  readonly name: string | null
  readonly wallet: string
  readonly party: Party
  readonly picture: string | null
}

/** Who the other side of each of the news is, as far as it is known. */
export function useOthers(news: readonly News[]): (one: News) => Who | undefined {
  const market = useMarket()
  const ids = [
    ...new Set(news.flatMap(({ other }) => (other !== undefined && 'workerId' in other ? [other.workerId] : []))),
  ].slice(0, mostAsked)
  const workers = useQueries({
    queries: ids.map((id) => ({
      queryKey: answerKey('workers.get', { executor_id: id }),
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => market.workers.get({ executor_id: id }, { signal }),
      staleTime: freshMs,
    })),
  })
  return ({ other }) => {
    if (other === undefined) return undefined
    if (!('workerId' in other)) return whoOf(other)
    const worker = workers[ids.indexOf(other.workerId)]?.data
    return worker === undefined
      ? undefined
      : whoOf({
          name: worker.display_name,
          wallet: worker.wallet_address,
          party: worker.executor_type,
          picture: worker.picture_url,
        })
  }
}

const whoOf = (of: Omit<Who, 'who'>): Who => ({
  ...of,
  who: of.name === null || of.name === '' ? shortAddress(of.wallet) : of.name,
})
