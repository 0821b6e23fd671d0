import type { ErrorCode } from '@ergon/contract'
import type { RailOrder } from './order.ts'

/**
 * One attempt to move money, written before anything is sent. It is the claim on the task or submission:
 * of two that would exclude each other only one can be written.
 */
export type Settlement = {
  readonly id: string
  readonly taskId: string
  readonly submissionId: string | null
  readonly executorId: string | null
  /**
   * `payout` and `fee` are the two direct payments of mode fase1. `award` and `remainder` are what a resolution pays
   * and what is left of a split, `return` a resolution for the payer, `stepdown` the refund before a task is open
   * again,
   * `stray`
   * the way back for money that was locked with a signature we had given up.
   */
  readonly purpose: SettlementPurpose
  /** What excludes what: at most one open or confirmed settlement of a purpose group per subject. */
  readonly subject: string
  readonly order: RailOrder
  readonly status: SettlementStatus
  readonly txHash: string | null
  readonly attempts: number
  /** Until then a copy of the order may be under way; written before it is sent. Null: nothing was sent. */
  readonly sentUntil: Date | null
  /** A verdict that was not final: the copies under way are waited out (decision 0082). */
  readonly isWaiting: boolean
  /** A void of a task that is already over is repeated until it is on chain. */
  readonly mustLand: boolean
  readonly rating: { readonly score: number; readonly comment: string | null } | null
  /** The agreement that it carries out (decision 0167). */
  readonly offerId: string | null
  readonly createdAt: Date
}

export type SettlementPurpose =
  'lock' | 'release' | 'refund' | 'payout' | 'fee' | 'award' | 'remainder' | 'return' | 'stepdown' | 'stray'
/** `claimed`: written, perhaps sent. `in_doubt`: sent, and nobody knows yet. The other two are final. */
export type SettlementStatus = 'claimed' | 'in_doubt' | 'confirmed' | 'refused'

export type Refusal = {
  readonly code: ErrorCode
  readonly message?: string
  readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>>
}

type Claim = Pick<Settlement, 'taskId' | 'purpose' | 'subject' | 'order'> &
  Partial<Pick<Settlement, 'submissionId' | 'executorId' | 'mustLand' | 'rating' | 'offerId'>>

/** A settlement as it is claimed; its first copy is sent at once. */
export function claimed(id: string, now: Date, claim: Claim): Settlement {
  return {
    submissionId: null,
    executorId: null,
    mustLand: false,
    rating: null,
    offerId: null,
    ...claim,
    id,
    status: 'claimed',
    txHash: null,
    attempts: 0,
    sentUntil: sendBefore(now),
    isWaiting: false,
    createdAt: now,
  }
}

/** Whether its end is not known yet. */
export function isOpen(settlement: Settlement): boolean {
  return settlement.status === 'claimed' || settlement.status === 'in_doubt'
}

/**
 * Milliseconds until what did not end is looked at again: soon at first, then every ten seconds, and after a while
 * every minute.
 */
export function retryAfterMs(attempts: number): number {
  return attempts > 30 ? 60_000 : Math.min(10_000, 500 * 2 ** Math.min(attempts, 5))
}

/** For how long a process owns a settlement without a sign of life; whoever works on it renews it in time. */
export const claimLeaseMs = 8_000

/** When a claim that did not end may be taken up by another process. */
export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + claimLeaseMs)
}

/** How long a copy of an order may be under way. It covers the clocks of two machines that are not quite the same. */
const travelMs = 30_000

/** The deadline of a copy that is sent now. */
export function sendBefore(now: Date): Date {
  return new Date(now.getTime() + travelMs)
}
