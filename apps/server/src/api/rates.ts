import type { Operations, OutputOf, RatingDirection } from '@ergon/contract'
import type { DirectRating, WalletCaller } from '@ergon/core'
import { done, inFlight, type Answer, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'
import { presentGivenRating } from './present/rating.ts'
import type { Recoveries } from './recover.ts'

/** Ratings relayed under the facilitator's wallet. */
export function createRateHandlers({
  market,
}: Pick<ApiDeps, 'market'>): HandlersOf<'reputation.rateWorker' | 'reputation.rateAgent'> {
  return {
    'reputation.rateWorker': async ({ caller }, input) =>
      presentRating(
        await market.giveRating(caller, {
          taskId: input.task_id,
          direction: 'publisher_rates_executor',
          score: input.score,
          comment: input.comment ?? null,
          workerWallet: input.worker_address?.toLowerCase() ?? null,
          agentId: null,
          proofTx: input.proof_tx?.toLowerCase() ?? null,
        }),
      ),
    'reputation.rateAgent': async ({ caller }, input) =>
      presentRating(
        await market.giveRating(caller, {
          taskId: input.task_id,
          direction: 'executor_rates_publisher',
          score: input.score,
          comment: input.comment ?? null,
          workerWallet: null,
          agentId: input.agent_id ?? null,
          proofTx: input.proof_tx?.toLowerCase() ?? null,
        }),
      ),
  }
}

/** A rating that was written and never told is answered by how it stands (decision 0050). */
export function recoverRates({
  market,
}: Pick<ApiDeps, 'market'>): Required<
  Pick<Recoveries, 'reputation.rateWorker' | 'reputation.rateAgent' | 'reputation.submit'>
> {
  const given = async (caller: WalletCaller, taskId: string, direction: RatingDirection) => {
    const rating = await market.ratingGiven(caller, taskId, direction)
    return rating === null ? null : presentRating(rating)
  }
  return {
    'reputation.rateWorker': ({ caller }, input) => given(caller, input.task_id, 'publisher_rates_executor'),
    'reputation.rateAgent': ({ caller }, input) => given(caller, input.task_id, 'executor_rates_publisher'),
    'reputation.submit': async ({ caller }, input) => {
      const rating = await market.ratingSubmitted(caller, {
        taskId: input.task_id,
        direction: input.direction,
        feedbackHash: input.feedback_hash,
      })
      return rating === null ? null : done(presentGivenRating(rating))
    },
  }
}

function presentRating({
  state,
  txHash,
  feedbackIndex,
  network,
  author,
}: DirectRating): Answer<OutputOf<Operations['reputation.rateWorker']>> {
  const body = {
    success: state === 'given',
    transaction_hash: txHash,
    feedback_index: feedbackIndex,
    network,
    authored_by: author,
  }
  return state === 'given' ? done(body) : inFlight(body)
}
