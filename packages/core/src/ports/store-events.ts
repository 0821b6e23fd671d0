import type { EventName } from '@ergon/contract'
import type { EventPlace, RecordedEvent } from '../events/event.ts'

export type { EventPlace, RecordedEvent } from '../events/event.ts'

export type EventQuery = {
  /** Only what is in this wallet's feed; null asks for any of `types`. */
  readonly wallet: string | null
  readonly types: readonly EventName[] | null
  readonly taskId: string | null
  readonly category: string | null
}

/** The durable stream of everything that happened. */
export interface EventStore {
  /**
   * Events after a place, oldest first; `place` is where to go on, also when nothing was found. Null begins with the
   * oldest kept.
   */
  eventsAfter(
    query: EventQuery,
    after: EventPlace | null,
    limit: number,
  ): Promise<{ readonly events: readonly RecordedEvent[]; readonly place: EventPlace; readonly hasMore: boolean }>
  /** Whether every event behind this place is kept still. */
  areKept(after: EventPlace): Promise<boolean>
  /** Behind everything that is settled now. */
  eventHorizon(): Promise<EventPlace>
  /** Forgets events older than this; answers how many. */
  forgetEvents(before: Date, limit: number): Promise<number>
}
