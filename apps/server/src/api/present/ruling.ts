import type { Operations, OutputOf } from '@ergon/contract'
import type { Ruling } from '@ergon/core'
import { instant } from './instant.ts'

/** What an arbiter decided, with what it signed. */
export function presentRuling(ruling: Ruling): OutputOf<Operations['disputes.rule']> {
  return {
    id: ruling.id,
    dispute_id: ruling.disputeId,
    task_id: ruling.taskId,
    arbiter: ruling.arbiter,
    verdict: ruling.verdict,
    split_pct: ruling.splitPct,
    reason: ruling.reason,
    criteria: [...ruling.criteria],
    status: ruling.status,
    appeal_until: instant(ruling.appealUntil),
    appealed_by: ruling.appealedBy,
    appeal_reason: ruling.appealReason,
    nonce: ruling.nonce,
    deadline: Math.floor(ruling.deadline.getTime() / 1_000),
    signature: ruling.signature,
    created_at: instant(ruling.createdAt),
  }
}
