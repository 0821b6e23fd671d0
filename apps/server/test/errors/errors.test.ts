import { errorCatalogue, errorNames, type ErrorCode } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBench, type Bench } from './bench.ts'
import said from './producer-lines.json' with { type: 'json' }
import { producers, unproduced, type Producers } from './producers.ts'

/**
 * Every code of the catalogue is answered to a real request, in both envelopes, as docs/reference/errors.md says (spec
 * §7).
 */
let bench: Bench
beforeAll(async () => {
  bench = await openBench()
}, 60_000)
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

/** What each request is; the reference page prints it. A missing one does not compile. */
const lines: Readonly<Record<ErrorCode, string>> = said

test.each((Object.keys(producers) as (keyof Producers)[]).map((code) => [code, lines[code]] as const))(
  '%s: %s',
  async (code) => {
    const { status, body } = await producers[code](bench)
    const entry = errorCatalogue[code]
    expect([status, body.code], JSON.stringify(body)).toEqual([entry.status, code])
    expect(body).toMatchObject({
      error: errorNames[entry.status],
      message: expect.stringMatching(/./) as string,
      request_id: expect.stringMatching(/./) as string,
    })
    expect(body.detail).toMatchObject({
      code,
      retryable: entry.retryable,
      message: body.message,
      recovery: expect.stringMatching(/./) as string,
    })
  },
  30_000,
)

test('the table has one line for each code, and says of those without a request why there is none', () => {
  expect(Object.keys(said).sort()).toEqual(Object.keys(errorCatalogue).sort())
  expect(
    Object.entries(said)
      .filter(([, line]) => line.startsWith('None: '))
      .map(([code]) => code)
      .sort(),
  ).toEqual([...unproduced].sort())
})

test('after all of it the database is whole', async () => {
  expect((await bench.market.get('/api/v1/tasks')).status).toBe(200)
  expect((await bench.market.get('/api/v1/health')).body).toMatchObject({ status: 'healthy' })
})
