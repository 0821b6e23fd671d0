import { disabledFeatures, errorCatalogue, errorNames, runSettings, type ErrorCode } from '@ergon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../dispatch/send.ts'
import { aTask } from '../http/live-market.ts'
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
})
afterAll(async () => {
  await bench[Symbol.asyncDispose]()
})

/** What each request is; the reference page prints it. A missing one does not compile. */
const lines: Readonly<Record<ErrorCode, string>> = said

test.each((Object.keys(producers) as (keyof Producers)[]).map((code) => [code, lines[code]] as const))(
  '%s: %s',
  async (code) => {
    const reply = await producers[code](bench)
    const { status, body } = reply
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
    holdToTheLetter(code, reply)
  },
)

const anIsoTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string
const aNumber = expect.any(Number) as number

/** What the specification promises of a status or a code (spec §7), whichever request brings it about. */
function holdToTheLetter(code: ErrorCode, { status, body, headers }: Reply): void {
  const entry = errorCatalogue[code]
  if (status === 402) {
    const asked = { network: expect.stringMatching(/./) as string, required_usdc: aNumber }
    expect(body.detail).toMatchObject(asked)
    expect(body.details).toMatchObject(asked)
  }
  if (status === 429 && code !== 'LISTING_CAP_REACHED') {
    expect(body.details).toMatchObject({ remaining: aNumber, reset_at: anIsoTime })
    if (code === 'RATE_LIMITED') expect(body.details).toMatchObject({ limit: aNumber })
    expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/)
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
  }
  // Waiting is offered only where an identical resend can help.
  if (headers['retry-after'] !== undefined) expect(entry.retryable).toBe(true)
  if (code === 'LISTING_CAP_REACHED') expect(headers['retry-after']).toBeUndefined()
  if (code === 'UNKNOWN_FIELD')
    expect(body.details).toEqual({ fields: ['bounty'], did_you_mean: ['bounty_usd'], missing: [] })
  if (code === 'FEATURE_DISABLED' || code === 'NOT_WIRED')
    expect(body.detail?.['recovery']).toContain('GET /api/v1/config')
}

test.each([
  [0.001, 'minimum'],
  [1_000_000_000, 'maximum'],
  [5.1234567, 'decimals'],
  [0, 'minimum'],
  [-1, 'minimum'],
])(
  'INVALID_BOUNTY for %d names constraint, field, min and received, with the same types',
  async (bounty, constraint) => {
    const ways = [
      bench.publisher.call('POST', '/api/v1/tasks', aTask({ bounty_usd: bounty })),
      bench.publisher.call(
        'POST',
        '/api/v1/tasks',
        JSON.stringify(aTask()).replace(/"bounty_usd":[\d.]+/, `"bounty_usd":${String(bounty)}`),
      ),
    ]
    for (const { status, body } of await Promise.all(ways)) {
      expect([status, body.code]).toEqual([422, 'INVALID_BOUNTY'])
      expect(body.details).toEqual({
        constraint,
        field: 'bounty_usd',
        min: 0.01,
        received: bounty,
        ...(constraint === 'maximum' ? { max: aNumber } : {}),
      })
    }
  },
)

test('/config lists every feature that a deployment may go without', async () => {
  const { body } = await bench.market.get('/api/v1/config')
  const listed = Object.keys(body['features'] as object).sort()
  const switched = Object.keys(runSettings).flatMap((key) => (key.startsWith('features.') ? key.slice(9) : []))
  expect(listed).toEqual([...Object.keys(disabledFeatures), ...switched].sort())
})

test('the table has one line for each code, and says about those without a request why there is none', () => {
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
