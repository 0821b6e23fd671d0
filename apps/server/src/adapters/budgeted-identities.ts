import { MarketError, type IdentityRegistry } from '@ergon/core'
import type { Spent } from './postgres/day-counts.ts'
import type { RegistrationBudget } from './postgres/registration-budget.ts'

/**
 * The registry, which registers only as many as this deployment pays for (decision 0092). @throws RATE_LIMITED,
 * GAS_BUDGET_SPENT
 */
export function budgetedIdentities(
  registry: IdentityRegistry,
  budget: Pick<RegistrationBudget, 'take'>,
): IdentityRegistry {
  return {
    ...registry,
    async register(order) {
      const spent = await budget.take(order)
      if (spent !== null) throw refusalOf(spent)
      return registry.register(order)
    },
  }
}

function refusalOf({ by, limit, reset, secondsLeft }: Spent): MarketError {
  const details = { limit, remaining: 0, reset_at: reset.toISOString(), retry_after_sec: secondsLeft }
  if (by === 'all') return new MarketError('GAS_BUDGET_SPENT', details)
  if (by === 'newcomers')
    return new MarketError('GAS_BUDGET_SPENT', details, {
      message: 'As many wallets without paid work were registered as this deployment pays for by now.',
    })
  return new MarketError('RATE_LIMITED', details, {
    message: `Too many identities were registered from this ${by} today.`,
  })
}
