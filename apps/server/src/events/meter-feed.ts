import { Readable } from 'node:stream'
import type { MeterWatch, SeenChannel } from './meter-watches.ts'

/** After so long a stream ends, and whoever still listens comes again. */
const longestMs = 1_800_000
const beat = Buffer.from(': \n\n')

export type MeterFeedDeps = {
  readonly open: () => MeterWatch
  /** The same bytes for everybody who listens. */
  readonly frameOf: (seen: SeenChannel) => Buffer
  /** Called once, when the stream is over. */
  readonly release: () => void
}

/**
 * The meter as it is and at each change. Whoever reads slowly is shown the newest, and no more. A thousand listen to
 * one meter: each has no timer and no promise of its own.
 */
export function createMeterFeed({ open, frameOf, release }: MeterFeedDeps): Readable {
  const until = performance.now() + longestMs
  let watch: MeterWatch | undefined
  let newest: SeenChannel | undefined
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
    if (isOver(seen)) put(null)
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
        if (seen === 'over' || performance.now() >= until) put(null)
        else if (seen !== 'quiet') {
          newest = seen
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

/** Nothing changes any more. */
function isOver({ channel }: SeenChannel): boolean {
  return channel?.status === 'settled' || channel?.status === 'reclaimed'
}
