import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase, ownTime, type Timed } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createPool, watchDatabase } from '../../src/adapters/postgres/index.ts'
import { createClockGuard } from '../../src/reach.ts'
import { eventually } from '../adapters/rig.ts'
import { startLineToDatabase } from './line-to-database.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

type Probed = readonly [status: number, body: unknown]

async function probe(url: string, path: string): Promise<Probed> {
  const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(20_000) })
  return [answer.status, await answer.json()]
}

const boundMs = 100

/** What the server waits for holds up one answer, and the next one as well. */
async function timed(url: string, path: string): Promise<Timed<Probed>> {
  const first = await ownTime(() => probe(url, path))
  if (first.ownMs <= boundMs) return first
  const again = await ownTime(() => probe(url, path))
  return { ...again, ownMs: Math.min(first.ownMs, again.ownMs) }
}

test('alarm database_silent: probes are answered within 100 ms while the database is frozen, and say so', async () => {
  await using place = await startLineToDatabase()
  const { url: origin } = place.live
  expect(await probe(origin, '/livez')).toEqual([200, { status: 'alive' }])
  await eventually(
    () => probe(origin, '/readyz'),
    ([status]) => status === 200,
  )
  expect(await probe(origin, '/readyz')).toEqual([200, { status: 'ready', reasons: [] }])
  place.line.mute()
  // Before it is noticed, while it is, and for a while after.
  const [alive, ready]: [Timed<Probed>[], Timed<Probed>[]] = [[], []]
  const until = performance.now() + 60_000
  const isNoticed = (): boolean => ready.filter(({ value: [status] }) => status === 503).length > 20
  while (!isNoticed() && performance.now() < until) {
    alive.push(await timed(origin, '/livez'))
    ready.push(await timed(origin, '/readyz'))
    await pause(50)
  }
  // Two seconds later events are late as well.
  const reasons = expect.arrayContaining(['database_silent']) as unknown
  expect(ready.at(-1)?.value).toEqual([503, { status: 'not_ready', reasons }])
  expect(new Set(alive.map(({ value: [status] }) => status))).toEqual(new Set([200]))
  const took = [...alive, ...ready].map(({ ownMs }) => ownMs)
  process.stdout.write(
    `the slowest of ${String(took.length)} probes took ${Math.max(...took).toFixed(1)} ms of its own\n`,
  )
  expect(took.filter((ms) => ms > boundMs)).toEqual([])
})

test('a server whose clock is far from the database does no duty, and says so once', async () => {
  await using database = await createTestDatabase(serverSchema)
  const pool = createPool(database.url)
  onTestFinished(() => pool.end())
  let aheadMs = 600_000
  using watch = watchDatabase(pool, { clock: () => Date.now() + aheadMs })
  const said: string[] = []
  const isPaused = createClockGuard(watch, {
    error: (_facts: unknown, text?: string) => said.push(`error: ${text ?? ''}`),
    info: (_facts: unknown, text?: string) => said.push(`info: ${text ?? ''}`),
  } as never) // the two of a logger that are used
  await eventually(
    () => Promise.resolve(isPaused()),
    (paused) => paused,
  )
  expect(Math.round((watch.seen().clockAheadMs ?? 0) / 10_000)).toBe(60)
  expect(isPaused()).toBe(true)
  aheadMs = 0
  await eventually(
    () => Promise.resolve(isPaused()),
    (paused) => !paused,
  )
  await pause(0)
  expect(said.map((line) => line.split(':')[0])).toEqual(['error', 'info'])
})
