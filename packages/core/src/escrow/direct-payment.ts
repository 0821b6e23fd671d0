import type { Amount } from '../money/amount.ts'

/** A payment in one step, no escrow: a signed EIP-3009 TransferWithAuthorization (mode fase1). */
export type DirectPayment = {
  readonly network: string
  readonly amount: Amount
  readonly token: string
  readonly from: string
  readonly to: string
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: string
  readonly signature: string
  /**
   * What else the same transaction pays, where a network pays worker and fee in one (decision 0151). Then `signature`
   * is the transaction as its payer signed it, `nonce` the hash of its message, and its blockhash alone ends it.
   */
  readonly alongside?: { readonly to: string; readonly amount: Amount }
}
