import { describe, expect, test } from 'vitest'
import { createAdminDemand, createAdminKeyCheck } from '../../src/dispatch/admin-key.ts'
import { createLimits } from '../../src/dispatch/limits.ts'
import { refused } from './refused.ts'

describe('the admin key', () => {
  test.each([
    ['open', 'open', true],
    ['open', 'shut', false],
    ['open', undefined, false],
    ['', '', false],
    [undefined, '', false],
    [undefined, 'open', false],
  ])('of %j opens to %j: %s', (key, given, opens) => {
    expect(createAdminKeyCheck(key)(given)).toBe(opens)
  })

  test('a route that is no operation counts wrong keys, and not a missing one', () => {
    const limits = createLimits({ anonymousPerMinute: 0, walletPerMinute: 0, publishPerHour: 0 })
    const demand = createAdminDemand({ isAdminKey: (given) => given === 'open', limits, now: () => 0 })
    for (let round = 0; round < 20; round += 1)
      expect(() => {
        demand(undefined, 'here')
      }).toThrow(refused('INVALID_API_KEY', {}))
    for (let round = 0; round < 10; round += 1)
      expect(() => {
        demand('shut', 'here')
      }).toThrow(refused('INVALID_API_KEY', {}))
    expect(() => {
      demand('shut', 'here')
    }).toThrow(refused('RATE_LIMITED'))
    expect(() => {
      demand('open', 'here')
    }).not.toThrow()
  })
})
