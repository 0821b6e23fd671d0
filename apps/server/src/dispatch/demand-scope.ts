import { bearerNeed, type BearerNeed, type Operation } from '@ergon/contract'
import { MarketError } from '@ergon/core'
import type { BearerGrant } from './bearer-grants.ts'

type Scoped = Pick<BearerGrant, 'scopes'>

/** Whether a token reaches what needs this. */
export function reaches({ scopes }: Scoped, need: BearerNeed): boolean {
  return need === 'token' || (need !== 'refused' && scopes.has(need))
}

/**
 * The words are for a person: not every client asks for a missing scope by itself.
 * @throws bearer_not_allowed, insufficient_scope naming the scope
 */
export function demandScope(grant: Scoped, operation: Pick<Operation, 'access' | 'rest' | 'resend'>): void {
  const need = bearerNeed(operation)
  if (reaches(grant, need)) return
  if (need === 'refused' || need === 'token') throw new MarketError('bearer_not_allowed')
  throw new MarketError(
    'insufficient_scope',
    { scope: need, held: [...grant.scopes] },
    { message: `This tool was not allowed ${need}. Reconnect it and allow ${need}; what it may do already stays.` },
  )
}
