import type { Operations, OutputOf } from '@ergon/contract'
import type { DirectRating } from '@ergon/core'
import { done, inFlight, type Answer, type HandlersOf } from '../dispatch/handlers.ts'
import type { ApiDeps } from './deps.ts'

/** Ratings relayed under the facilitator's wallet. */
export function createRateHandlers({ market }: Pick<ApiDeps, 'market'>): HandlersOf<'reputation.rateWorker' | 'reputation.rateAgent'> {
  return {
    'reputation.rateWorker': async ({ caller }, input) => presentRating(await market.giveRating(caller, {
      taskId: input.task_id, direction: 'publisher_rates_executor', score: input.score, comment: input.comment ?? null,
      workerWallet: input.worker_address?.toLowerCase() ?? null, agentId: null, proofTx: input.proof_tx?.toLowerCase() ?? null,
    })),
    'reputation.rateAgent': async ({ caller }, input) => presentRating(await market.giveRating(caller, {
      taskId: input.task_id, direction: 'executor_rates_publisher', score: input.score, comment: input.comment ?? null,
      workerWallet: null, agentId: input.agent_id ?? null, proofTx: input.proof_tx?.toLowerCase() ?? null,
    })),
  }
}

function presentRating({ state, txHash, feedbackIndex, network, author }: DirectRating): Answer<OutputOf<Operations['reputation.rateWorker']>> {
  const body = { success: state === 'given', transaction_hash: txHash, feedback_index: feedbackIndex, network, authored_by: author }
  return state === 'given' ? done(body) : inFlight(body)
}
