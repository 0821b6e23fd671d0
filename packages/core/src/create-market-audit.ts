import type { MarketDeps } from './flows/deps.ts'
import { giveRating, ratingGiven } from './flows/give-rating.ts'
import { ratingSubmitted } from './flows/rate.ts'
import { correlationOf } from './reputation/correlation.ts'
import { lagOf } from './audit/chain-lag.ts'
import type { AuditMarket } from './market-audit.ts'

/** The part of the market that looks at its own books. */
export function createMarketAudit(deps: MarketDeps): AuditMarket {
  return {
    async chainLags() {
      const followings = await deps.store.followings()
      return followings.map(lagOf)
    },
    moneyFindings: () => deps.store.moneyFindings(),
    unresolvedFindings: (limit) => deps.store.unresolvedFindings(limit),
    giveRating: (caller, input) => giveRating(deps, caller, input),
    ratingGiven: (caller, taskId, direction) => ratingGiven(deps, caller, taskId, direction),
    ratingSubmitted: (caller, input) => ratingSubmitted(deps, caller, input),
    async correlations(caller, executorIds) {
      if (caller.kind !== 'wallet' || executorIds.length === 0) return new Map()
      const facts = await deps.store.correlations(executorIds, caller.wallet)
      return new Map(
        executorIds.flatMap((id) => {
          const correlation = correlationOf(facts.get(id))
          return correlation === null ? [] : [[id, correlation] as const]
        }),
      )
    },
  }
}
