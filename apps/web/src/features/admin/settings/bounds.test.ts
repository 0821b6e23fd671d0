import { describe, expect, test } from 'vitest'
import { runConfigKeys } from '@ergon/contract'
import { boundsOf, readNumber, type RunSetting } from './bounds.ts'

const setting = (key: RunSetting['key'], value: number, byDefault: number): RunSetting => ({
  key,
  value,
  default: byDefault,
  changed: value !== byDefault,
  says: '',
})
const settings = [setting('bounty.min_usd', 2, 0.01), setting('bounty.max_usd', 50, 100)]

describe('the bounds of a setting', () => {
  test('of bounties are between the other bound in force and what the deployment set', () => {
    expect(boundsOf('bounty.min_usd', settings)).toEqual({ min: 0.01, max: 50 })
    expect(boundsOf('bounty.max_usd', settings)).toEqual({ min: 2, max: 100 })
  })

  test('of rates are those of the contract, and what is on or off has none', () => {
    expect(boundsOf('rates.wallet_per_minute', settings)).toEqual({ min: 0, max: 1_000_000 })
    expect(runConfigKeys.filter((key) => boundsOf(key, settings) === undefined)).toEqual([
      'features.services',
      'features.h2a',
      'disputes.arbiters',
      'networks.closed',
      'review.enabled',
    ])
  })

  test.each([
    ['rates.publish_per_hour', '0', { value: 0 }],
    ['rates.publish_per_hour', '1.5', { fault: 'whole' }],
    ['rates.publish_per_hour', '1000001', { fault: { rule: 'too_large', limit: 1_000_000 } }],
    ['bounty.max_usd', ' 7,25 ', { value: 7.25 }],
    ['bounty.max_usd', '1', { fault: { rule: 'too_small', limit: 2 } }],
    ['bounty.max_usd', '100.01', { fault: { rule: 'too_large', limit: 100 } }],
    ['bounty.max_usd', '3.0000001', { fault: 'decimals' }],
    ['bounty.max_usd', '', { fault: 'noNumber' }],
    ['bounty.max_usd', '1e1', { fault: 'noNumber' }],
    ['bounty.max_usd', '-3', { fault: 'noNumber' }],
    ['bounty.max_usd', '1.000', { fault: 'noNumber' }],
    ['rates.publish_per_hour', '1,000', { value: 1_000 }],
  ] as const)('%s typed as %j is read as %j', (key, typed, read) => {
    expect(readNumber(key, typed, boundsOf(key, settings) ?? { min: 0, max: 0 }, 'en')).toEqual(read)
  })
})
