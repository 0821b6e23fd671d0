import type { RatingDirection } from '@ergon/contract'
import type { Payment } from '../escrow/payment.ts'
import type { Asset } from '../money/amount.ts'

/** One rating as the reputation registry takes it; `value` is the score 0-100 with no decimals. */
export type RatingTerms = {
  readonly network: string
  readonly agentId: number
  readonly score: number
  readonly tag1: string
  readonly tag2: string
  readonly endpoint: string
  readonly feedbackUri: string
  readonly feedbackHash: string
}

/**
 * A rating from the moment its document exists. `due` ones are relayed by a duty, `prepared` ones wait for their rater.
 */
export type Rating = {
  readonly id: string
  readonly taskId: string
  readonly direction: RatingDirection
  readonly rater: string
  readonly ratee: string
  readonly terms: RatingTerms
  readonly comment: string | null
  readonly document: Uint8Array
  readonly status: 'prepared' | 'due' | 'sending' | 'confirmed' | 'refused'
  readonly txHash: string | null
  readonly feedbackIndex: number | null
  readonly attempts: number
}

/**
 * The payment of a task that its rating is about, for whoever writes one in its own name. `payment` is null
 * without escrow.
 */
export type PaidBehind = {
  readonly txHash: string
  readonly asset: Asset
  readonly payer: string
  readonly payee: string
  readonly payment: Payment | null
}

/** What ratings come to; the score is 0-100, and null while nobody rated. */
export type CountedRatings = { readonly score: number | null; readonly count: number }
/** The registry's own mean over whatever anybody wrote there, of any size; no score of ours (decision 0093). */
export type RegistryMean = { readonly mean: number | null; readonly count: number }

/**
 * Its document is for everybody: the registry names it, or is about to. What its rater has not sent yet is nobody's to
 * read.
 */
export function isGiven({ status }: Pick<Rating, 'status'>): boolean {
  return status === 'due' || status === 'sending' || status === 'confirmed'
}
