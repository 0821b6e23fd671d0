import type { DisputeVerdict } from '@ergon/contract'
import type { Task } from '../tasks/task.ts'
import type { Side } from './dispute.ts'

/**
 * `standing`: it is carried out when nobody appeals. `appealed`: the operator decides. `overtaken`: the task ended
 * otherwise.
 */
export type RulingStatus = 'standing' | 'appealed' | 'executed' | 'overtaken'

/** What an arbiter decided, kept apart from whether it has been carried out (decision 0168). */
export type Ruling = {
  readonly id: string
  readonly disputeId: string
  readonly taskId: string
  readonly arbiter: string
  readonly verdict: DisputeVerdict
  readonly splitPct: number | null
  readonly reason: string
  readonly criteria: readonly string[]
  readonly nonce: string
  readonly deadline: Date
  readonly signature: string
  readonly status: RulingStatus
  readonly appealedBy: Side | null
  readonly appealReason: string | null
  readonly createdAt: Date
  readonly appealUntil: Date
  readonly endedAt: Date | null
}

export const rulingTimes = { appealHours: 24, executeHours: 24, signMs: 3_600_000 } as const

/** The payer's share in percent, as it is signed. */
export function payerPct(verdict: DisputeVerdict, splitPct: number | null): number {
  if (verdict === 'split') return splitPct ?? 0
  return verdict === 'refund' ? 100 : 0
}

/** Named by the operator, and by the task where it names one. */
export function mayRule(
  { arbiters }: { readonly arbiters?: readonly string[] | undefined },
  { policy }: Pick<Task, 'policy'>,
  wallet: string,
): boolean {
  const named = policy?.arbiter ?? null
  return arbiters?.includes(wallet) === true && (named === null || named === wallet)
}
