import type { Asset } from '../money/amount.ts'

/**
 * The terms of one escrowed payment, as the escrow contract hashes them (commerce-payments PaymentInfo). Times are unix
 * seconds.
 */
export type Payment = {
  readonly network: string
  readonly asset: Asset
  readonly operator: string
  readonly payer: string
  readonly receiver: string
  readonly token: string
  readonly maxAmount: bigint
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: string
  readonly salt: bigint
  /** Key of the payment on chain. */
  readonly hash: string
}

/** The payer's signature over the funds (EIP-3009 ReceiveWithAuthorization to the token collector). */
export type EscrowAuthorization = {
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: string
  readonly signature: string
}

/**
 * A signed order to release (EIP-712 LifecycleOrder): the payer's own, or, with a `warrant`, of the key that the payer
 * named in a standing order, which is carried as it was signed (decision 0124).
 */
export type SignedReleaseOrder = {
  readonly signer: string
  readonly deadline: number
  readonly nonce: string
  readonly signature: string
  readonly warrant?: Readonly<Record<string, unknown>>
}

/** What the chain holds for a payment now. */
export type EscrowState = { readonly collected: boolean; readonly capturable: bigint; readonly refundable: bigint }
