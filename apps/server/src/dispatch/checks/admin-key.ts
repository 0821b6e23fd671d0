import { MarketError } from '@ergon/core'
import { demand } from '../limits.ts'
import { headerOf } from '../plan.ts'
import type { Check } from './check.ts'

/**
 * Notes the admin key where one opens the operation. @throws INVALID_API_KEY, and RATE_LIMITED to whoever guesses
 */
export const adminKey: Check = ({ isAdminKey, limits, now }, passage) => {
  const { plan, request, isInner } = passage
  const { access } = plan.operation
  if (isInner || (access.by !== 'admin' && !(access.by === 'wallet' && access.admin === true))) return
  const given = headerOf(request, 'x-admin-key')
  if (given === undefined) return
  passage.isAdmin = isAdminKey(given)
  if (passage.isAdmin) return
  demand(limits.adminKeys.take(request.ip, now()), now())
  throw new MarketError('INVALID_API_KEY')
}
