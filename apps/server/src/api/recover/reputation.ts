import type { RatingDirection } from '@ergon/contract'
import type { WalletCaller } from '@ergon/core'
import { done } from '../../dispatch/handlers.ts'
import { answerRelayed, presentGivenRating } from '../present/rating.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

/** A rating that was written and never told is answered by how it is now (decision 0050). */
export function recoverReputation({ market }: RecoveryDeps): RecoveriesOf<'reputation'> {
  const relayed = async (caller: WalletCaller, taskId: string, direction: RatingDirection) => {
    const rating = await market.ratingGiven(caller, taskId, direction)
    return rating === null ? null : answerRelayed(rating)
  }
  return {
    'reputation.rateWorker': ({ caller }, input) => relayed(caller, input.task_id, 'publisher_rates_executor'),
    'reputation.rateAgent': ({ caller }, input) => relayed(caller, input.task_id, 'executor_rates_publisher'),
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
