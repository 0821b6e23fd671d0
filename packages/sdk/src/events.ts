import type { EventData, EventName, events as catalogue } from '@ergon/contract'
import { roomNames, wireOperations } from '@ergon/contract/wire'
import type { CallOptions, Input, OperationsClient, Output } from './client.ts'
import { ErgonError, errorOfAnswer } from './ergon-error.ts'
import { createEventRoad } from './event-road.ts'
import { readServerSentEvents } from './server-sent-events.ts'
import { watchConnection } from './watch-connection.ts'

/** Something that happened, and the place behind it, from which to go on. */
export type MarketEvent<N extends EventName = EventName> = {
  readonly [K in N]: {
    readonly id: string
    readonly type: K
    /** The same in the word of rooms, as `connectEvents` yields it: one reader serves both. */
    readonly event: (typeof catalogue)[K]['room']
    readonly created_at: string
    readonly data: EventData<K>
    readonly cursor: string
  }
}[N]

/** Which events, and from where. */
export type EventOptions<N extends EventName = EventName> = {
  readonly types?: readonly N[]
  readonly scope?: 'mine' | 'public'
  readonly task_id?: string
  readonly category?: NonNullable<Input<'events.list'>['category']>
  /** The place of the last event that was dealt with; now when left out. Keep it, and nothing is missed. */
  readonly cursor?: string
} & CallOptions

type Source = Pick<OperationsClient, 'transport' | 'sending' | 'events'>
type Filter = Omit<NonNullable<Input<'events.list'>>, 'limit'>

const longestWaitSec = 25
const longestPauseMs = 10_000
/** What lived this long was good, and its end is no failure to count. */
const goodLifeMs = 20_000

/**
 * Events as they happen, in order and each once: over a server-sent stream, and where that does not get through
 * (a proxy holds it back, a platform cannot read it) by waiting reads. A connection that breaks is taken up again
 * behind the last event. Ends when the signal says so.
 */
export async function* events<N extends EventName = EventName>(
  client: Source,
  options: EventOptions<N> = {},
): AsyncGenerator<MarketEvent<N>, void, undefined> {
  const { signal, types, cursor: from, ...rest } = options
  const filter: Filter = { ...rest, ...(types === undefined ? {} : { types: types.join(',') }) }
  const given = signal === undefined ? {} : { signal }
  const { now, wait } = client.transport
  const place = {
    cursor: from ?? (await client.events.list({ ...filter, cursor: 'now', limit: 1 }, given)).next_cursor,
  }
  const road = createEventRoad(now)
  for (let failed = 0; !isAborted(signal);) {
    const way = road.next()
    const begunAt = now()
    try {
      const steps =
        way === 'stream'
          ? streamed(client, filter, place.cursor, signal)
          : onePage(
              client,
              { ...filter, cursor: place.cursor, wait_seconds: way === 'look' ? 0 : waitSecOf(client) },
              given,
            )
      for await (const { cursor, event } of steps) {
        failed = 0
        road.passed(way)
        place.cursor = cursor
        // The filter names the types, and the catalogue of the contract says what each carries.
        if (event !== undefined) yield { ...event, event: nameInRooms(event.type) } as unknown as MarketEvent<N>
      }
    } catch (error) {
      if (isAborted(signal)) return
      const isNone = way === 'stream' && isNoStream(error)
      if (!(error instanceof ErgonError) || (!error.retryable && !isNone)) throw error
      const wasGood = now() - begunAt > goodLifeMs
      road.failed(way, { wasGood, isNone })
      failed = wasGood ? 1 : failed + 1
      await wait(
        error.retryAfterSec === undefined ? Math.min(100 * 2 ** failed, longestPauseMs) : error.retryAfterSec * 1_000,
      )
    }
  }
}

/** A newer service may know of more. */
function nameInRooms(type: string): string {
  const names: Readonly<Record<string, string | undefined>> = roomNames
  return names[type] ?? type
}

/** Something between here and the service, or the service itself, knows no such stream. */
function isNoStream(error: unknown): boolean {
  if (!(error instanceof ErgonError)) return false
  const { status } = error
  return status === 200 || status === 404 || status === 405 || status === 406 || status === 501
}

type Step = { readonly cursor: string; readonly event: Output<'events.list'>['events'][number] | undefined }

/** The answer has to come well within the patience of the client. */
const waitSecOf = ({ transport }: Source): number =>
  Math.max(0, Math.min(longestWaitSec, Math.floor(transport.timeoutMs / 2_000)))

async function* onePage(client: Source, asked: Filter, given: CallOptions): AsyncGenerator<Step, void, undefined> {
  const page = await client.events.list(asked, given)
  for (const event of page.events) yield { cursor: event.cursor, event }
  yield { cursor: page.next_cursor, event: undefined }
}

async function* streamed(
  client: Source,
  filter: Filter,
  cursor: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Step, void, undefined> {
  const connection = watchConnection(signal)
  try {
    const response = await client.transport.open(
      wireOperations['events.stream'],
      { ...filter, cursor },
      { ...client.sending('events.stream'), signal: connection.signal },
    )
    const { status, headers, body } = response
    if (status !== 200 || body === null || !/^text\/event-stream\b/i.test(headers.get('content-type') ?? ''))
      throw errorOfAnswer(status, headers, await saidIn(response))
    for await (const { id, data } of readServerSentEvents(connection.heard(body))) {
      const event: unknown = JSON.parse(data)
      // The id of an event in the stream is its place.
      if (id !== undefined && isEnvelope(event)) yield { cursor: id, event: { ...event, cursor: id } }
    }
  } catch (cause) {
    if (cause instanceof ErgonError) throw cause
    throw brokenOff(cause)
  } finally {
    connection.end()
  }
  throw brokenOff(undefined)
}

/** A stream has no end of its own. */
function brokenOff(cause: unknown): ErgonError {
  return new ErgonError(
    {
      status: 0,
      code: 'unreachable',
      message: 'the stream broke off',
      retryable: true,
      recovery: 'Nothing: it is taken up again.',
    },
    { cause },
  )
}

async function saidIn(response: Response): Promise<unknown> {
  // A page that is no JSON says nothing; of an endless one nobody waits for the end.
  const isJson = /^application\/(?:\w+\+)?json\b/i.test(response.headers.get('content-type') ?? '')
  return isJson ? response.json().catch(() => undefined) : undefined
}

type Envelope = Omit<Output<'events.list'>['events'][number], 'cursor'>

function isEnvelope(value: unknown): value is Envelope {
  return typeof value === 'object' && value !== null && 'type' in value && 'data' in value
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true
