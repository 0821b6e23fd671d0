import type { DisputeReason, DisputeStatus, DisputeVerdict } from '@ergon/contract'
import type { Amount } from '../money/amount.ts'

export type Side = 'publisher' | 'worker'

/** What was decided. `splitPct` is the payer's share in percent, of a split alone. */
export type Resolution = { readonly verdict: DisputeVerdict; readonly splitPct: number | null; readonly reason: string }

export type Dispute = {
  readonly id: string
  readonly taskId: string
  readonly submissionId: string
  readonly status: DisputeStatus
  /** `admin`: by the word of the operator (decision 0057). `service`: by nobody's word in time (decision 0158). */
  readonly openedBy: Side | 'admin' | 'service'
  readonly reason: DisputeReason
  readonly description: string
  readonly criteria: readonly string[]
  /** Kept while the money moves and after; a resolution whose payment failed is taken back. */
  readonly resolution: Resolution | null
  readonly resolvedAt: Date | null
  readonly createdAt: Date
}

/** What one side says for itself while a dispute is open. */
export type Statement = {
  readonly id: string
  readonly disputeId: string
  readonly side: Side
  readonly statement: string
  readonly links: readonly string[]
  readonly createdAt: Date
}

/** A dispute with who is in it and what it is about. */
export type DisputeView = Dispute & {
  readonly publisherWallet: string
  readonly executorId: string
  readonly workerWallet: string
  readonly bounty: Amount
  readonly paymentTx: string | null
  readonly refundTx: string | null
  /** What left for the worker, fee included; null where it was the whole bounty or nothing. */
  readonly captured: bigint | null
  readonly statements: readonly Statement[]
}

/** Which side of a dispute a wallet is on, if any. */
export function sideOf(dispute: Pick<DisputeView, 'publisherWallet' | 'workerWallet'>, wallet: string): Side | null {
  if (wallet === dispute.publisherWallet) return 'publisher'
  return wallet === dispute.workerWallet ? 'worker' : null
}

type Shares = { readonly award: Amount; readonly remainder: Amount }

/**
 * Who has what by a resolution; null while nothing is decided. What was paid says so itself: two parties agree on sums,
 * and the percent that tells of them is rounded.
 */
export function sharesOf({
  status,
  resolution,
  bounty,
  captured,
}: Pick<DisputeView, 'status' | 'resolution' | 'bounty' | 'captured'>): Shares | null {
  if (resolution === null) return null
  if (status !== 'resolved' || captured === null) return divideBounty(bounty, resolution)
  return { award: { ...bounty, atomic: captured }, remainder: { ...bounty, atomic: bounty.atomic - captured } }
}

/** How a resolution divides the bounty; the payer's share is rounded down, and the two add up to the bounty. */
export function divideBounty(bounty: Amount, { verdict, splitPct }: Pick<Resolution, 'verdict' | 'splitPct'>): Shares {
  const pct = verdict === 'refund' ? 100n : verdict === 'release' ? 0n : BigInt(splitPct ?? 0)
  const back = (bounty.atomic * pct) / 100n
  return { award: { ...bounty, atomic: bounty.atomic - back }, remainder: { ...bounty, atomic: back } }
}
