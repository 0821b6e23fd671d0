import type { EventPlace, EventQuery, RecordedEvent } from '../events/event.ts'

export type { EventPlace, EventQuery, RecordedEvent } from '../events/event.ts'

/** The durable stream of everything that happened. */
export interface EventStore {
  /**
   * Events after a place, oldest first; `place` is where to go on, also when nothing was found. Null begins with the
   * oldest kept; `offset` skips so many events.
   */
  eventsAfter(
    query: EventQuery,
    after: EventPlace | null,
    limit: number,
    offset?: number,
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly place: EventPlace; readonly hasMore: boolean }>
  /** Whether every event behind this place is kept still. */
  areKept(after: EventPlace): Promise<boolean>
  /** Behind everything that is settled now. */
  eventHorizon(): Promise<EventPlace>
  /** Forgets events older than this; answers how many. */
  forgetEvents(before: Date, limit: number): Promise<number>
}
