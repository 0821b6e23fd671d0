import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { Amount } from '../money/amount.ts'

/** A bounty paid in one transaction: both shares or neither. Addresses as their network writes them. */
export type SplitTerms = {
  /** What it is for; no two payments of equal amounts are one. */
  readonly submissionId: string
  readonly worker: string
  readonly payout: Amount
  readonly fee: Amount
}

/** A transaction to be signed by its payer, and until which block it may land. */
export type SplitChallenge = {
  readonly payer: string
  /** An x402 payment with the unsigned transaction; signed, it is sent back as it is. */
  readonly envelope: Readonly<Record<string, unknown>>
  readonly lastValidBlockHeight: bigint
  readonly expiresAt: Date
}

/** Payments of a network that pays worker and fee in one transaction, signed whole by their payer. */
export interface SplitPayments {
  readonly network: string
  /** @throws INVALID_PAYMENT_AUTH for a payer that is no address, SELF_PAYMENT_BLOCKED, CHAIN_UNAVAILABLE */
  challenge(terms: SplitTerms, payer: string, now: Date): Promise<SplitChallenge>
  /**
   * Takes a signed transaction only if it is the one that follows from the terms, byte for byte.
   * @throws INVALID_PAYMENT_AUTH, INVALID_SIGNATURE, SELF_PAYMENT_BLOCKED, CHAIN_UNAVAILABLE
   */
  read(raw: string, terms: SplitTerms): Promise<DirectPayment>
}
