import type { AccountProof } from './identity/account-proof.ts'

/** Who is asking. `agentId` is the caller's ERC-8004 id on the deployment's identity network, once known. */
export type Anonymous = { readonly kind: 'anonymous' }
/** `via` tells a person's session from a signed request: parties of software sign, people may do either (spec §1.4). */
export type WalletCaller = {
  readonly kind: 'wallet'
  readonly wallet: string
  readonly agentId: number | null
  readonly via: 'signature' | 'session'
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
