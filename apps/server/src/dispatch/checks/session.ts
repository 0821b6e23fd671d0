import { MarketError } from '@ergon/core'
import type { Check } from './check.ts'

/** What is for people takes no signature instead (decision 0048). @throws SESSION_REQUIRED */
export const session: Check = (_deps, { plan, principal }) => {
  if (principal !== null && plan.operation.access.by === 'session' && principal.via !== 'session')
    throw new MarketError('SESSION_REQUIRED')
}
