import { useEffect, useReducer, useRef } from 'react'
import { ErgonError, type MarketEvent, type OperationsClient } from '@ergon/sdk'
import type { Category } from '@ergon/contract'
import { useMarket } from '../../lib/market.tsx'

/** How many events the list keeps; older ones fall off its end. */
export const mostKept = 200
const perRead = 500
/** So many reads are spent on what has been; a longer past is left out, and what is new is shown. */
const mostReadsOfPast = 10
const firstWaitMs = 2_000
const longestWaitMs = 30_000
const longPollSec = 25

export type ActivityEvent = Pick<MarketEvent, 'id' | 'type' | 'created_at'> & {
  readonly data: Readonly<Record<string, unknown>>
}
export type LiveEvents = {
  /** Newest first. */
  readonly events: readonly ActivityEvent[]
  readonly state: 'loading' | 'live' | 'reconnecting'
  readonly error: ErgonError | undefined
  /** There was too much before to go through. */
  readonly isCut: boolean
}

type Step =
  | { readonly kind: 'heard'; readonly events: readonly ActivityEvent[] }
  | { readonly kind: 'live' }
  | { readonly kind: 'failed'; readonly error: ErgonError | undefined }
  | { readonly kind: 'cut' }
const nothing: LiveEvents = { events: [], state: 'loading', error: undefined, isCut: false }

/** Adds what was heard, oldest first as the service says it; what is known already is not shown twice. */
export function withHeard(known: readonly ActivityEvent[], heard: readonly ActivityEvent[]): readonly ActivityEvent[] {
  const ids = new Set(known.map(({ id }) => id))
  return [...heard.filter(({ id }) => !ids.has(id)).toReversed(), ...known].slice(0, mostKept)
}

function step(live: LiveEvents, said: Step): LiveEvents {
  switch (said.kind) {
    case 'cut':
      return { ...nothing, isCut: true }
    case 'heard':
      return { ...live, events: withHeard(live.events, said.events) }
    case 'live':
      return { ...live, state: 'live', error: undefined }
    case 'failed':
      return { ...live, state: 'reconnecting', error: said.error }
  }
}

/** What happens in public: what is kept first, then each event as it happens, by reads that wait for news. */
export function useLiveEvents(category: Category | undefined, isPaused: boolean): LiveEvents {
  const market = useMarket()
  const [live, tell] = useReducer(step, nothing)
  // Where a pause began, so that nothing of it is missed.
  const place = useRef<string>(undefined)
  useEffect(() => {
    if (isPaused) return
    const ending = new AbortController()
    void follow({ market, category, place, tell, signal: ending.signal })
    return () => {
      ending.abort()
    }
  }, [market, category, isPaused])
  return live
}

type Following = {
  readonly market: OperationsClient
  readonly category: Category | undefined
  readonly place: { current: string | undefined }
  readonly tell: (said: Step) => void
  readonly signal: AbortSignal
}

async function follow({ market, category, place, tell, signal }: Following): Promise<void> {
  const filter = { scope: 'public' as const, limit: perRead, ...(category === undefined ? {} : { category }) }
  let waitMs = firstWaitMs
  let reads = 0
  let isCaughtUp = false
  while (!signal.aborted) {
    try {
      const page = await market.events.list(
        {
          ...filter,
          ...(place.current === undefined ? {} : { cursor: place.current }),
          ...(isCaughtUp ? { wait_seconds: waitOf(market.transport.timeoutMs) } : {}),
        },
        { signal },
      )
      place.current = page.next_cursor
      waitMs = firstWaitMs
      reads += 1
      if (!isCaughtUp && page.has_more && reads >= mostReadsOfPast) {
        place.current = 'now'
        tell({ kind: 'cut' })
        continue
      }
      // The catalogue of the contract says what each type carries.
      if (page.events.length > 0) tell({ kind: 'heard', events: page.events as readonly ActivityEvent[] })
      isCaughtUp ||= !page.has_more
      if (isCaughtUp) tell({ kind: 'live' })
    } catch (error) {
      if (signal.aborted) return
      tell({ kind: 'failed', error: error instanceof ErgonError ? error : undefined })
      await market.transport.wait(waitMs)
      waitMs = Math.min(waitMs * 2, longestWaitMs)
    }
  }
}

/** The answer has to come well within the patience of the client. */
const waitOf = (timeoutMs: number): number => Math.max(0, Math.min(longPollSec, Math.floor(timeoutMs / 2_000)))
