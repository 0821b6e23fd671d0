import { expect, test } from 'vitest'
import { createCrowdLimiter } from '../../src/dispatch/crowd-limiter.ts'
import { createOpenStreams } from '../../src/events/open-streams.ts'
import { createAddressSeats } from '../../src/dispatch/seats.ts'
import { createOAuthLimits } from '../../src/transports/oauth/oauth-limits.ts'

/** A crowd of addresses, each within its own limit, before what one process counts in all (decision 0317). */
const everywhere = (index: number): string => `${String(1 + (index % 200))}.7.${String(Math.floor(index / 200))}.1`
const ofIpv6 = (index: number): string => `2001:db8:${index.toString(16)}:1`
const allowed = (many: number, take: (index: number) => boolean): number =>
  Array.from({ length: many }, (_, index) => take(index)).filter(Boolean).length

test('a crowd out of one network leaves most of a minute to others', () => {
  const limiter = createCrowdLimiter({ ofAddress: 20, inAll: 400 }, { windowMs: 60_000, kept: 0 })
  expect(allowed(1_000, (index) => limiter.take(ofIpv6(index), 0).allowed)).toBe(100)
  expect(limiter.take('203.0.113.7', 0).allowed).toBe(true)
})

test('while half is used an address that had a few waits, and one that had none does not', () => {
  const limiter = createCrowdLimiter({ ofAddress: 60, inAll: 400 }, { windowMs: 60_000, kept: 0 })
  expect(allowed(20, () => limiter.take('203.0.113.7', 0).allowed)).toBe(20)
  expect(allowed(180, (index) => limiter.take(everywhere(index), 0).allowed)).toBe(180)
  expect(limiter.take('203.0.113.7', 0)).toMatchObject({ allowed: false, resetAt: 60_000 })
  expect(limiter.take('250.1.1.1', 0).allowed).toBe(true)
  // The next minute begins anew.
  expect(limiter.take('203.0.113.7', 60_000).allowed).toBe(true)
})

test('a quarter is kept for who proved itself, and what has no limit lets everybody pass', () => {
  const limiter = createCrowdLimiter({ ofAddress: 60, inAll: 400 }, { windowMs: 60_000, kept: 1 / 4 })
  expect(allowed(1_000, (index) => limiter.take(everywhere(index), 0).allowed)).toBe(300)
  expect(limiter.take('250.1.1.1', 0).allowed).toBe(false)
  expect(allowed(60, () => limiter.takeProven('250.1.1.1', 0).allowed)).toBe(60)
  const open = createCrowdLimiter({ ofAddress: 1, inAll: 40 }, { windowMs: 60_000, kept: 0, isLimited: () => false })
  expect(allowed(500, (index) => open.take(everywhere(index), 0).allowed)).toBe(500)
})

test('hosts that were given tokens renew them beside a crowd that asks for some', () => {
  const limits = createOAuthLimits(() => true)
  limits.noteProven('250.1.1.1', 0)
  expect(allowed(20_000, (index) => limits.take('token', everywhere(index), 0) === 0)).toBe(9_000)
  expect(limits.take('token', '250.1.1.2', 0)).toBeGreaterThan(0)
  expect(allowed(600, () => limits.take('token', '250.1.1.1', 0) === 0)).toBe(600)
  // A day later it is one of all again.
  expect(allowed(20_000, (index) => limits.take('token', everywhere(index), 86_400_000) === 0)).toBe(9_000)
  expect(limits.take('token', '250.1.1.1', 86_400_000)).toBeGreaterThan(0)
})

test.each([
  ['streams', (ip: string, key: string) => streams.take({ key, request: { ip } })],
  ['sockets', (ip: string) => sockets.take(ip)],
])('a crowd out of one network does not hold all %s, and few addresses hold no more than half', (_kind, take) => {
  const held: (() => void)[] = []
  const takes = (ip: string, index: number): boolean => {
    try {
      held.push(take(ip, `wallet ${String(index)}`))
      return true
    } catch {
      return false
    }
  }
  // Of a /32 half, of a /16 no more than its addresses may while half is held.
  expect(allowed(400, (index) => takes(ofIpv6(index), index))).toBe(100)
  expect(allowed(30, (index) => takes('203.0.113.7', index))).toBe(4)
  expect(takes('198.51.100.1', 1_000)).toBe(true)
  for (const release of held) release()
  expect(allowed(60, (index) => takes('203.0.113.7', index))).toBe(40)
  for (const release of held) release()
})
const streams = createOpenStreams({ each: 5, perAddress: 40, inAll: 200 })
const sockets = createAddressSeats(200, 40)
