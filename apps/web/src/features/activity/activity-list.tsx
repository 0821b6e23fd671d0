import { useMemo, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { Badge, Empty, Loading, Note, type Tone } from '../../components/surface.tsx'
import { Failure } from '../../components/failure.tsx'
import { Moment } from '../../components/time.tsx'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { eventMessages } from '../../messages/event-words.ts'
import { activityMessages } from './messages.ts'
import { mostKept, type ActivityEvent, type LiveEvents } from './use-live-events.ts'

const tones: Readonly<Partial<Record<ActivityEvent['type'], Tone>>> = {
  'task.created': 'brand',
  'task.completed': 'good',
  'task.cancelled': 'warn',
  'task.expired': 'warn',
}

/** The events that are kept, newest first. */
export function ActivityList({
  live: { events, state, error, isCut },
  isPaused,
}: {
  readonly live: LiveEvents
  readonly isPaused: boolean
}): ReactNode {
  const say = useMessages(activityMessages)
  const titles = useMemo(
    () =>
      new Map(
        events.flatMap(({ data }) =>
          typeof data['title'] === 'string' ? [[data['task_id'], data['title']] as const] : [],
        ),
      ),
    [events],
  )
  return (
    <>
      {error !== undefined && !isPaused && <Failure error={error} />}
      {isCut && (
        <Note>
          <p>{say('cut')}</p>
        </Note>
      )}
      {events.length === 0 && state === 'loading' && !isPaused && <Loading says={say('loading')} />}
      {events.length === 0 && state === 'live' && (
        <Empty title={say('none')}>
          <p className="text-quiet">{say('noneHelp')}</p>
        </Empty>
      )}
      {events.length > 0 && (
        <ol aria-label={say('list')} className="divide-y divide-line rounded-2xl border border-line bg-surface">
          {events.map((event) => (
            <ActivityRow key={event.id} event={event} title={titles.get(event.data['task_id'])} />
          ))}
        </ol>
      )}
      {events.length >= mostKept && <p className="text-sm text-quiet">{say('kept', { count: mostKept })}</p>}
    </>
  )
}

function ActivityRow({
  event: { type, created_at, data },
  title,
}: {
  readonly event: ActivityEvent
  readonly title: string | undefined
}): ReactNode {
  const say = useMessages(activityMessages)
  const happened = useMessages(eventMessages)
  const format = useFormat()
  const { task_id: taskId, bounty_usd: bounty } = data
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <Badge tone={tones[type] ?? 'plain'}>{happened(type)}</Badge>
      {typeof taskId === 'string' && (
        <Link to="/tasks/$taskId" params={{ taskId }} className="link min-h-6 min-w-0">
          {title ?? say('see')}
        </Link>
      )}
      {typeof bounty === 'number' && (
        <span className="numbers text-sm text-quiet">{say('amount', { amount: format.usd(bounty) })}</span>
      )}
      <span className="ml-auto text-sm text-quiet">
        <Moment at={created_at} />
      </span>
    </li>
  )
}
