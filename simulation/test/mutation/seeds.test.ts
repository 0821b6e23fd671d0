import { loadFastKeccak } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { keepPlatform } from '../../src/machine/close-platform.ts'
import { runSeeds } from '../../src/run/drive.ts'
import { openMarketWorld } from '../../src/run/market-world.ts'

/** The rules of the simulation over a few seeds: what tries mutants of the flows, for it costs milliseconds a seed. */
const kept = keepPlatform()
await loadFastKeccak()

function* range(from: number, to: number): Generator<number> {
  for (let seed = from; seed <= to; seed += 1) yield seed
}

test.each([
  [1, 3],
  [4, 12],
  [13, 30],
  [31, 60],
  [61, 400],
])('no rule is broken in the seeds %i to %i', async (from, to) => {
  const { failures } = await runSeeds(range(from, to), openMarketWorld, kept, { maxFailures: 1 })
  expect(failures.map(({ seed, violation }) => ({ seed, violation }))).toEqual([])
})
