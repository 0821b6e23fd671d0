import type { OAuthScope } from '@ergon/contract'

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
