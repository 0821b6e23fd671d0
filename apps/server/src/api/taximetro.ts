import type { Channel, Market } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { MeterWatch } from '../events/meter-watches.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import type { ApiDeps } from './deps.ts'
import { endingsOf, openingOf, voucherOf, type ChannelEvent } from './present/channel-event.ts'
import { staysOf, type Stays } from './stays.ts'

const replayDefault = 200
const historyDefault = 50
const batch = 100
/** Two parties watch a channel; each may hold a few screens open. */
const seats = { each: 5, perAddress: 50, inAll: 500 }

/** Every voucher of a channel, for its publisher and its worker (spec §4). */
export function createTaximetroHandlers(deps: ApiDeps): HandlersOf<'taximetro'> {
  const { market, meters } = deps
  const streams = createOpenStreams(seats)
  return {
    'taximetro.stream': async ({ caller, request }, input) => {
      const channel = await market.channelAt(caller, input.channel_id)
      const replay = input.replay === false ? 0 : (input.replay_limit ?? replayDefault)
      const release = streams.take({ key: caller.wallet, request })
      const stays = staysOf(deps, { caller, request })
      const open = (): MeterWatch => meters.open(channel.taskId, channel)
      return done({
        contentType: 'text/event-stream; charset=utf-8',
        stream: frames(market, open, { channel, replay, stays }, release),
      })
    },
    'taximetro.history': async ({ caller }, input) => {
      const channel = await market.channelAt(caller, input.channel_id)
      const offset = input.offset ?? 0
      const events = await lastEvents(market, channel, { limit: input.limit ?? historyDefault, offset })
      const has_more = eventsOf(channel) > offset + events.length
      return done({ channel_id: channel.id, events: [...events], count: events.length, offset, has_more })
    },
    'taximetro.health': () => done({ enabled: true, replay_limit_default: replayDefault }),
  }
}

type Vouchers = Pick<Market, 'acceptedTicks'>

/** How many events a channel has: its opening, its vouchers, its end. */
const eventsOf = (channel: Channel): number => 1 + channel.vouchers + endingsOf(channel).length

type Page = { readonly limit: number; readonly offset: number }

/** The newest `limit` events but for the last `offset`, the oldest of them first. */
async function lastEvents(market: Vouchers, channel: Channel, page: Page): Promise<readonly ChannelEvent[]> {
  const end = Math.max(0, eventsOf(channel) - page.offset)
  const begin = Math.max(0, end - page.limit)
  // The opening is event 0, so voucher n is event n.
  const after = Math.min(channel.vouchers, Math.max(0, begin - 1))
  const most = Math.min(channel.vouchers, Math.max(0, end - 1)) - after
  const ticks = most > 0 ? await market.acceptedTicks(channel.id, after, most) : []
  return [
    ...(begin === 0 && end > 0 ? [openingOf(channel)] : []),
    ...ticks.map((tick) => voucherOf(tick, channel)),
    ...endingsOf(channel).filter((_, index) => begin <= ended(channel, index) && ended(channel, index) < end),
  ]
}

const ended = (channel: Channel, index: number): number => 1 + channel.vouchers + index

type From = { readonly channel: Channel; readonly replay: number; readonly stays: Stays }

async function* frames(
  market: Vouchers,
  open: () => MeterWatch,
  { channel, replay, stays }: From,
  release: () => void,
): AsyncGenerator<string> {
  try {
    using watch = open()
    yield frame('hello', { channel_id: channel.id, replay: replay > 0, replay_limit: replay })
    const past = replay > 0 ? await lastEvents(market, channel, { limit: replay, offset: 0 }) : []
    for (const event of past) yield frame(event.event, { replay: true, ...event })
    let [sent, endings] = [channel.vouchers, endingsOf(channel).length]
    for (let version = -1; ;) {
      const seen = await watch.next(version)
      if (seen === 'over' || !(await stays())) return
      if (seen === 'quiet' || seen.channel === null) {
        yield ': \n\n'
        version = seen === 'quiet' ? version : seen.version
        continue
      }
      version = seen.version
      for await (const tick of ticksBetween(market, channel.id, sent, seen.channel.vouchers)) {
        yield frame('voucher_accepted', voucherOf(tick, channel))
        sent = tick.index
      }
      const ended = endingsOf(seen.channel)
      for (const event of ended.slice(endings)) yield frame(event.event, event)
      endings = Math.max(endings, ended.length)
      if (ended.some(({ event }) => event === 'settlement_complete')) return
    }
  } finally {
    release()
  }
}

async function* ticksBetween(market: Vouchers, channelId: string, after: number, until: number) {
  for (let sent = after; sent < until;) {
    const ticks = await market.acceptedTicks(channelId, sent, Math.min(batch, until - sent))
    if (ticks.length === 0) return
    yield* ticks
    sent += ticks.length
  }
}

const frame = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
