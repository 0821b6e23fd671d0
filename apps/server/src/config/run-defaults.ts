import { limits, type RunConfig } from '@ergon/contract'
import type { MarketSettings } from '@ergon/core'
import type { Config } from './config.ts'

/** Without a setting, and until the admin key changes it. */
export const usualRates = { anonymousPerMinute: 60, walletPerMinute: 600, publishPerHour: 100 } as const

/** What is in force until the admin key changes it (decision 0058). */
export function runDefaults({
  paymentMode,
  rates,
  arbiters,
  closedNetworks,
}: Pick<Config, 'paymentMode' | 'rates' | 'arbiters' | 'closedNetworks'>): RunConfig {
  return {
    'bounty.min_usd': limits.bountyMinUsd,
    'bounty.max_usd': paymentMode === 'fase1' ? limits.bountyMaxUsd : limits.escrowBountyMaxUsd,
    'rates.anonymous_per_minute': rates.anonymousPerMinute,
    'rates.wallet_per_minute': rates.walletPerMinute,
    'rates.publish_per_hour': rates.publishPerHour,
    'features.services': true,
    'features.h2a': true,
    'disputes.arbiters': arbiters.join(','),
    'networks.closed': closedNetworks.join(','),
    'review.enabled': true,
  }
}

const settingOf = {
  'rates.anonymous_per_minute': ['SVC_RATE_ANON_PER_MIN', usualRates.anonymousPerMinute],
  'rates.wallet_per_minute': ['SVC_RATE_WALLET_PER_MIN', usualRates.walletPerMinute],
  'rates.publish_per_hour': ['SVC_PUBLISH_PER_HOUR', usualRates.publishPerHour],
  'disputes.arbiters': ['SVC_ARBITERS', ''],
} as const

/** Settings of the environment that say something else than what is in force: the admin key has changed it. */
export function replacedSettings(
  defaults: RunConfig,
  inForce: RunConfig,
): readonly { readonly setting: string; readonly key: string }[] {
  return Object.entries(settingOf).flatMap(([key, [setting, usual]]) => {
    const known = key as keyof typeof settingOf // the keys of that table
    return defaults[known] === usual || defaults[known] === inForce[known] ? [] : [{ setting, key }]
  })
}

/** Who may rule on disputes, as the domain reads them. */
export function arbitersOf(config: RunConfig): readonly string[] {
  const listed = config['disputes.arbiters']
  return listed === '' ? [] : listed.split(',')
}

/**
 * The bounds of a bounty as the domain reads them; the payment mode picks its maximum, and both are the same one here.
 */
export function boundsOf(config: RunConfig): MarketSettings['bounds'] {
  const max = String(config['bounty.max_usd'])
  return { min: String(config['bounty.min_usd']), escrowMax: max, max }
}
