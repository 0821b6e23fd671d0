import type { Side } from '../disputes/dispute.ts'
import { otherSide, type Offer } from './offer.ts'

/**
 * Whom a task waits for beside what its status says: the side that has an offer to answer, a ruling that waits for its
 * appeal, an operator to whom it was taken, or a payer who owes what was decided. Times in milliseconds.
 */
export type Turn =
  | { readonly kind: 'offer'; readonly of: Side; readonly untilMs: number }
  | { readonly kind: 'ruling'; readonly untilMs: number }
  | { readonly kind: 'appealed' }
  | { readonly kind: 'owed' }

/** Who has to answer an offer, and by when. */
export function turnOf({ side, expiresAt }: Pick<Offer, 'side' | 'expiresAt'>): Turn {
  return { kind: 'offer', of: otherSide(side), untilMs: expiresAt.getTime() }
}
