import type { EventPlace, Market, RecordedEvent } from '@ergon/core'

/** Hears of every event once, in order, soon after it was committed by any process. Must not block. */
export type EventListener = (event: RecordedEvent) => void

export type EventRelay = AsyncDisposable & {
  /** Something was committed: look now. Cheap, and may be called as often as one likes. */
  poke(): void
  subscribe(listener: EventListener): Disposable
  /** Since the stream was last read to its end, milliseconds. */
  lateMs(): number
}

export type EventRelayDeps = {
  readonly market: Pick<Market, 'everyEvent' | 'eventHorizon'>
  readonly onError: (error: unknown) => void
  /** How often to look without being told. */
  readonly intervalMs?: number
}

const batch = 500
/** After a poke, events may wait for an older transaction to end: look again this soon, then ever later. */
const firstRetryMs = 4
const maxRetries = 6
/** More may be held back behind what was found: two late looks find it, should no word follow. */
const retriesAfterNews = 2
/** Whoever is told again and again looks no more often than this: what came meanwhile is read together. */
const gapMs = 10

/** Reads the stream from now on and hands each event to everyone who listens in this process. */
export async function startEventRelay({ market, onError, intervalMs = 500 }: EventRelayDeps): Promise<EventRelay> {
  const listeners = new Set<EventListener>()
  let place: EventPlace = await market.eventHorizon()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let isPoked = false
  let retries = 0
  let isStopped = false
  let readAt = performance.now()
  let restedAt = 0

  const schedule = (ms: number): void => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(look, ms)
  }
  const look = (): void => {
    if (round !== undefined || isStopped) return
    isPoked = false
    round = read().then((found) => {
      round = undefined
      restedAt = performance.now() + gapMs
      if (found > 0) retries = Math.min(retries, retriesAfterNews)
      if (isPoked) schedule(gapMs)
      else if (retries > 0) schedule(firstRetryMs * 2 ** (maxRetries - retries--))
      else schedule(intervalMs)
    })
  }
  const read = async (): Promise<number> => {
    let count = 0
    try {
      for (let hasMore = true; hasMore && !isStopped;) {
        const page = await market.everyEvent(place, batch)
        place = page.place
        hasMore = page.hasMore
        count += page.events.length
        for (const event of page.events) for (const listener of listeners) listener(event)
      }
      readAt = performance.now()
    } catch (error) {
      onError(error)
    }
    return count
  }

  schedule(intervalMs)
  return {
    poke() {
      isPoked = true
      retries = maxRetries
      if (round === undefined) schedule(Math.max(0, restedAt - performance.now()))
    },
    subscribe(listener) {
      listeners.add(listener)
      return {
        [Symbol.dispose]: () => {
          listeners.delete(listener)
        },
      }
    },
    lateMs: () => performance.now() - readAt,
    async [Symbol.asyncDispose]() {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
