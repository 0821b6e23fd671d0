import type { OperationsClient } from '../client.ts'
import { ErgonError } from '../ergon-error.ts'
import { catchUp } from './catch-up.ts'
import { createConversation, type AuthPayload, type Conversation, type Ending } from './conversation.ts'
import { createDesk, createWish, type Desk } from './desk.ts'
import { disposable } from './disposable.ts'
import type { LiveEvent, LiveRoom } from './live-event.ts'
import { openLine, type Line, type SocketConstructor } from './line.ts'

/** Which rooms, and from where. */
export type ConnectEventsOptions = {
  /** Rooms besides that of the own wallet. */
  readonly rooms?: readonly LiveRoom[]
  /** The cursor of the last event that was dealt with; now when left out. */
  readonly cursor?: string
  readonly signal?: AbortSignal
  /** The platform's unless told. */
  readonly WebSocket?: SocketConstructor
}

/** Events as they are told, each once; ends when it is closed. */
export type LiveEvents = AsyncIterableIterator<LiveEvent, undefined> &
  AsyncDisposable & {
    /**
     * Resolves once the service has let this connection in. @throws ErgonError FORBIDDEN, TASK_NOT_FOUND,
     * VALIDATION_FAILED; an `AbortError`, or the reason of the signal, when the room or all is left before that
     */
    subscribe(room: LiveRoom): Promise<void>
    unsubscribe(room: LiveRoom): void
    /** The rooms it is in besides the own, or will be once it is connected again. */
    readonly rooms: readonly LiveRoom[]
    close(): void
  }

type Source = Pick<OperationsClient, 'events' | 'transport' | 'signer' | 'session' | 'chainId'>

const longestPauseMs = 10_000
/** Tries before the first success; afterwards it tries for ever. */
const firstTries = 5
const welcomeMs = 15_000
/** The service pings every half minute. */
const silenceMs = 75_000
/** A reader this far behind is told no more until it has read half of it. */
const mostWaiting = 10_000
const mostRead = mostWaiting / 2
const signatureTtlSec = 60

/** The hub of one `connectEvents`: what the running connection is, if there is one. */
type Hub = {
  readonly client: Source
  readonly desk: Desk
  readonly Socket: SocketConstructor
  readonly over: AbortSignal
  line: Line | undefined
  talk: Conversation | undefined
}

/**
 * Events over a socket, the moment they are committed. A connection that breaks is made again at the place behind
 * everything that was told, and what is told again is dropped: nothing is lost and nothing comes twice.
 */
export async function connectEvents(client: Source, options: ConnectEventsOptions = {}): Promise<LiveEvents> {
  if (client.signer === undefined && !client.session) throw new TypeError('live events need a signer or a session')
  const given = options.signal === undefined ? {} : { signal: options.signal }
  // A socket tells only what comes after it was let in; the place is taken before, so that nothing falls between.
  const desk = createDesk(options.cursor ?? (await client.events.list({ cursor: 'now', limit: 1 }, given)).next_cursor)
  const ended = new AbortController()
  const over = options.signal === undefined ? ended.signal : AbortSignal.any([options.signal, ended.signal])
  // The global is what every platform of ours has, with the headers of Node where there is no browser.
  const hub: Hub = {
    client,
    desk,
    Socket: options.WebSocket ?? (globalThis.WebSocket as unknown as SocketConstructor),
    over,
    line: undefined,
    talk: undefined,
  }
  const first = (options.rooms ?? []).map((room) => wish(hub, room))
  over.addEventListener(
    'abort',
    () => {
      hub.line?.close()
      desk.queue.end()
      desk.leaveAll(over.reason)
    },
    { once: true },
  )
  // A signal that listens to another is kept by the platform until one of them is aborted, and with it all of this.
  const fail = (error: unknown): void => {
    end(hub, error)
    ended.abort()
  }
  run(hub).catch(fail)
  // A room that was asked for from the start and is refused is no small matter; one that was left meanwhile is.
  for (const granted of first)
    granted.catch((error: unknown) => {
      if (error instanceof ErgonError) fail(error)
    })
  return facade(hub, () => {
    ended.abort()
  })
}

