import { isMeterOver, type MeterView } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { Readable } from 'node:stream'
import { createMeterFeed } from '../events/meter-feed.ts'
import type { SeenChannel } from '../events/meter-watches.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import { factsOf } from './channels.ts'
import type { ApiDeps } from './deps.ts'
import { presentMeter, presentPublicChannel } from './present/meter.ts'

/** What everybody may know of metered tasks (spec §4). */
export function createMeterHandlers(deps: ApiDeps): HandlersOf<'meters'> {
  const { market, meters } = deps
  const streams = createOpenStreams(deps.meterSeats)
  const feed = createMeterFeeds(meters)
  return {
    'meters.get': async ({ caller }, { task_id: taskId }) => done(presentMeter(await market.meter(caller, taskId))),
    'meters.channel': async ({ caller }, { task_id: taskId }) =>
      done(presentPublicChannel(await market.publicChannel(caller, taskId), factsOf(deps))),
    'meters.stream': async ({ caller, request }, { task_id: taskId }) => {
      const view = await market.meter(caller, taskId)
      const release = streams.take({ key: caller.kind === 'wallet' ? caller.wallet : request.ip, request })
      return done({
        contentType: 'text/event-stream; charset=utf-8',
        stream: feed(view, release),
      })
    },
  }
}

/** A stream of each meter that is watched. A frame is written once, however many listen. */
export function createMeterFeeds(meters: ApiDeps['meters']): (view: MeterView, release: () => void) => Readable {
  const framed = createFrames()
  return (view, release) =>
    createMeterFeed({
      open: () => meters.open(view.taskId, view.channel),
      frameOf: (seen) => framed(view, seen),
      isLast: ({ channel }) => isMeterOver(channel, view.isTaskOver),
      release,
    })
}

function createFrames(): (view: MeterView, seen: SeenChannel) => Buffer {
  const written = new WeakMap<SeenChannel, Buffer>()
  return (view, seen) => {
    const known = written.get(seen)
    if (known !== undefined) return known
    const { channel } = seen
    const meter = presentMeter({ ...view, channel, updatedAt: channel?.updatedAt ?? view.updatedAt })
    const text = `id: ${String(Date.parse(meter.updated_at))}\nevent: meter\ndata: ${JSON.stringify(meter)}\n\n`
    const frame = Buffer.from(text)
    written.set(seen, frame)
    return frame
  }
}
