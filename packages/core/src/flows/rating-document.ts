import type { RatingDirection } from '@ergon/contract'
import type { Rating } from '../reputation/rating.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'

export type RatingFacts = {
  readonly task: Task
  readonly direction: RatingDirection
  readonly rater: string
  readonly ratee: string
  readonly agentId: number
  readonly score: number
  readonly comment: string | null
}

/** A rating with its document: the bytes whose keccak256 goes on chain are fixed before anyone signs. */
export function ratingOf(deps: MarketDeps, facts: RatingFacts, now: Date): Rating {
  const { task, direction, score } = facts
  const network = deps.settings.identityNetwork
  const tags =
    direction === 'publisher_rates_executor'
      ? (['worker_rating', task.category] as const)
      : (['publisher_rating', task.category] as const)
  const { bytes, hash } = deps.ratings.document({
    version: '1.0',
    type: 'feedback',
    feedback_type: direction,
    created_at: now.toISOString(),
    network,
    agent_id: facts.agentId,
    client_address: facts.rater,
    task: { id: task.id, category: task.category },
    rating: { score, max_score: 100, ...(facts.comment === null ? {} : { comment: facts.comment }) },
    transactions: { payment_tx: task.paymentTx, escrow_tx: task.escrowTx },
  })
  const terms = {
    network,
    agentId: facts.agentId,
    score,
    tag1: tags[0],
    tag2: tags[1],
    endpoint: '',
    feedbackUri: `${deps.settings.feedbackBaseUrl}/${task.id}?direction=${direction}`,
    feedbackHash: hash,
  }
  return {
    id: deps.ids.next(),
    taskId: task.id,
    direction,
    rater: facts.rater,
    ratee: facts.ratee,
    terms,
    comment: facts.comment,
    document: bytes,
    status: 'prepared',
    txHash: null,
    feedbackIndex: null,
    attempts: 0,
  }
}
