import type { RunConfig } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { requireSound, type RunChanges } from './run-config.ts'

const defaults: RunConfig = {
  'bounty.min_usd': 0.01,
  'bounty.max_usd': 100,
  'rates.anonymous_per_minute': 60,
  'rates.wallet_per_minute': 600,
  'rates.publish_per_hour': 100,
  'features.services': true,
  'features.h2a': true,
  'disputes.arbiters': '',
  'networks.closed': '',
  'review.enabled': true,
}

describe('settings of a running service (decision 0058)', () => {
  test('stand beside those that were not changed', () => {
    expect(requireSound(defaults, { 'bounty.max_usd': 20, 'features.h2a': false })).toEqual({
      ...defaults,
      'bounty.max_usd': 20,
      'features.h2a': false,
    })
  })

  const within: readonly (readonly [string, RunChanges])[] = [
    ['the bounds of the deployment', { 'bounty.min_usd': 0.01, 'bounty.max_usd': 100 }],
    ['one amount alone', { 'bounty.min_usd': 50, 'bounty.max_usd': 50 }],
  ]
  test.each(within)('may be %s', (_what, changes) => {
    expect(requireSound(defaults, changes)).toMatchObject(changes)
  })

  test.each([
    ['', '', ''],
    ['localnet', '', 'localnet'],
    ['', 'base', 'base'],
    ['localnet', 'base,localnet', 'localnet,base'],
    ['localnet', '*', '*'],
    ['*', 'base', '*'],
  ])('closed are the networks of the deployment, %j, and those of the admin key, %j', (set, changed, closed) => {
    const config = requireSound({ ...defaults, 'networks.closed': set }, { 'networks.closed': changed })
    expect(config['networks.closed']).toBe(closed)
  })

  const refused: readonly (readonly [string, RunChanges, string])[] = [
    ['a maximum above what the payment mode allows', { 'bounty.max_usd': 100.5 }, 'at most 100'],
    ['a minimum below a cent', { 'bounty.min_usd': 0.001 }, 'at least 0.01'],
    ['a minimum above the maximum', { 'bounty.min_usd': 20, 'bounty.max_usd': 10 }, 'no more than bounty.max_usd'],
    ['more decimals than a stablecoin has', { 'bounty.min_usd': 0.0100001 }, 'at most 6 decimals'],
    ['a number that is written with an exponent', { 'bounty.max_usd': 1e-7 }, 'at most 6 decimals'],
  ]
  test.each(refused)('%s is refused', (_what, changes, constraint) => {
    expect(() => requireSound(defaults, changes)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: expect.objectContaining({ field: 'value', constraint }) as unknown,
      }),
    )
  })
})
