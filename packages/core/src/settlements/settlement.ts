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
   * `payout` and `fee` are the two direct payments of mode fase1. `award` and `remainder` are what a resolution pays and
   * what is left of a split, `return` a resolution for the payer, `stepdown` the refund before a task is open again.
   */
  readonly purpose: SettlementPurpose
  /** What excludes what: at most one open or confirmed settlement of a purpose group per subject. */
  readonly subject: string
  readonly order: RailOrder
  readonly status: SettlementStatus
  readonly txHash: string | null
  readonly attempts: number
  /** A void of a task that is already over is repeated until it is on chain. */
  readonly mustLand: boolean
  readonly rating: { readonly score: number; readonly comment: string | null } | null
  readonly createdAt: Date
}

export type SettlementPurpose = 'lock' | 'release' | 'refund' | 'payout' | 'fee' | 'award' | 'remainder' | 'return' | 'stepdown'
/** `claimed`: written, perhaps sent. `in_doubt`: sent, and nobody knows yet. The other two are final. */
export type SettlementStatus = 'claimed' | 'in_doubt' | 'confirmed' | 'refused'

export type Refusal = { readonly code: ErrorCode; readonly message?: string; readonly details?: Readonly<Record<string, string | number | boolean | null | readonly string[]>> }

/** Whether its end is not known yet. */
export function isOpen(settlement: Settlement): boolean {
  return settlement.status === 'claimed' || settlement.status === 'in_doubt'
}

/** Milliseconds until a settlement that did not end is looked at again; doubles up to five minutes. */
export function retryAfterMs(attempts: number): number {
  return Math.min(300_000, 1_000 * 2 ** Math.min(attempts, 9))
}
