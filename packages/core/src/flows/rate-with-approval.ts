import type { Tx } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { ratingOf } from './rating-document.ts'

/** A rating given with an approval: a due row, relayed later under the facilitator's wallet (decision 0016). */
export async function rateWithApproval(
  deps: MarketDeps,
  tx: Tx,
  task: Task,
  executorId: string,
  rating: { readonly score: number; readonly comment: string | null },
  now: Date,
): Promise<void> {
  // Read on this transaction's own connection: waiting for a second one, ten approvals at once would wait for each
  // other.
  const worker = await tx.agentOf(executorId, deps.settings.identityNetwork)
  if (worker === null) return
  const row = ratingOf(
    deps,
    {
      task,
      direction: 'publisher_rates_executor',
      rater: task.publisherWallet,
      ratee: worker.wallet,
      agentId: worker.agentId,
      score: rating.score,
      comment: rating.comment,
    },
    now,
  )
  await tx.putRating({ ...row, status: 'due' }, now, now)
}
