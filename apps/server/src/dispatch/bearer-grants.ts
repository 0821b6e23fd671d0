import type { OAuthScope } from '@ergon/contract'
import type { AuthorizationServer, Notes } from '@ergon/oauth'

/** What a bearer token was proven to carry: the wallet stays the identity (spec §5, OAuth). */
export type BearerGrant = {
  readonly grantId: string
  readonly clientId: string
  /** The wallet, lower case, and the CAIP-10 account of `sub`. */
  readonly wallet: `0x${string}`
  readonly account: string
  readonly scopes: ReadonlySet<OAuthScope>
  /** Consented limits of `agent:approve`: cents of a USD and a count; null where the token carries none. */
  readonly approval: { readonly maxCents: bigint; readonly maxCount: number } | null
  readonly expiresAt: Date
}

/** Undefined for every token that is not good now for this resource: expired, forged, revoked, another audience. */
export type BearerGrants = {
  readonly grantOf: (token: string, resource: string) => Promise<BearerGrant | undefined>
  /** A call was refused for want of a scope; its owner is told. Returns at once. */
  readonly missed?: (grant: Pick<BearerGrant, 'grantId'>, scope: string) => void
}

/** What is noted of grants beside a call, without a write for each. */
export type GrantNotes = {
  readonly uses: Notes<string>
  readonly steps: Notes<{ readonly grantId: string; readonly scope: string }>
}

/** What a token carries, in the words of the gate; that it was used is noted. */
export function createBearerGrants(
  { live }: Pick<AuthorizationServer, 'live'>,
  { uses, steps }: GrantNotes,
): BearerGrants {
  return {
    async grantOf(token, resource) {
      const claims = await live.read(token, resource)
      if (claims === undefined) return undefined
      const { grantId, clientId, address, account, scopes, limits, expiresAt } = claims
      uses.note(grantId, grantId)
      const carried = new Set(scopes as readonly OAuthScope[]) // our own rules let no other word into a token
      return { grantId, clientId, wallet: address, account, scopes: carried, approval: limits, expiresAt }
    },
    missed({ grantId }, scope) {
      steps.note(`${grantId} ${scope}`, { grantId, scope })
    },
  }
}
