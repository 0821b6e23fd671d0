import { limits } from '@ergon/contract'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import { createChannelHandlers } from './channels.ts'
import type { ApiDeps } from './deps.ts'
import { createMeterFeeds } from './meters.ts'
import { presentStream } from './present/meter.ts'
import { pageFields, pageRequest } from './present/page.ts'

/** Metered sessions (spec §4): the engine of metered tasks, between two. */
export function createStreamHandlers(deps: ApiDeps): HandlersOf<'streams'> {
  const { market, meters } = deps
  const channels = createChannelHandlers(deps)
  const streams = createOpenStreams(deps.meterSeats)
  const feed = createMeterFeeds(meters)
  return {
    'streams.start': async ({ caller }, input) => {
      const view = await market.startStream(caller, {
        executorId: input.executor_id,
        unit: input.unit ?? 'minute',
        pricePerUnit: input.price_per_unit,
        capUsd: input.cap_usd,
        hours: input.hours ?? limits.deadlineHoursDefault,
        note: input.note ?? null,
      })
      return done(presentStream(view))
    },
    'streams.list': async ({ caller }, { role = 'buyer', ...paging }) => {
      const found = await market.ownStreams(caller, role, pageRequest(paging))
      return done({ sessions: found.rows.map(presentStream), ...pageFields(found) })
    },
    'streams.get': async (_call, { session_id: id }) => done(presentStream(await market.readStream(id))),
    'streams.tick': async (call, { session_id: id, ...work }) => {
      await market.readStream(id)
      return channels['channels.tick'](call, { task_id: id, ...work })
    },
    'streams.stop': async ({ caller }, { session_id: id }) => {
      const view = await market.stopStream(caller, id)
      return { body: presentStream(view), ...(view.channel?.status === 'closing' ? { status: 202 } : {}) }
    },
    'streams.stream': async ({ caller, request }, { session_id: id }) => {
      const view = await market.readStream(id)
      const release = streams.take({ key: caller.kind === 'wallet' ? caller.wallet : request.ip, request })
      return done({
        contentType: 'text/event-stream; charset=utf-8',
        stream: feed(view, release),
      })
    },
  }
}
