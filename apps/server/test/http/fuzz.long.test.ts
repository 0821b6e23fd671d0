import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes, startFuzz, titleOf, type Fuzz } from './fuzz-scene.ts'
import type { Known } from './schema-arbitrary.ts'
import { junk } from './schema-arbitrary.ts'

/**
 * Requests that change something, made from the schemas themselves, good and bad: no answer is a fault, and each is one
 * the contract names. With fuzz-reads.long.test.ts and fuzz-admin.long.test.ts at least 20,000 over all routes.
 */
let run: Fuzz
let known: Known = {}
beforeAll(async () => {
  run = await startFuzz()
})
afterAll(async () => {
  await run[Symbol.asyncDispose]()
})

const writes = routes.filter(({ binding }) => binding.method !== 'GET').map((route) => [titleOf(route), route] as const)

describe('every operation that changes something, from its own schema', () => {
  test.each(writes)('%s', async (_title, route) => {
    known = await run.freshScene()
    await run.fuzz(route, known)
  })
})

describe('every operation that takes a body, from no schema at all', () => {
  const bodies = fc
    .oneof(
      junk.map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '{',
        '{"a":1e999}',
        '{"a":-0}',
        '[]',
        'null',
        `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
        `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
        '{"\\u0000":1}',
        '{"a":"\\ud800"}',
        '\ufeff{}',
        `{"a":${'9'.repeat(5_000)}}`,
      ),
    )
    .filter((body): body is string => body !== undefined && body !== '')
  test.each(writes.filter(([, { binding }]) => binding.method !== 'DELETE'))('%s', async (_title, route) => {
    await fc.assert(
      fc.asyncProperty(bodies, (body) => run.raw(route, known, body)),
      { numRuns: Math.ceil(run.runs / 6), seed: run.seed },
    )
  })
})

test('after all of it the books balance and nothing waits', async () => {
  expect(run.requests).toBeGreaterThanOrEqual(writes.length * run.runs)
  // Most are well made: a fuzz that is turned away at the door finds nothing behind it.
  expect(run.answers.get('ok') ?? 0).toBeGreaterThan(run.requests / 10)
  expect(run.answers.get('RATE_LIMITED') ?? 0).toBeLessThan(run.requests / 20)
  process.stdout.write(
    `fuzz: ${String(run.requests)} writes; ${[...run.answers]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 6)
      .map(([code, count]) => `${code} ${String(count)}`)
      .join(', ')}; seed ${String(run.seed)}\n`,
  )
  expect((await run.market.get('/api/v1/health/payments')).body).toMatchObject({ ledger_balanced: true, in_doubt: 0 })
})
