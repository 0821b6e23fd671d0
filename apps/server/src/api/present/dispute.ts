import type { Operations, OutputOf } from '@ergon/contract'
import { sharesOf, type DisputeView, type ResolvedDispute, type Statement } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { instant, instantOrNull } from './instant.ts'
import { usd, usdOrNull } from './money.ts'
import { presentDispute } from './work.ts'

type WireRecord = OutputOf<Operations['disputes.resolve']>
type WireStatement = OutputOf<Operations['disputes.addEvidence']>

/** A dispute with its parties and what was decided. */
export function presentDisputeRecord(dispute: DisputeView): WireRecord {
  const { resolution } = dispute
  const shares = sharesOf(dispute)
  return {
    ...presentDispute(dispute),
    publisher_wallet: dispute.publisherWallet,
    executor_id: dispute.executorId,
    worker_wallet: dispute.workerWallet,
    disputed_amount_usdc: usd(dispute.bounty),
    verdict: resolution?.verdict ?? null,
    split_pct: resolution?.splitPct ?? null,
    resolution_reason: resolution?.reason ?? null,
    publisher_refund_usdc: usdOrNull(shares?.remainder ?? null),
    worker_gross_usdc: usdOrNull(shares?.award ?? null),
    payment_tx: dispute.paymentTx,
    refund_tx: dispute.refundTx,
    resolved_at: instantOrNull(dispute.resolvedAt),
  }
}

export function presentStatement(statement: Statement): WireStatement {
  return {
    id: statement.id,
    dispute_id: statement.disputeId,
    side: statement.side,
    statement: statement.statement,
    links: [...statement.links],
    created_at: instant(statement.createdAt),
  }
}

export function answerResolution({ state, dispute }: ResolvedDispute): AnswerOf<Operations['disputes.resolve']> {
  const body = presentDisputeRecord(dispute)
  return state === 'resolving' ? inFlight(body) : done(body)
}
