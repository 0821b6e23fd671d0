import type { TypedData } from './signatures.ts'
import type { RailAnswer } from './rail.ts'
import type { PaidBehind, RatingTerms, RegistryMean } from '../reputation/rating.ts'

export type { RatingTerms } from '../reputation/rating.ts'

export type SignedAuthorization = {
  readonly chainId: number
  readonly address: string
  readonly nonce: number
  readonly yParity: 0 | 1
  readonly r: string
  readonly s: string
}

export type RelayedRating = RatingTerms & {
  readonly rater: string
  readonly deadline: number
  readonly nonce: string
  readonly signature: string
  readonly authorization?: SignedAuthorization
}

/** A signed rating with the payment that its gas is paid for. */
export type PaidRating = RelayedRating & { readonly paid: PaidBehind }

/** Writes and reads ratings on chain. */
export interface RatingRelay {
  /** The digest a rater signs. Throws RATING_UNAVAILABLE, INVALID_REPUTATION_NETWORK. */
  prepare(
    terms: RatingTerms,
    rater: string,
    now: Date,
  ): Promise<{
    readonly typedData: TypedData
    readonly digest: string
    readonly deadline: number
    readonly nonce: string
    readonly chainId: number
    readonly delegate: string
    readonly delegated: boolean
    readonly accountNonce: number
  }>
  /**
   * Relays a rating its rater signed; the author on chain is the rater. The facilitator asks for the payment behind it.
   */
  relay(rating: PaidRating, key: string): Promise<RailAnswer & { readonly feedbackIndex?: number }>
  /** Writes a rating under the facilitator's own wallet, which asks for the payment behind it. */
  give(
    terms: RatingTerms,
    key: string,
    paid: PaidBehind,
  ): Promise<RailAnswer & { readonly feedbackIndex?: number; readonly author?: string }>
  /**
   * The rating with this document on chain, by this author or by anybody; null while there is none. It is not older
   * than `since`. Throws CHAIN_UNAVAILABLE.
   */
  find(
    terms: RatingTerms,
    author: string | null,
    since: Date | null,
  ): Promise<{
    readonly txHash: string
    readonly blockNumber: bigint
    readonly feedbackIndex?: number
    readonly author?: string
  } | null>
  /**
   * What the registry makes of everything that anybody wrote about an agent. Throws CHAIN_UNAVAILABLE,
   * IDENTITY_NOT_FOUND.
   */
  summary(network: string, agentId: number): Promise<RegistryMean>
  /** The canonical feedback document and its keccak256; pure. */
  document(fields: Readonly<Record<string, unknown>>): { readonly bytes: Uint8Array; readonly hash: string }
  /** keccak256 of a document that was kept; pure. */
  hashOf(document: Uint8Array): string
}