function facade(hub: Hub, close: () => void): LiveEvents {
  const { queue, wishes } = hub.desk
  const events: Omit<LiveEvents, typeof Symbol.asyncDispose> = {
    close,
    next: () => queue.next(),
    return() {
      close()
      return Promise.resolve({ done: true, value: undefined })
    },
    subscribe: (room) => wish(hub, room),
    unsubscribe(room) {
      if (hub.desk.leave(room) && hub.line !== undefined) hub.talk?.leave(room, hub.line)
    },
    get rooms() {
      return [...wishes.keys()]
    },
    [Symbol.asyncIterator]: () => told,
  }
  const told = disposable(events, close)
  return told
}

function wish({ desk, talk, line, over }: Hub, room: LiveRoom): Promise<void> {
  const known = desk.wishes.get(room)
  if (known !== undefined) return known.granted
  const made = createWish()
  if (over.aborted) made.refuse(over.reason)
  else desk.wishes.set(room, made)
  if (talk !== undefined && line !== undefined) talk.enter(room, line)
  return made.granted
}

function end({ desk, line }: Hub, error: unknown): void {
  line?.close()
  for (const one of desk.wishes.values()) one.refuse(error instanceof ErgonError ? error : unreachable(error))
  desk.queue.end(error instanceof Error ? error : unreachable(error))
}

async function run(hub: Hub): Promise<void> {
  const { client, desk, over } = hub
  let wasEverLive = false
  for (let failed = 0; !over.aborted;) {
    await desk.queue.drained(mostRead)
    const { wasLive, isBehind, fault } = await converse(hub)
    if (over.aborted) return
    if (fault !== undefined) throw fault
    wasEverLive ||= wasLive
    const isCaughtUp = isBehind && (await catchUp(client, desk, over).then(() => true, comesLater))
    failed = wasLive || isCaughtUp ? 0 : failed + 1
    if (!wasEverLive && failed >= firstTries) throw unreachable(undefined)
    // Whoever lost the same service does not come back at the same moment.
    await pause(Math.min(100 * 2 ** failed, longestPauseMs) * (0.5 + Math.random() / 2), over)
  }
}

/** What time mends is tried again with the next connection. */
function comesLater(error: unknown): boolean {
  if (error instanceof ErgonError && error.retryable) return false
  throw error
}

async function converse(hub: Hub): Promise<Ending> {
  const { client, desk, Socket, over } = hub
  const { signer, session, transport } = client
  const url = socketUrl(transport.baseUrl)
  const authenticate =
    signer === undefined || session
      ? undefined
      : async (): Promise<AuthPayload> =>
          (
            await (
              await import('../sign-auth-frame.ts')
            ).signAuthFrame(url, {
              signer,
              chainId: await client.chainId(),
              now: Math.floor(transport.now() / 1_000),
              nonce: transport.randomNonce(),
              ttlSec: signatureTtlSec,
            })
          ).payload
  const talk = createConversation(desk, authenticate)
  const line = openLine({
    url,
    Socket,
    silenceMs,
    welcomeMs,
    headers: transport.cookieHeaders(),
    onFrame(frame, from) {
      talk.hear(frame, from)
      if (desk.queue.size > mostWaiting) from.close()
    },
  })
  if (over.aborted) line.close()
  hub.line = line
  hub.talk = talk
  await line.gone
  hub.line = undefined
  hub.talk = undefined
  return talk.ending
}

function socketUrl(baseUrl: string): string {
  const url = new URL(baseUrl)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/ws`
  return url.href
}

function unreachable(cause: unknown): ErgonError {
  return new ErgonError(
    {
      status: 0,
      code: 'unreachable',
      message: 'the live events of the service cannot be reached',
      retryable: true,
      recovery: 'Check that /ws is reachable, or read client.events() instead.',
    },
    { cause },
  )
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      over.removeEventListener('abort', done)
      resolve()
    }
    over.addEventListener('abort', done, { once: true })
  })
}
