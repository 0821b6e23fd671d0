import type { Category, EventName } from '@ergon/contract'
import type { Caller } from '../caller.ts'
import { publicEvents } from '../events/event.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { MarketError } from '../errors.ts'
import type { EventPlace, EventQuery, EventStore, RecordedEvent } from '../ports/store-events.ts'
import type { Room } from '../rooms/room.ts'

export type EventFilter = {
  /** `mine`: what concerns the caller; `public`: what everybody may see; `heard`: both. */
  readonly scope: 'mine' | 'public' | 'heard'
  readonly types: readonly EventName[] | null
  readonly taskId: string | null
  readonly category: Category | null
}
export type EventPage = {
  readonly events: readonly RecordedEvent[]
  readonly place: EventPlace
  readonly hasMore: boolean
}

const any = { wallet: null, types: null, taskId: null, category: null } as const

/**
 * One durable stream, read by a place that only the stream understands; every other channel carries the same ids. An
 * anonymous caller owns no events: its own feed is empty (spec §5.5).
 */
export async function events(
  { store }: MarketDeps,
  caller: Caller,
  filter: EventFilter,
  after: EventPlace | null,
  limit: number,
  offset = 0,
): Promise<EventPage> {
  const query = eventQuery(caller, filter)
  return query === null
    ? { events: [], place: after ?? (await store.eventHorizon()), hasMore: false }
    : keptEvents(store, query, after, limit, offset)
}

/** What a caller's filter asks of the stream; null where nothing can answer it. */
export function eventQuery(caller: Caller, { scope, types, taskId, category }: EventFilter): EventQuery | null {
  if (scope === 'heard' && caller.kind !== 'anonymous')
    return { wallet: caller.wallet, types, taskId, category, orPublic: true }
  if (scope !== 'mine') {
    const shown = types === null ? publicEvents : publicEvents.filter((type) => types.includes(type))
    return { wallet: null, types: shown, taskId, category, publicOnly: true }
  }
  return caller.kind === 'anonymous' ? null : { wallet: caller.wallet, types, taskId, category }
}

/** Everything after a place, for what fans it out. */
export async function everyEvent({ store }: MarketDeps, after: EventPlace, limit: number): Promise<EventPage> {
  return store.eventsAfter(any, after, limit)
}

/** What was said in a room after a place; the room of a task holds more than each member may hear. */
export async function roomEvents(
  { store }: MarketDeps,
  room: Room,
  after: EventPlace,
  limit: number,
): Promise<EventPage> {
  return keptEvents(store, queryOf(room), after, limit)
}

function queryOf(room: Room): EventQuery {
  switch (room.kind) {
    case 'user':
      return { ...any, wallet: room.wallet }
    case 'task':
      return { ...any, taskId: room.taskId }
    case 'category':
      return { ...any, types: publicEvents, category: room.category, publicOnly: true }
    case 'global':
      return { ...any, types: publicEvents, publicOnly: true }
  }
}

/**
 * Events for a reader outside, who has to know when some of them are kept no longer. Asked after the read, since what
 * is forgotten meanwhile may be missing from it. @throws EVENTS_FORGOTTEN
 */
export async function keptEvents(
  store: EventStore,
  query: EventQuery,
  after: EventPlace | null,
  limit: number,
  offset = 0,
): Promise<EventPage> {
  const page = await store.eventsAfter(query, after, limit, offset)
  if (after !== null && !(await store.areKept(after))) throw new MarketError('EVENTS_FORGOTTEN')
  return page
}
