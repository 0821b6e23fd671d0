import { expect, test } from 'vitest'
import { ErgonError } from '../src/index.ts'
import { defaultRetryPolicy, nextDelayMs, type RetryPolicy } from '../src/retry.ts'

type Told = { status?: number; code?: string; retryable?: boolean; retryAfterSec?: number }
const error = ({ status = 503, code = 'X', retryable = true, retryAfterSec }: Told = {}): ErgonError =>
  new ErgonError({
    status,
    code,
    message: '',
    retryable,
    recovery: '',
    ...(retryAfterSec === undefined ? {} : { retryAfterSec }),
  })
const policy: RetryPolicy = { attempts: 4, firstDelayMs: 100, maxDelayMs: 350 }
const delay = (told: Told = {}, attempt = 1, isRepeatable = true): number | undefined =>
  nextDelayMs(error(told), attempt, isRepeatable, policy)

test('each attempt waits twice as long as the one before, up to the most, and there are so many', () => {
  expect([1, 2, 3, 4].map((attempt) => delay({}, attempt))).toEqual([100, 200, 350, undefined])
  expect(nextDelayMs(error(), 1, true, { ...policy, attempts: 1 })).toBeUndefined()
  expect(defaultRetryPolicy).toEqual({ attempts: 5, firstDelayMs: 250, maxDelayMs: 10_000 })
})

test('what the service asks for is waited for, unless it is more than the most', () => {
  expect(delay({ retryAfterSec: 0.3 })).toBe(300)
  expect(delay({ retryAfterSec: 0.35 })).toBe(350)
  expect(delay({ retryAfterSec: 0.351 })).toBeUndefined()
  expect(delay({ retryAfterSec: 0.05 })).toBe(100)
})

test('what cannot pass by itself is not asked for again', () => {
  expect(delay({ retryable: false })).toBeUndefined()
  for (const status of [0, 500, 503]) expect(delay({ status })).toBe(100)
  for (const status of [400, 402, 499]) expect(delay({ status })).toBeUndefined()
  expect(delay({ status: 429, retryAfterSec: 0 })).toBe(100)
  for (const code of ['NETWORK_MISMATCH', 'TX_HASH_MISSING']) expect(delay({ code })).toBeUndefined()
})

test('a call that would do a thing twice is sent again only where nothing was looked at', () => {
  expect(delay({}, 1, false)).toBeUndefined()
  for (const code of ['RATE_LIMITED', 'SERVICE_BUSY', 'nonce_store_unavailable', 'identity_check_unavailable'])
    expect(delay({ code }, 1, false)).toBe(100)
})

test('a copy that was sent on the way is asked about under a new signature, where that doubles nothing', () => {
  const copy = { status: 401, code: 'SIGNATURE_REPLAYED', retryable: false }
  expect([1, 3, 4].map((attempt) => delay(copy, attempt))).toEqual([100, 100, undefined])
  expect(delay(copy, 1, false)).toBeUndefined()
})
