import type { AccountProof } from './identity/account-proof.ts'

/**
 * Who is asking. `agentId` is the caller's ERC-8004 id on the deployment's identity network, where the operation asks
 * for it and it is known.
 */
export type Anonymous = { readonly kind: 'anonymous' }
/**
 * What a wallet let a tool do that holds a token of it (spec §5, OAuth 9): `approval` is the most that one release may
 * move, in cents of a USD, and how many releases there may be; null where it may release nothing.
 */
export type Delegation = {
  readonly grantId: string
  readonly approval: { readonly maxCents: bigint; readonly maxCount: number } | null
  readonly expiresAt: Date
}
/**
 * `via` tells a person's session from a signed request: parties of software sign, people may do either (spec §1.4). A
 * `bearer` speaks for the wallet within a delegation, which is there whenever `via` says so.
 */
export type WalletCaller = {
  readonly kind: 'wallet'
  readonly wallet: string
  readonly agentId: number | null
  readonly via: 'signature' | 'session' | 'bearer'
  readonly delegation?: Delegation
  /** What it proved itself by; absent where no request came from outside. */
  readonly proof?: AccountProof
  /** The address it speaks from, as limits count it; absent where no request came from outside. */
  readonly from?: string
  /**
   * The act needs an identity and the wallet has none yet: it is registered once the act is sure to succeed otherwise.
   */
  readonly owesIdentity?: true
}
/** Who holds the admin key of this deployment; owns no rows. */
export type AdminCaller = { readonly kind: 'admin' }
export type Caller = Anonymous | WalletCaller
