import type { Party } from '@ergon/contract'
import { useMessages } from '../../lib/i18n.tsx'
import { defineMessages } from '../../lib/messages.ts'
import { useWorkers } from '../../lib/use-workers.ts'
import type { News } from './use-news.ts'

const messages = defineMessages({
  en: { human: 'A person', agent: 'An AI agent', robot: 'A robot' },
  es: { human: 'Una persona', agent: 'Un agente de IA', robot: 'Un robot' },
})

export type Who = {
  /** The name, and where there is none what it is; the portrait beside it tells one from another. */
  readonly who: string
  readonly name: string | null
  readonly wallet: string
  readonly party: Party
  readonly picture: string | null
}

/** Who the other side of each of the news is, as far as it is known. */
export function useOthers(news: readonly News[]): (one: News) => Who | undefined {
  const say = useMessages(messages)
  const whoOf = (of: Omit<Who, 'who'>): Who => ({
    ...of,
    who: of.name === null || of.name === '' ? say(of.party) : of.name,
  })
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
