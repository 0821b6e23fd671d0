import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createPool, watchDatabase } from '../../src/adapters/postgres/index.ts'
import { createClockGuard } from '../../src/reach.ts'
import { eventually } from '../adapters/rig.ts'
import { startLineToDatabase } from './line-to-database.ts'

const patienceMs = 60_000

async function probe(url: string, path: string): Promise<readonly [number, unknown]> {
  const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(2_000) })
  return [answer.status, await answer.json()]
}

const boundMs = 100

type Probed = { readonly status: number; readonly body: unknown; readonly ownMs: number }

/** A machine that runs something else holds up one answer; one that waits for the database is late again. */
async function timed(url: string, path: string): Promise<Probed> {
  const first = await timedOnce(url, path)
  if (first.ownMs <= boundMs) return first
  const again = await timedOnce(url, path)
  return { ...again, ownMs: Math.min(first.ownMs, again.ownMs) }
}

/**
 * An answer, and how long it took beyond what the event loop itself was late meanwhile. Probe and server share this
 * process, so a machine that runs something else holds both up alike; what the server waits for holds up its answer
 * alone.
 */
async function timedOnce(url: string, path: string): Promise<Probed> {
  const late = monitorEventLoopDelay({ resolution: 1 })
  late.enable()
  const from = performance.now()
  const [status, body] = await probe(url, path)
  const ownMs = performance.now() - from - late.max / 1e6
  late.disable()
  return { status, body, ownMs }
}

test(
  'alarm database_silent: probes are answered within 100 ms while the database is frozen, and say so',
  async () => {
    await using place = await startLineToDatabase()
    const { url: origin } = place.live
    expect(await probe(origin, '/livez')).toEqual([200, { status: 'alive' }])
    await eventually(
      () => probe(origin, '/readyz'),
      ([status]) => status === 200,
      20_000,
    )
    expect(await probe(origin, '/readyz')).toEqual([200, { status: 'ready', reasons: [] }])
    place.line.mute()
    // Before it is noticed, while it is, and for a while after.
    const [alive, ready]: [Probed[], Probed[]] = [[], []]
    const until = performance.now() + 30_000
    const isNoticed = (): boolean => ready.filter(({ status }) => status === 503).length > 20
    while (!isNoticed() && performance.now() < until) {
      alive.push(await timed(origin, '/livez'))
      ready.push(await timed(origin, '/readyz'))
      await pause(50)
    }
    expect(ready.at(-1)).toMatchObject({
      status: 503,
      body: { status: 'not_ready', reasons: ['database_silent'] },
    })
    expect(new Set(alive.map(({ status }) => status))).toEqual(new Set([200]))
    const took = [...alive, ...ready].map(({ ownMs }) => ownMs)
    process.stdout.write(
      `the slowest of ${String(took.length)} probes took ${Math.max(...took).toFixed(1)} ms of its own\n`,
    )
    expect(took.filter((ms) => ms > boundMs)).toEqual([])
  },
  patienceMs,
)

test(
  'a server whose clock is far from the database does no duty, and says so once',
  async () => {
    await using database = await createTestDatabase()
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
      10_000,
    )
    expect(Math.round((watch.seen().clockAheadMs ?? 0) / 10_000)).toBe(60)
    expect(isPaused()).toBe(true)
    aheadMs = 0
    await eventually(
      () => Promise.resolve(isPaused()),
      (paused) => !paused,
      10_000,
    )
    await pause(0)
    expect(said.map((line) => line.split(':')[0])).toEqual(['error', 'info'])
  },
  patienceMs,
)
