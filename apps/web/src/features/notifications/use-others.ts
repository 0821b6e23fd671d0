import type { Party } from '@ergon/contract'
import { shortAddress } from '../../lib/short-address.ts'
import { useWorkers } from '../../lib/use-workers.ts'
import type { News } from './use-news.ts'

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
  const workers = useWorkers(
    news.flatMap(({ other }) => (other !== undefined && 'workerId' in other ? [other.workerId] : [])),
  )
  return ({ other }) => {
    if (other === undefined) return undefined
    if (!('workerId' in other)) return whoOf(other)
    const worker = workers.get(other.workerId)
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
