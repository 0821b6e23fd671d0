import { concerns, type EventPlace, type EventQuery, type RecordedEvent } from '@ergon/core'
import type { EventRelay } from './event-relay.ts'

/** What one reader of the stream is handed as it happens, without asking the database. */
export type EventTap = Disposable & {
  /**
   * What it asked for and came behind this place, oldest first; waits for it, at most so long. `missed`: more than is
   * kept, or nobody knows: read on from there. `over`: this process ends, or the reader has left.
   */
  next(after: EventPlace, ms: number): Promise<TapNews>
}
export type TapNews = readonly RecordedEvent[] | 'missed' | 'over'

export type EventTaps = AsyncDisposable & {
  /** Begins to keep what concerns a reader, of null nothing: open it first, then read the past. */
  open(query: EventQuery | null): EventTap
}

export type EventTapsDeps = {
  readonly relay: Pick<EventRelay, 'subscribe' | 'lateMs'>
  /** Whether a place lies behind another one of the stream. */
  readonly isBehind: (place: EventPlace, other: EventPlace) => boolean
}

type Tap = { readonly query: EventQuery | null; kept: RecordedEvent[]; hasMissed: boolean; wake: () => void }

/** Events that are kept for one reader who does not take them. */
const most = 500
/** A relay that is late by so much may have been silent about something. */
const lateMs = 5_000

/** Hands each event that the relay read, with its recipients, to the readers whom it concerns. */
export function createEventTaps({ relay, isBehind }: EventTapsDeps): EventTaps {
  const taps = new Set<Tap>()
  const heard = relay.subscribe((event) => {
    for (const tap of taps) {
      if (tap.query === null || !concerns(tap.query, event)) continue
      // The task of an event has a category, which the event does not tell.
      if (tap.query.category !== null || tap.kept.length >= most) tap.hasMissed = true
      else tap.kept.push(event)
      tap.wake()
    }
  })
  const take = (tap: Tap, after: EventPlace): readonly RecordedEvent[] | 'missed' => {
    const kept = tap.kept.splice(0)
    if (!tap.hasMissed) return kept.filter(({ place }) => isBehind(place, after))
    tap.hasMissed = false
    return 'missed'
  }
  let isOver = false
  return {
    open(query) {
      const tap: Tap = { query, kept: [], hasMissed: false, wake: () => undefined }
      taps.add(tap)
      let hasLeft = false
      return {
        async next(after, ms) {
          const deadline = performance.now() + ms
          for (;;) {
            const taken = take(tap, after)
            const left = deadline - performance.now()
            if (taken === 'missed' || taken.length > 0) return taken
            if (isOver || hasLeft) return 'over'
            if (left <= 0) return relay.lateMs() > lateMs ? 'missed' : []
            await woken(tap, left)
          }
        },
        [Symbol.dispose]: () => {
          hasLeft = true
          taps.delete(tap)
          tap.wake()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      heard[Symbol.dispose]()
      for (const tap of taps) tap.wake()
    },
  }
}

function woken(tap: Tap, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, ms)
    tap.wake = () => {
      clearTimeout(limit)
      resolve()
    }
  })
}
