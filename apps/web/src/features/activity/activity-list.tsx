import { useMemo, type ReactNode } from 'react'
import type { IconName } from '../../components/icon-names.ts'
import { Failure } from '../../components/failure.tsx'
import { Happening, HappeningDays, type HappeningTone } from '../../components/happenings.tsx'
import { Empty, Loading, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { eventMessages } from '../../messages/event-words.ts'
import { activityMessages } from './messages.ts'
import { mostKept, type ActivityEvent, type LiveEvents } from './use-live-events.ts'
import { withoutEchoes } from './without-echoes.ts'

type Look = readonly [icon: IconName, tone: HappeningTone]
const otherLook: Look = ['arrows-clockwise-bold', 'plain']
const looks: Readonly<Partial<Record<ActivityEvent['type'], Look>>> = {
  'task.created': ['paper-plane-tilt-bold', 'move'],
  'task.completed': ['check-bold', 'good'],
  'task.cancelled': ['x-bold', 'plain'],
  'task.expired': ['clock', 'plain'],
}

type Said = Extract<ActivityEvent['type'], keyof typeof activityMessages.en>
const isSaid = (type: ActivityEvent['type']): type is Said => type in activityMessages.en

type ListProps = { readonly live: LiveEvents; readonly isPaused: boolean }

/** The events that are kept, newest first. */
export function ActivityList({ live: { events, state, error, isCut }, isPaused }: ListProps): ReactNode {
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
  const shown = useMemo(() => withoutEchoes(events), [events])
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
      {shown.length > 0 && (
        <HappeningDays items={shown} atOf={({ created_at: at }) => at} label={say('list')}>
          {(event) => <ActivityRow key={event.id} event={event} title={titles.get(event.data['task_id'])} />}
        </HappeningDays>
      )}
      {events.length >= mostKept && <p className="text-sm text-quiet">{say('kept', { count: mostKept })}</p>}
    </>
  )
}

type RowProps = { readonly event: ActivityEvent; readonly title: string | undefined }

function ActivityRow({ event: { type, created_at: at, data }, title }: RowProps): ReactNode {
  const say = useMessages(activityMessages)
  const happened = useMessages(eventMessages)
  const { task_id: taskId, bounty_usd: bounty } = data
  const [icon, tone] = looks[type] ?? otherLook
  return (
    <Happening
      icon={icon}
      tone={tone}
      said={isSaid(type) ? say(type) : happened(type)}
      about={title ?? say('see')}
      to={typeof taskId === 'string' ? { to: '/tasks/$taskId', params: { taskId } } : undefined}
      usd={typeof bounty === 'number' ? bounty : undefined}
      at={at}
    />
  )
}
