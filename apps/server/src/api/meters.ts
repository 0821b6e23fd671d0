import type { MeterView } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import type { MeterWatch, SeenChannel } from '../events/meter-watches.ts'
import { createOpenStreams } from '../events/open-streams.ts'
import { factsOf } from './channels.ts'
import type { ApiDeps } from './deps.ts'
import { presentMeter, presentPublicChannel } from './present/meter.ts'

/** After so long a stream ends, and whoever still listens comes again. */
const longestMs = 1_800_000

/** What everybody may know of metered tasks (spec §4). */
export function createMeterHandlers(deps: ApiDeps): HandlersOf<'meters'> {
  const { market, meters } = deps
  const streams = createOpenStreams(deps.meterSeats)
  const framed = createFrames()
  return {
    'meters.get': async ({ caller }, { task_id: taskId }) => done(presentMeter(await market.meter(caller, taskId))),
    'meters.channel': async ({ caller }, { task_id: taskId }) =>
      done(presentPublicChannel(await market.publicChannel(caller, taskId), factsOf(deps))),
    'meters.stream': async ({ caller, request }, { task_id: taskId }) => {
      const view = await market.meter(caller, taskId)
      const release = streams.take({ key: caller.kind === 'wallet' ? caller.wallet : request.ip, request })
      return done({
        contentType: 'text/event-stream; charset=utf-8',
        stream: frames(
          () => meters.open(taskId, view.channel),
          (seen) => framed(view, seen),
          release,
        ),
      })
    },
  }
}

/** A frame is written once, however many listen. */
function createFrames(): (view: MeterView, seen: SeenChannel) => string {
  const written = new WeakMap<SeenChannel, string>()
  return (view, seen) => {
    const known = written.get(seen)
    if (known !== undefined) return known
    const { channel } = seen
    const meter = presentMeter({ ...view, channel, updatedAt: channel?.updatedAt ?? view.updatedAt })
    const text = `id: ${String(Date.parse(meter.updated_at))}\nevent: meter\ndata: ${JSON.stringify(meter)}\n\n`
    written.set(seen, text)
    return text
  }
}

/** The meter as it is and at each change; whoever reads slowly is shown the newest, and no more. */
async function* frames(
  open: () => MeterWatch,
  frameOf: (seen: SeenChannel) => string,
  release: () => void,
): AsyncGenerator<string> {
  try {
    using watch = open()
    const until = performance.now() + longestMs
    for (let version = -1; performance.now() < until;) {
      const seen = await watch.next(version)
      if (seen === 'over') return
      if (seen === 'quiet') {
        yield ': \n\n'
        continue
      }
      version = seen.version
      yield frameOf(seen)
      // Nothing changes any more.
      if (seen.channel?.status === 'settled' || seen.channel?.status === 'reclaimed') return
    }
  } finally {
    release()
  }
}
