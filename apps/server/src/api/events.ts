import { events as catalogue, type EventName } from '@ergon/contract'
import {
  eventQuery,
  MarketError,
  type EventFilter,
  type EventPage,
  type EventPlace,
  type Market,
  type RecordedEvent,
} from '@ergon/core'
import { done, type Call, type HandlersOf } from '../dispatch/handlers.ts'
import type { EventTap, TapNews } from '../events/event-taps.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import type { ApiDeps } from './deps.ts'
import { presentEvent } from './present/event.ts'
import { staysOf, type Stays } from './stays.ts'

const limitDefault = 100
const keepAliveMs = 15_000
/** Streams of one caller, of one address and of all that this process holds open. */
const streams = { each: 5, perAddress: 50, inAll: 1_000 }

type Filtered = {
  readonly scope?: 'mine' | 'public'
  readonly types?: string
  readonly task_id?: string
  readonly category?: EventFilter['category']
}

/** The stream by cursor, and as server-sent events; whoever waits is handed what the relay read (decision 0116). */
export function createEventHandlers(deps: ApiDeps): HandlersOf<'events'> {
  const { market, taps } = deps
  const open = createOpenStreams(streams)
  const start = async (cursor: string | undefined): Promise<EventPlace | null> =>
    cursor === 'now' ? market.eventHorizon() : (cursor ?? null)
  return {
    'events.list': async ({ caller, request }, input) => {
      const filter = filterOf(input)
      const limit = input.limit ?? limitDefault
      const after = await start(input.cursor)
      // What is skipped is skipped once: the place that the first read gives is behind it.
      let skip = input.offset ?? 0
      const read = (place: EventPlace | null): Promise<EventPage> => {
        const skipped = skip
        skip = 0
        return market.events(caller, filter, place, limit, skipped)
      }
      const page =
        input.wait_seconds === undefined || input.wait_seconds === 0
          ? await read(after)
          : await firstPage(
              { tap: openTap(taps, { caller, filter, request }), read, stays: staysOf(deps, { caller, request }) },
              after,
              input.wait_seconds * 1_000,
            )
      const events = page.events.slice(0, limit)
      const hasMore = page.hasMore || events.length < page.events.length
      return done({
        events: events.map((event) => ({ ...presentEvent(event), cursor: event.place })),
        next_cursor: hasMore ? (events.at(-1)?.place ?? page.place) : page.place,
        has_more: hasMore,
      })
    },
    'events.stream': async ({ caller, request }, input) => {
      const filter = filterOf(input)
      const first = await start(input.last_event_id ?? input.cursor ?? 'now')
      // A place that no answer gave is refused before the stream begins.
      await market.events(caller, filter, first, 1)
      const release = open.take({ key: caller.kind === 'wallet' ? caller.wallet : request.ip, request })
      return done({
        contentType: 'text/event-stream; charset=utf-8',
        stream: frames(
          market,
          taps,
          { caller, filter, first, request, stays: staysOf(deps, { caller, request }) },
          release,
        ),
      })
    },
  }
}

type Reader = Pick<Call, 'caller' | 'request'> & { readonly filter: EventFilter }

/** Whoever leaves waits for nothing: neither its connection nor what is kept for it outlives it. */
function openTap(taps: ApiDeps['taps'], { caller, filter, request }: Reader): EventTap {
  const tap = taps.open(eventQuery(caller, filter))
  request.onEnd?.(() => {
    tap[Symbol.dispose]()
  })
  return tap
}

type Waited = {
  readonly tap: EventTap
  readonly read: (place: EventPlace | null) => Promise<EventPage>
  readonly stays: Stays
}

/** The first page that holds something; an empty one when the time is over, or the reader may be told no more. */
async function firstPage({ tap, read, stays }: Waited, from: EventPlace | null, ms: number): Promise<EventPage> {
  using _open = tap
  const deadline = performance.now() + ms
  for (let after = from; ;) {
    const page = await read(after)
    if (page.events.length > 0 || performance.now() >= deadline) return page
    const news = await tap.next(page.place, deadline - performance.now())
    if (news === 'over' || !(await stays())) return page
    if (news !== 'missed') return { events: news, place: news.at(-1)?.place ?? page.place, hasMore: false }
    after = page.place
  }
}

async function* frames(
  market: Pick<Market, 'events'>,
  taps: ApiDeps['taps'],
  from: Reader & { readonly first: EventPlace | null; readonly stays: Stays },
  release: () => void,
): AsyncGenerator<string> {
  try {
    using tap = openTap(taps, from)
    let after = from.first
    let news: Exclude<TapNews, 'over'> = 'missed'
    yield ': open\n\n'
    for (;;) {
      if (news === 'missed') {
        const page = await market.events(from.caller, from.filter, after, limitDefault)
        after = page.place
        for (const event of page.events) yield frameOf(event)
        if (page.hasMore) {
          if (await from.stays()) continue
          return
        }
      } else {
        for (const event of news) yield frameOf(event)
        after = news.at(-1)?.place ?? after
      }
      const next = await tap.next(after ?? '', keepAliveMs)
      if (next === 'over' || !(await from.stays())) return
      news = next
      // A comment keeps proxies from closing the line, and tells the end of a dead one.
      if (news.length === 0 || news === 'missed') yield ': \n\n'
    }
  } finally {
    release()
  }
}

const frameOf = (event: RecordedEvent): string =>
  `id: ${event.place}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`

function filterOf(input: Filtered): EventFilter {
  return {
    scope: input.scope ?? 'mine',
    types: readTypes(input.types),
    taskId: input.task_id ?? null,
    category: input.category ?? null,
  }
}

/** A model has no other list at hand: it knows what its tools tell it. */
const oneOfAll = `one of ${Object.keys(catalogue).join(', ')}`

/** @throws VALIDATION_FAILED naming a type that does not exist, and all that do */
export function readTypes(text: string | undefined): readonly EventName[] | null {
  if (text === undefined) return null
  return text.split(',').map((name) => {
    const known = Object.keys(catalogue).find((one): one is EventName => one === name)
    if (known === undefined)
      throw new MarketError(
        'VALIDATION_FAILED',
        { field: 'types', constraint: oneOfAll, received: name },
        { message: `types: ${oneOfAll}, received ${name}.` },
      )
    return known
  })
}
