import { MarketError } from '@ergon/core'
import { demand } from '../limits.ts'
import { headerOf } from '../plan.ts'
import type { Check } from './check.ts'

/**
 * Notes the admin key: it is unlimited on every route (spec §8), and opens those that say so. A wrong one is refused
 * everywhere, because an answer that only lacks its limits would tell right from wrong.
 * @throws INVALID_API_KEY, and RATE_LIMITED to whoever guesses
 */
export const adminKey: Check = ({ isAdminKey, limits, now }, passage) => {
  const { plan, request, isInner } = passage
  const given = isInner ? undefined : headerOf(request, 'x-admin-key')
  if (given === undefined) return
  if (!isAdminKey(given)) {
    demand(limits.adminKeys.take(request.ip, now()), now())
    throw new MarketError('INVALID_API_KEY')
  }
  const { access } = plan.operation
  passage.isUnlimited = true
  passage.isAdmin = access.by === 'admin' || (access.by === 'wallet' && access.admin === true)
}
