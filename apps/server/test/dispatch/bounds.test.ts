import { expect, test } from 'vitest'
import { createRateLimiter } from '../../src/dispatch/rate-limit.ts'
import { createRefusedSignatures } from '../../src/dispatch/refused-signatures.ts'

/** What a stranger can fill is bounded, and the oldest makes room (spec §8, decision 0090). */

const minuteMs = 60_000
const most = 50_000

test('a counter knows fifty thousand callers, and forgets the one whose time began first', () => {
  const limiter = createRateLimiter(1, minuteMs)
  for (let caller = 0; caller < most; caller += 1) limiter.take(String(caller), 0)
  expect(limiter.take('0', 1).allowed).toBe(false)
  limiter.take('one more', 1)
  expect([limiter.take('1', 1).allowed, limiter.take('0', 1).allowed]).toEqual([false, true])
})

test('whoever comes back when its minute is over counts as the newest', () => {
  const limiter = createRateLimiter(2, minuteMs)
  limiter.take('first', 0)
  limiter.take('second', 1)
  // Within its time it stays where it is; after it, it is the newest.
  limiter.take('second', 2)
  limiter.take('first', minuteMs)
  for (let caller = 0; caller < most - 1; caller += 1) limiter.take(String(caller), minuteMs)
  expect([limiter.peek('first', minuteMs).remaining, limiter.peek('second', minuteMs).remaining]).toEqual([1, 2])
})

test('whoever proved an account is listened to for an hour, and fifty thousand are', () => {
  const refused = createRefusedSignatures(() => 1)
  const claim = (account: string) => ({ ip: '192.0.2.1', account })
  const isKnown = (account: string, now: number): boolean => refused.look(claim(account), now) === null
  refused.proved(claim('first'), 0)
  expect([isKnown('first', 60 * minuteMs - 1), isKnown('first', 60 * minuteMs)]).toEqual([true, false])
  refused.proved(claim('second'), 0)
  // Proven again, it is the newest.
  refused.proved(claim('first'), 1)
  for (let account = 0; account < most - 2; account += 1) refused.proved(claim(String(account)), 1)
  expect([isKnown('first', 2), isKnown('second', 2)]).toEqual([true, true])
  refused.proved(claim('one more'), 1)
  expect([isKnown('first', 2), isKnown('second', 2)]).toEqual([true, false])
})
