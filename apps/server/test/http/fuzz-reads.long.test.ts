import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes, startFuzz, titleOf, type Fuzz } from './fuzz-scene.ts'
import type { Known } from './schema-arbitrary.ts'

/** Requests that read, made from the schemas themselves, good and bad; fuzz.long.test.ts sends those that write. */
let run: Fuzz
let known: Known
beforeAll(async () => {
  run = await startFuzz()
  known = await run.freshScene()
})
afterAll(async () => {
  await run[Symbol.asyncDispose]()
})

const reads = routes.filter(({ binding }) => binding.method === 'GET').map((route) => [titleOf(route), route] as const)

test.each(reads)('%s', async (_title, route) => {
  await run.fuzz(route, known)
})

test('as many were sent as were to be sent', () => {
  expect(run.requests).toBeGreaterThanOrEqual(reads.length * run.runs)
  // Most are well made: a fuzz that is turned away at the door finds nothing behind it.
  expect(run.answers.get('ok') ?? 0).toBeGreaterThan(run.requests / 10)
  expect(run.answers.get('RATE_LIMITED') ?? 0).toBeLessThan(run.requests / 20)
  process.stdout.write(
    `fuzz: ${String(run.requests)} reads; ${[...run.answers]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 6)
      .map(([code, count]) => `${code} ${String(count)}`)
      .join(', ')}; seed ${String(run.seed)}\n`,
  )
})
