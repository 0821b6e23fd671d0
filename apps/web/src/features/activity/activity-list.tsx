import { useMemo, type ReactNode } from 'react'
import type { Category } from '@ergon/contract'
import type { IconName } from '../../components/icon-names.ts'
import { Failure } from '../../components/failure.tsx'
import { HappenedTo, HappeningDays, type HappeningTone } from '../../components/happenings.tsx'
import { Empty, Loading, Note } from '../../components/surface.tsx'
import { sceneOf, type SceneName } from '../../art/scene-of.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import type { Titled } from '../../lib/session-task.ts'
import { useTaskTitle } from '../../lib/use-task-title.ts'
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
  const things = useThings(events)
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
          {(event) => <ActivityRow key={event.id} event={event} thing={things.get(event.data['task_id'])} />}
        </HappeningDays>
      )}
      {events.length >= mostKept && <p className="text-sm text-quiet">{say('kept', { count: mostKept })}</p>}
    </>
  )
}

type Thing = Titled & { readonly scene: SceneName | undefined; readonly publisher: string | null }

/** What the events happened to: as the events tell it, and who published it as the latest tasks tell it. */
function useThings(events: readonly ActivityEvent[]): ReadonlyMap<unknown, Thing> {
  const { data } = useRead('tasks.list', { limit: 100, all_parties: true }, { refetchInterval: 60_000 })
  return useMemo(
    () =>
      new Map<unknown, Thing>([
        ...events.flatMap(({ data: { task_id: id, title, category } }) =>
          typeof title === 'string'
            ? [[id, { title, scene: isCategory(category) ? sceneOf[category] : undefined, publisher: null }] as const]
            : [],
        ),
        ...(data?.tasks ?? []).map(
          ({ id, title, instructions, evidence_required, category, publisher_name: publisher }) =>
            [id, { title, instructions, evidence_required, scene: sceneOf[category], publisher }] as const,
        ),
      ]),
    [events, data],
  )
}

const isCategory = (named: unknown): named is Category => typeof named === 'string' && Object.hasOwn(sceneOf, named)

type RowProps = { readonly event: ActivityEvent; readonly thing: Thing | undefined }

function ActivityRow({ event: { type, created_at: at, data }, thing }: RowProps): ReactNode {
  const say = useMessages(activityMessages)
  const happened = useMessages(eventMessages)
  const titleOf = useTaskTitle()
  const { task_id: taskId, bounty_usd: bounty } = data
  const [icon, tone] = looks[type] ?? otherLook
  return (
    <HappenedTo
      scene={thing?.scene}
      icon={icon}
      tone={tone}
      what={thing === undefined ? say('see') : titleOf(thing)}
      said={
        type === 'task.created' && typeof thing?.publisher === 'string'
          ? say('postedBy', { name: thing.publisher })
          : isSaid(type)
            ? say(type)
            : happened(type)
      }
      to={typeof taskId === 'string' ? { to: '/tasks/$taskId', params: { taskId } } : undefined}
      usd={typeof bounty === 'number' ? bounty : undefined}
      at={at}
    />
  )
}
