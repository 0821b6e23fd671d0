import type { Principal } from '../dispatch/authenticate.ts'
import type { BearerGrants } from '../dispatch/bearer-grants.ts'
import { tokenOf } from '../dispatch/bearers.ts'
import type { RawRequest } from '../dispatch/request.ts'
import { staysOf, type Stays, type StaysDeps } from './stays.ts'

export type SenderStaysDeps = StaysDeps & {
  /** What tells whether a token is still good, and what tokens have to be for; null while the rail is off. */
  readonly tokens: { readonly grants: Pick<BearerGrants, 'grantOf'>; readonly resource: string } | null
}

/**
 * As `staysOf`, for whoever sent a message of the tool protocol. A token is asked about each time: the answer is kept
 * for half a second where it comes from. One that nobody can look up just now ends nothing before its own end.
 */
export function staysOfSender(
  deps: SenderStaysDeps,
  { principal, request }: { readonly principal: Principal; readonly request: RawRequest },
): Stays {
  const { wallet, via, grant } = principal
  const isLetIn = staysOf(deps, { caller: { kind: 'wallet', wallet, via, agentId: null }, request })
  const { tokens } = deps
  const token = grant === undefined ? undefined : tokenOf(request)
  if (grant === undefined || tokens === null || token === undefined) return isLetIn
  return async () => {
    if (!(await isLetIn()) || deps.now() >= grant.expiresAt) return false
    return tokens.grants.grantOf(token, tokens.resource).then(
      (found) => found !== undefined,
      () => true,
    )
  }
}
