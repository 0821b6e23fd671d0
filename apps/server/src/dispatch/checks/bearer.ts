import { demandScope } from '../demand-scope.ts'
import type { Check } from './check.ts'

/**
 * What a delegated token may call: where its scopes reach, and never what is for the wallet's own key (spec §5, OAuth
 * 7). Whoever proved themselves otherwise is not asked. @throws bearer_not_allowed, insufficient_scope
 */
export const bearer: Check = (_deps, { plan, principal }) => {
  if (principal?.grant !== undefined) demandScope(principal.grant, plan.operation)
}
