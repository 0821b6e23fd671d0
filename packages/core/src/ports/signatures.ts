import type { DisputeVerdict } from '@ergon/contract'
import type { Amount, Asset } from '../money/amount.ts'
import type { DirectPart } from '../escrow/direct-nonce.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import type { EscrowAuthorization, Payment, SignedReleaseOrder } from '../escrow/payment.ts'
import type { OfferTerms } from '../settlement-offers/offer.ts'

/** EIP-712 typed data, JSON-safe, to be handed to a wallet as it is. */
export type TypedData = Readonly<Record<string, unknown>>

/** A standing order as it goes over the wire; opaque to the core but for the payment it is for. */
export type StandingOrderWords = Readonly<Record<string, unknown>>

/** The terms a payer agrees to when a worker is assigned. */
export type EscrowTerms = {
  /** What the payment is for: the salt of a challenge carries it. */
  readonly taskId: string
  readonly network: string
  readonly payer: string
  readonly receiver: string
  readonly amount: Amount
  readonly deadline: Date
  /** Until when the policy of the task needs the money bound at least; null without one. */
  readonly boundUntil: Date | null
  /**
   * Where silence pays: how many hours a review takes, before which no release under the payer's standing order is good
   * (decision 0158). Null asks for no such order.
   */
  readonly silentAfterHours: number | null
}

export type DirectTerms = {
  readonly network: string
  readonly from: string
  readonly to: string
  readonly amount: Amount
}

/** A transfer to an address of the payer's choice, and what it signed of it. */
export type SignedTransfer = DirectTerms & Pick<DirectPayment, 'validBefore' | 'nonce' | 'signature'>

/** A payment to be signed says which task it pays, and which part of it, in its nonce (decision 0189). */
export type DirectAsk = DirectTerms & { readonly taskId: string; readonly part: DirectPart }
/** What an arbiter signs (decision 0168). `payerPct`: 0 with release, 100 with refund. */
export type RulingTerms = {
  readonly disputeId: string
  readonly taskId: string
  readonly network: string
  readonly arbiter: string
  readonly verdict: DisputeVerdict
  readonly payerPct: number
  readonly reason: string
  readonly criteria: readonly string[]
  readonly deadline: Date
  readonly nonce: string
}

/** What the parties of a task and its arbiter sign. A wallet that is a contract is asked. */
export interface AgreementSignatures {
  /** 32 bytes nobody can foresee. */
  freshNonce(): string
  offerDocument(terms: OfferTerms): TypedData
  /** @throws CHAIN_UNAVAILABLE where a signer that is a contract cannot be asked */
  isOfferSigned(terms: OfferTerms, signer: string, signature: string): Promise<boolean>
  rulingDocument(terms: RulingTerms): TypedData
  /** By its arbiter. @throws CHAIN_UNAVAILABLE */
  isRulingSigned(terms: RulingTerms, signature: string): Promise<boolean>
}

/**
 * What signatures over money say. CPU only, except that a wallet which is a contract is asked on chain.
 * Every check throws a `MarketError` of the catalogue; nothing is sent.
 */
export interface PaymentSignatures extends AgreementSignatures {
  /**
   * Builds the complete authorization to sign, with a fresh salt that carries the task, and expiries that outlive the
   * deadline.
   */
  escrowChallenge(
    terms: EscrowTerms,
    now: Date,
  ): {
    readonly typedData: TypedData
    readonly envelope: Readonly<Record<string, unknown>>
    readonly expiresAt: Date
    readonly collector: string
    readonly token: string
    /** The end of the authorization. */
    readonly boundUntil: Date
    /** The standing order that lets silence pay, to be signed as well; null where none is asked for. */
    readonly standing: { readonly typedData: TypedData; readonly order: StandingOrderWords } | null
  }
  /**
   * Reads X-Payment-Auth, recomputes its nonce and recovers its signer.
   * @throws INVALID_PAYMENT_AUTH, NETWORK_MISMATCH, OPERATOR_MISMATCH, FORBIDDEN_RECEIVER, AMOUNT_MISMATCH,
   * SELF_PAYMENT_BLOCKED, INVALID_SIGNATURE
   */
  readEscrowAuthorization(
    raw: string,
    terms: EscrowTerms,
    now: Date,
  ): Promise<{ readonly payment: Payment; readonly authorization: EscrowAuthorization }>
  /**
   * Whom an authorization pays, for one that is kept until its worker is assigned. @throws INVALID_PAYMENT_AUTH,
   * NETWORK_MISMATCH
   */
  receiverOf(raw: string, network: string): string
  /** The release order to sign: `deadline` unix seconds, `nonce` fresh. */
  releaseChallenge(
    payment: Payment,
    amount: Amount,
    now: Date,
  ): { readonly typedData: TypedData; readonly deadline: number; readonly nonce: string }
  /**
   * @throws LIFECYCLE_ORDER_INVALID when expired, too far ahead, or not signed for exactly this payment and amount by
   * the payer, or by the key that a standing order of the payer lets release it; CHAIN_UNAVAILABLE where a payer that
   * is a contract cannot be asked.
   */
  checkReleaseOrder(order: SignedReleaseOrder, payment: Payment, amount: Amount, now: Date): Promise<void>
  /**
   * Reads the signed standing order that came with an assignment: for this payment, its amount, once, from the end of
   * a review that begins now until the authorization ends, neither wider nor narrower.
   * @throws LIFECYCLE_ORDER_INVALID naming what is otherwise; CHAIN_UNAVAILABLE where a payer that is a contract cannot
   * be asked
   */
  readStandingOrder(raw: string, payment: Payment, silentAfterHours: number, now: Date): Promise<StandingOrderWords>
  /** A release order of the key that the payer named in a standing order, which is its warrant. */
  standingRelease(payment: Payment, amount: Amount, order: StandingOrderWords, now: Date): Promise<SignedReleaseOrder>
  directChallenge(
    terms: DirectAsk,
    now: Date,
  ): { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>>; readonly expiresAt: Date }
  /**
   * @throws INVALID_PAYMENT_AUTH, NETWORK_MISMATCH, FORBIDDEN_RECEIVER, AMOUNT_MISMATCH, SELF_PAYMENT_BLOCKED,
   * INVALID_SIGNATURE
   */
  readDirectPayment(raw: string, terms: DirectTerms, now: Date): Promise<DirectPayment>
  /**
   * Checks an address of the payer's choice and its signature; an authorization that is good from the start.
   * @throws VALIDATION_FAILED, SELF_PAYMENT_BLOCKED, FORBIDDEN_RECEIVER, INVALID_SIGNATURE, CHAIN_UNAVAILABLE
   */
  readCashOut(signed: SignedTransfer): Promise<DirectPayment>
  /** ABI-encoded `reclaim(PaymentInfo)` for the payer to send (spec §4 reclaim). */
  reclaimCall(payment: Payment): { readonly escrow: string; readonly chainId: number; readonly calldata: string }
  /** The ReleaseApproval typed data of a submission (decision 0015). */
  releaseApproval(
    terms: { readonly submissionId: string; readonly taskId: string; readonly amount: Amount; readonly payer: string },
    now: Date,
  ): TypedData
  /** The treasury that fees go to on a network; read once from the operator contract or set by the operator. */
  treasury(network: string, asset: Asset): Promise<string>
}
