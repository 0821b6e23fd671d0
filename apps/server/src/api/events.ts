import { events as catalogue, type EventName } from '@ergon/contract'
import { MarketError, type Caller, type EventFilter, type EventPlace, type Market } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import type { ApiDeps } from './deps.ts'
import { presentEvent } from './present/event.ts'

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

/** The stream by cursor, and as server-sent events; whoever waits is answered as soon as there is something for it. */
export function createEventHandlers({ market, newsOfEvents, live }: ApiDeps): HandlersOf<'events'> {
  const open = createOpenStreams(streams)
  const start = async (cursor: string | undefined): Promise<EventPlace | null> =>
    cursor === 'now' ? market.eventHorizon() : (cursor ?? null)
  return {
    'events.list': async ({ caller }, input) => {
      const filter = filterOf(input)
      const deadline = performance.now() + (input.wait_seconds ?? 0) * 1_000
      let after = await start(input.cursor)
      for (;;) {
        const left = deadline - performance.now()
        const news = left > 0 ? newsOfEvents(left) : undefined
        const page = await market.events(caller, filter, after, input.limit ?? limitDefault)
        if (page.events.length > 0 || news === undefined) {
          return done({
            events: page.events.map((event) => ({ ...presentEvent(event), cursor: event.place })),
            next_cursor: page.place,
            has_more: page.hasMore,
          })
        }
        after = page.place
        await news
      }
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
          newsOfEvents,
          { caller, filter, first, isShutOut: () => caller.kind === 'wallet' && live.isBanned(caller.wallet) },
          release,
        ),
      })
    },
  }
}

async function* frames(
  market: Pick<Market, 'events'>,
  news: ApiDeps['newsOfEvents'],
  from: {
    readonly caller: Caller
    readonly filter: EventFilter
    readonly first: EventPlace | null
    readonly isShutOut: () => boolean
  },
  release: () => void,
): AsyncGenerator<string> {
  try {
    let after = from.first
    yield ': open\n\n'
    for (;;) {
      const waiting = news(keepAliveMs)
      const page = await market.events(from.caller, from.filter, after, limitDefault)
      after = page.place
      for (const event of page.events)
        yield `id: ${event.place}\nevent: ${event.type}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`
      if (page.events.length > 0) continue
      await waiting
      if (from.isShutOut()) return // a ban ends what was open before it (decision 0057)
      // A comment keeps proxies from closing the line, and tells the end of a dead one.
      yield ': \n\n'
    }
  } finally {
    release()
  }
}

function filterOf(input: Filtered): EventFilter {
  return {
    scope: input.scope ?? 'mine',
    types: readTypes(input.types),
    taskId: input.task_id ?? null,
    category: input.category ?? null,
  }
}

/** @throws VALIDATION_FAILED naming a type that does not exist */
export function readTypes(text: string | undefined): readonly EventName[] | null {
  if (text === undefined) return null
  return text.split(',').map((name) => {
    const known = Object.keys(catalogue).find((one): one is EventName => one === name)
    if (known === undefined)
      throw new MarketError('VALIDATION_FAILED', {
        field: 'types',
        constraint: 'names of the event catalogue',
        received: name,
      })
    return known
  })
}
