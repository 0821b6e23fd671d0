import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Moment } from '../../components/time.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { eventMessages } from '../../messages/event-words.ts'
import { reviewMessages } from './messages.ts'

const known = eventMessages.en

/** What happened to the task so far, as far as the caller may know, oldest first. */
export function Timeline({ taskId }: { readonly taskId: string }): ReactNode {
  const say = useMessages(reviewMessages)
  const words = useMessages(eventMessages)
  const { data, error, refetch } = useRead('events.list', { task_id: taskId, limit: 500 }, { refetchInterval: 10_000 })
  if (error !== null)
    return (
      <Failure
        error={error}
        retry={() => {
          void refetch()
        }}
      />
    )
  if (data === undefined || data.events.length === 0) return null
  return (
    <section aria-labelledby="timeline" className="grid gap-3">
      <h2 id="timeline">{say('timeline')}</h2>
      <ol className="grid gap-2 border-l-2 border-line pl-4">
        {data.events.map(({ id, type, created_at }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4">
            <span>{isKnown(type) ? words(type) : <code>{type}</code>}</span>
            <span className="text-sm text-quiet">
              <Moment at={created_at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const isKnown = (type: string): type is keyof typeof known => Object.hasOwn(known, type)
