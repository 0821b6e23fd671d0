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
}
