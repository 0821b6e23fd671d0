import type { Operations, OutputOf } from '@ergon/contract'
import type { DirectRating, GivenRating, PreparedRating } from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { presentTypedData } from './typed-data.ts'

/** A rating in its rater's own name, once it is on chain. */
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

/** A rating relayed under the facilitator's wallet. */
export function answerRelayed({
  state,
  txHash,
  feedbackIndex,
  network,
  author,
}: DirectRating): AnswerOf<Operations['reputation.rateWorker']> {
  const body = {
    success: state === 'given',
    transaction_hash: txHash,
    feedback_index: feedbackIndex,
    network,
    authored_by: author,
  }
  return state === 'given' ? done(body) : inFlight(body)
}

/** What a rater signs. */
export function presentPrepared(prepared: PreparedRating): OutputOf<Operations['reputation.prepare']> {
  return {
    task_id: prepared.taskId,
    direction: prepared.direction,
    score: prepared.score,
    network: prepared.network,
    ratee_agent_id: prepared.agentId,
    rater_wallet: prepared.rater,
    deadline: prepared.deadline,
    nonce: prepared.nonce,
    tag1: prepared.tag1,
    tag2: prepared.tag2,
    endpoint: prepared.endpoint,
    feedback_uri: prepared.feedbackUri,
    feedback_hash: prepared.feedbackHash,
    digest: prepared.digest,
    typed_data: presentTypedData(prepared.typedData),
    chain_id: prepared.chainId,
    delegate: prepared.delegate,
    delegated: prepared.delegated,
    account_nonce: prepared.accountNonce,
    rater_role: prepared.raterRole,
    ratee_role: prepared.rateeRole,
  }
}
