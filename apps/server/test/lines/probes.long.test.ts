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

test(
  'alarm database_silent: probes are answered while the database is frozen, and say so',
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
    const frozen = await eventually(
      () => probe(origin, '/readyz'),
      ([status]) => status === 503,
      30_000,
    )
    expect(frozen).toMatchObject([503, { status: 'not_ready', reasons: ['database_silent'] }])
    expect(await probe(origin, '/livez')).toEqual([200, { status: 'alive' }])
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
