import type { TaskStatus } from '@ergon/contract'
import { settleableStatuses } from '@ergon/contract/facts'
import type { Side } from '../disputes/dispute.ts'
import type { Amount, Asset } from '../money/amount.ts'

/** How two parties divide what a task holds (decision 0167); `network` is the one whose chain id is signed. */
export type OfferTerms = {
  readonly taskId: string
  readonly network: string
  /** The hash of the payment; null where nothing is held. */
  readonly payment: string | null
  readonly payer: string
  readonly worker: string
  readonly asset: Asset
  readonly toWorker: bigint
  readonly toPayer: bigint
  readonly expiresAt: Date
  readonly nonce: string
}

/** `accepted`: its money is on its way, or owed by a payer who has to send it. */
export type OfferStatus = 'open' | 'accepted' | 'settled' | 'refused' | 'withdrawn' | 'expired'

/** Both sides sign the same words; what it divides is what the task holds (decision 0167). */
export type Offer = {
  readonly id: string
  readonly taskId: string
  readonly executorId: string
  /** Who offers; the other side accepts. */
  readonly side: Side
  readonly words: Omit<OfferTerms, 'expiresAt' | 'taskId'>
  readonly message: string | null
  readonly signature: string
  /** The other side's signature over the same words. */
  readonly answer: string | null
  /** Mode fase1: the payer's direct payments that came with its offer; shown to nobody. */
  readonly payments: OfferPayments | null
  readonly status: OfferStatus
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
}

export type OfferPayments = { readonly payout: string; readonly fee: string | null }

export const offerLimits = { hoursMin: 1, hoursMax: 336, hoursDefault: 72, perTask: 20 } as const

export const otherSide = (side: Side): Side => (side === 'publisher' ? 'worker' : 'publisher')

/** What its two parties sign. */
export function termsOf({ taskId, words, expiresAt }: Offer): OfferTerms {
  return { ...words, taskId, expiresAt }
}

/** What the payer pays by it. */
export const shareOf = ({ words: { toWorker, asset } }: Pick<Offer, 'words'>): Amount => ({ atomic: toWorker, asset })

/** As it is at this moment, whether or not its timer ran. */
export function statusAt({ status, expiresAt }: Pick<Offer, 'status' | 'expiresAt'>, now: Date): OfferStatus {
  return status === 'open' && expiresAt <= now ? 'expired' : status
}

/** Whether two parties can settle a task in this status between themselves. */
export const settleable: readonly TaskStatus[] = settleableStatuses

/** An agreement as a dispute tells of it: the payer's share in whole percent, never 0 or 100 of a split. */
export function verdictOf({ toWorker, toPayer }: Pick<OfferTerms, 'toWorker' | 'toPayer'>): {
  readonly verdict: 'release' | 'refund' | 'split'
  readonly splitPct: number | null
} {
  if (toWorker === 0n) return { verdict: 'refund', splitPct: null }
  if (toPayer === 0n) return { verdict: 'release', splitPct: null }
  const pct = Number((toPayer * 100n) / (toWorker + toPayer))
  return { verdict: 'split', splitPct: Math.min(99, Math.max(1, pct)) }
}
