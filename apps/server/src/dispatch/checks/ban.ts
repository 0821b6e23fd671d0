import { MarketError } from '@ergon/core'
import type { Check } from './check.ts'

/** A banned wallet keeps what is its own (decision 0057). @throws WALLET_BLOCKED */
export const ban: Check = ({ gate }, { plan, principal }) => {
  const { access } = plan.operation
  if (principal === null || access.by === 'admin' || access.banned === 'admitted') return
  if (gate.isBanned(principal.wallet)) throw new MarketError('WALLET_BLOCKED')
}
