import type { Operations, OutputOf } from '@ergon/contract'
import type { GivenRating } from '@ergon/core'

/** A rating in its rater's own name, once it stands on chain. */
export function presentGivenRating(given: GivenRating): OutputOf<Operations['reputation.submit']> {
  return {
    task_id: given.taskId,
    direction: given.direction,
    score: given.score,
    network: given.network,
    ratee_agent_id: given.agentId,
    transaction_hash: given.txHash,
    feedback_index: given.feedbackIndex,
    authored_by: given.author,
  }
}
