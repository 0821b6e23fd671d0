import type { Category, EventName } from '@ergon/contract'
import type { Caller } from './caller.ts'
import type { EventPlace, RecordedEvent } from './ports/store-events.ts'

export type EventFilter = {
  /** `mine`: what concerns the caller; `public`: what everybody may see. */
  readonly scope: 'mine' | 'public'
  readonly types: readonly EventName[] | null
  readonly taskId: string | null
  readonly category: Category | null
}

export type EventPage = {
  readonly events: readonly RecordedEvent[]
  readonly place: EventPlace
  readonly hasMore: boolean
}

/** One durable stream, read by a place that only the stream understands; every other channel carries the same ids. */
export interface EventMarket {
  /** An anonymous caller owns no events: its own feed is empty (spec §5.5). */
  events(caller: Caller, filter: EventFilter, after: EventPlace | null, limit: number): Promise<EventPage>
  /** Everything after a place, for what fans it out. */
  everyEvent(after: EventPlace, limit: number): Promise<EventPage>
  eventHorizon(): Promise<EventPlace>
}
