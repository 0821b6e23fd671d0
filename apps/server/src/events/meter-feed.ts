import { Readable } from 'node:stream'
import type { MeterWatch, SeenChannel } from './meter-watches.ts'

/** After so long a stream ends, and whoever still listens comes again. */
const longestMs = 1_800_000
/** As long as no channel is bound, for the end of its task is told to nobody who watches. */
const longestUnboundMs = 60_000
const beat = Buffer.from(': \n\n')
const end = Buffer.from('event: end\ndata: {}\n\n')

export type MeterFeedDeps = {
  readonly open: () => MeterWatch
  /** The same bytes for everybody who listens. */
  readonly frameOf: (seen: SeenChannel) => Buffer
  /** Nothing changes any more. */
  readonly isLast: (seen: SeenChannel) => boolean
  /** Called once, when the stream is over. */
  readonly release: () => void
}

/**
 * The meter as it is and at each change. Whoever reads slowly is shown the newest, and no more. A thousand listen to
 * one meter: each has no timer and no promise of its own.
 */
export function createMeterFeed({ open, frameOf, isLast, release }: MeterFeedDeps): Readable {
  const openedAt = performance.now()
  let watch: MeterWatch | undefined
  let newest: SeenChannel | undefined
  let longest = longestUnboundMs
  let isWanted = false
  let isEnding = false
  const put = (bytes: Buffer | null): void => {
    if (!isEnding) isWanted = feed.push(bytes)
    isEnding ||= bytes === null
  }
  const show = (): void => {
    if (newest === undefined || !isWanted || isEnding) return
    const seen = newest
    newest = undefined
    put(frameOf(seen))
    if (!isLast(seen)) return
    put(end)
    put(null)
  }
  const feed = new Readable({
    highWaterMark: 1,
    read() {
      isWanted = true
      if (watch !== undefined) {
        show()
        return
      }
      watch = open()
      watch.follow((seen) => {
        if (seen === 'over' || performance.now() - openedAt >= longest) put(null)
        else if (seen !== 'quiet') {
          newest = seen
          if (seen.channel !== null) longest = longestMs
          show()
        } else if (isWanted) put(beat)
      })
    },
    destroy(error, done) {
      watch?.[Symbol.dispose]()
      release()
      done(error)
    },
  })
  return feed
}
