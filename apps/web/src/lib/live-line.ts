import { connectEvents, ErgonError, type ConnectEventsOptions, type LiveEvent, type OperationsClient } from '@ergon/sdk'
import { keepPlace, readPlace } from './live-place.ts'

/** `lost`: it is tried again by itself. `ended`: it is not. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'ended'

export type LiveLine = {
  readonly market: OperationsClient
  readonly wallet: string
  readonly signal: AbortSignal
  readonly onState: (state: LiveState) => void
  readonly onEvent: (name: LiveEvent['event']) => void
  /** Nobody knows what happened before: whatever was read may be old. */
  readonly onGap: () => void
}

type Socket = NonNullable<ConnectEventsOptions['WebSocket']>
const waitMs = 10_000

/**
 * Hears the events of the signed-in wallet for as long as it may: goes on where this browser was, and over again when
 * the service was away.
 */
export async function followLive(line: LiveLine): Promise<void> {
  const { market, signal, onState } = line
  onState('connecting')
  while (!signal.aborted) {
    try {
      await listen(line)
    } catch (error) {
      if (signal.aborted) return
      // What is refused, as a session that is over, is refused again.
      if (error instanceof ErgonError && !error.retryable) {
        onState('ended')
        return
      }
    }
    if (signal.aborted) return
    onState('lost')
    await market.transport.wait(waitMs)
  }
}

async function listen({ market, wallet, signal, onState, onEvent, onGap }: LiveLine): Promise<void> {
  const kept = readPlace('heard', wallet)
  const cursor = await placeToGoOn(market, kept, signal)
  keepPlace('heard', wallet, cursor)
  if (cursor !== kept) onGap()
  await using events = await connectEvents(market, { cursor, signal, WebSocket: watchedSocket(onState) })
  for await (const { event, cursor: heard } of events) {
    keepPlace('heard', wallet, heard)
    onEvent(event)
  }
}

/** The place that is kept, unless the service began anew since and has not come as far: then now. */
export async function placeToGoOn(
  market: Pick<OperationsClient, 'events'>,
  kept: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (kept !== undefined) {
    try {
      const { events, next_cursor: next } = await market.events.list(
        { scope: 'mine', cursor: kept, limit: 1 },
        { signal },
      )
      if (events.length > 0 || next !== kept) return kept
    } catch (error) {
      if (!(error instanceof ErgonError) || error.code !== 'VALIDATION_FAILED') throw error
    }
  }
  return (await market.events.list({ cursor: 'now', limit: 1 }, { signal })).next_cursor
}

/** The browser's socket, which says how it fares: the client underneath connects again without a word. */
function watchedSocket(onState: (state: LiveState) => void): Socket {
  class WatchedSocket extends WebSocket {
    constructor(url: string) {
      super(url)
      this.addEventListener('message', ({ data }) => {
        if (isWelcome(data)) onState('live')
      })
      this.addEventListener('close', () => {
        onState('lost')
      })
    }
  }
  return WatchedSocket as unknown as Socket // the listeners of a browser are typed by the name of the event
}

function isWelcome(data: unknown): boolean {
  return typeof data === 'string' && data.startsWith('{"type":"auth_success"')
}
