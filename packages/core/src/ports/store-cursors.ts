import type { EventPlace } from './store-events.ts'

/** A consumer of the stream that this process holds for a while. */
export type HeldCursor = {
  readonly name: string
  readonly holder: string
  readonly place: EventPlace
  /** Tries of the event behind this place that failed. */
  readonly failures: number
}

/** How far durable consumers have come: of several processes one goes on, where the last one stopped. */
export interface CursorStore {
  /** Null while another process holds it. A consumer that is new begins at the end of the stream. */
  holdCursor(name: string, holder: string, now: Date, until: Date): Promise<HeldCursor | null>
  /** Remembers how far it came and holds on; false when it was lost to another meanwhile. */
  moveCursor(cursor: HeldCursor, to: EventPlace, until: Date): Promise<boolean>
  /** Counts a failed try and lets go. */
  failCursor(cursor: HeldCursor): Promise<void>
  releaseCursor(cursor: HeldCursor): Promise<void>
}
