import { demand } from '../limits.ts'
import type { Check } from './check.ts'

/** The budget that the operation spends, beside the limit of requests (spec §8). @throws RATE_LIMITED */
export const budget: Check = ({ limits, now }, { plan, principal, isUnlimited }) => {
  const { spends } = plan.operation
  if (principal !== null && !isUnlimited && spends !== undefined)
    demand(limits[spends].take(principal.wallet, now()), now())
}
