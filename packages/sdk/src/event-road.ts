/** A stream, one read that does not wait, or reads that do. */
export type EventWay = 'stream' | 'look' | 'wait'

export type EventRoad = {
  next(): EventWay
  /** Something came this way. */
  passed(way: EventWay): void
  /** `isNone`: what answered knows no stream. `wasGood`: it had lived for long. */
  failed(way: EventWay, how: { readonly wasGood: boolean; readonly isNone: boolean }): void
}

/** So often the stream fails where reads get through, before it is left. */
const streamTries = 3
/** What holds streams back may be gone, and a crowd as well. */
const againMs = 3_600_000

/**
 * Which way events are read. That a stream breaks says nothing of streams as long as the service itself is away, as
 * when it is started again: a look, which is a plain read, tells the two apart.
 */
export function createEventRoad(now: () => number): EventRoad {
  let doubts = 0
  let isInDoubt = false
  let leftAt = 0
  const doubt = (count: number): void => {
    doubts = count
    leftAt = now()
  }
  return {
    next() {
      if (isInDoubt) return 'look'
      if (doubts >= streamTries && now() - leftAt >= againMs) doubts = streamTries - 1
      return doubts < streamTries ? 'stream' : 'wait'
    },
    passed(way) {
      if (way === 'stream') doubts = 0
      else if (isInDoubt) doubt(doubts + 1)
      isInDoubt = false
    },
    failed(way, { wasGood, isNone }) {
      if (way !== 'stream') return
      if (wasGood) doubts = 0
      if (isNone) doubt(streamTries)
      isInDoubt = !isNone
    },
  }
}
