import { takesUnsigned } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import { headerOf } from '../plan.ts'
import type { Check } from './check.ts'

/**
 * Whether the operation is open to nobody in particular, to a wallet, to a person or to the admin.
 * @throws INVALID_API_KEY, UNAUTHORIZED, SIGNATURE_REQUIRED, SESSION_REQUIRED
 */
export const admission: Check = ({ isAdminKey }, { plan, request, principal, isAdmin }) => {
  const { access } = plan.operation
  // Asked anew: a call inside another comes past the check of its key.
  if (access.by === 'admin' && !isAdminKey(headerOf(request, 'x-admin-key'))) throw new MarketError('INVALID_API_KEY')
  if (principal !== null || isAdmin) return
  if (access.by === 'session') throw new MarketError('SESSION_REQUIRED')
  if (access.by === 'wallet' && !takesUnsigned(access))
    throw new MarketError(access.unsigned === 401 ? 'UNAUTHORIZED' : 'SIGNATURE_REQUIRED')
}
