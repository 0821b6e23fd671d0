import type { Channel } from '@ergon/core'
import { expect, test, vi } from 'vitest'
import { createMeterFeed } from './meter-feed.ts'
import type { MeterWatch, SeenChannel } from './meter-watches.ts'

type Told = Parameters<MeterWatch['follow']>[0]

/** A feed whose watch tells what the test says. */
function rig(status: Channel['status'] | null = 'open') {
  const [release, dispose, written] = [vi.fn(), vi.fn(), vi.fn()]
  let tell: Told = () => undefined
  const frames = new Map<SeenChannel, Buffer>()
  const feed = createMeterFeed({
    open: () => ({
      next: () => Promise.reject(new Error('nobody asks')),
      follow(told) {
        tell = told
        told(status === null ? { channel: null, version: 0 } : seen(0))
      },
      [Symbol.dispose]: dispose,
    }),
    frameOf: (one) => {
      written()
      const frame = frames.get(one) ?? Buffer.from(`${String(one.version)}\n`)
      frames.set(one, frame)
      return frame
    },
    isLast: ({ channel }) => channel?.status === 'settled',
    release,
  })
  return { feed, release, dispose, written, tell: (...told: Parameters<Told>) => tell(...told) }
}

const seen = (version: number, status: Channel['status'] = 'open'): SeenChannel => ({
  // Of a channel only its state matters here.
  channel: { status } as Channel,
  version,
})
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('whoever reads slowly is shown the newest, and nothing of what was between', async () => {
  const { feed, tell, written } = rig()
  const heard: string[] = []
  feed.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
  await turn()
  feed.pause()
  for (let version = 1; version <= 100; version += 1) {
    tell(seen(version))
    await turn()
  }
  expect(written.mock.calls.length).toBeLessThanOrEqual(3)
  feed.resume()
  await turn()
  expect(heard.length).toBeLessThanOrEqual(3)
  expect(heard.at(-1)).toBe('100\n')
})

test('the last state ends it, and its seat is given back once', async () => {
  const { feed, tell, release, dispose } = rig()
  const heard: string[] = []
  feed.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
  await turn()
  tell('quiet')
  tell(seen(1, 'settled'))
  tell(seen(2, 'settled'))
  await vi.waitFor(() => {
    expect(feed.destroyed).toBe(true)
  })
  expect(heard).toEqual(['0\n', ': \n\n', '1\n', 'event: end\ndata: {}\n\n'])
  expect([release.mock.calls.length, dispose.mock.calls.length]).toEqual([1, 1])
})

test('who watches what no channel funds comes again after a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { feed, tell } = rig(null)
    feed.resume()
    await turn()
    vi.advanceTimersByTime(59_000)
    tell('quiet')
    expect(feed.readableEnded).toBe(false)
    vi.advanceTimersByTime(1_000)
    tell('quiet')
    await turn()
    await turn()
    expect(feed.readableEnded).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('a listener that leaves before it began gives its seat back too', async () => {
  const { feed, release } = rig()
  feed.destroy()
  await turn()
  expect(release).toHaveBeenCalledTimes(1)
})
