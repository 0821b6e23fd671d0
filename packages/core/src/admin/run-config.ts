import type { RunConfig, RunConfigKey } from '@ergon/contract'
import { closedNames, everyNetwork } from '@ergon/contract/facts'
import { MarketError } from '../errors.ts'
import { parseUsd } from '../money/amount.ts'
import { usDollar } from '../listings/listing.ts'

/** What was changed while the service ran; the rest is as the deployment set it. */
export type RunChanges = { readonly [K in RunConfigKey]?: RunConfig[K] }

/**
 * Holds a changed setting to the others. The bounds of bounties only narrow: what the deployment allows is the most
 * there is, because the payment mode and the escrow set it. @throws VALIDATION_FAILED
 */
export function requireSound(defaults: RunConfig, changes: RunChanges): RunConfig {
  const config = { ...defaults, ...changes, 'networks.closed': closedIn(defaults, changes) }
  const [min, max] = [dollars('bounty.min_usd', config), dollars('bounty.max_usd', config)]
  if (min < dollars('bounty.min_usd', defaults))
    throw unsound('bounty.min_usd', `at least ${String(defaults['bounty.min_usd'])}`, config)
  if (max > dollars('bounty.max_usd', defaults))
    throw unsound('bounty.max_usd', `at most ${String(defaults['bounty.max_usd'])}`, config)
  if (min > max) throw unsound('bounty.min_usd', 'no more than bounty.max_usd', config)
  return config
}

/**
 * Closed are the networks that the deployment closed and those that were closed while the service ran
 * (decision 0299): neither opens what the other closed.
 */
export function closedIn(defaults: RunConfig, changes: RunChanges): string {
  const names = new Set([...closedNames(defaults['networks.closed']), ...closedNames(changes['networks.closed'] ?? '')])
  return names.has(everyNetwork) ? everyNetwork : [...names].join(',')
}

function dollars(key: 'bounty.min_usd' | 'bounty.max_usd', config: RunConfig): bigint {
  try {
    return parseUsd(String(config[key]), usDollar).atomic
  } catch (cause) {
    throw new MarketError(
      'VALIDATION_FAILED',
      { field: 'value', constraint: 'at most 6 decimals', received: String(config[key]) },
      { cause },
    )
  }
}

function unsound(key: RunConfigKey, constraint: string, config: RunConfig): MarketError {
  return new MarketError('VALIDATION_FAILED', { field: 'value', key, constraint, received: String(config[key]) })
}
