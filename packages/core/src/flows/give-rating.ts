import type { RatingDirection } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Rating } from '../reputation/rating.ts'
import type { MarketDeps } from './deps.ts'
import { confirmRating, endDue, giveInOurName, sidesOf } from './rate.ts'
import { ratingOf } from './rating-document.ts'
import { readable } from './readable.ts'

/**
 * A rating relayed under the facilitator's wallet; its words on the task beyond the direction must be so, null says
 * nothing.
 */
export type DirectRatingInput = {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly score: number
  readonly comment: string | null
  readonly workerWallet: string | null
  readonly agentId: number | null
  readonly proofTx: string | null
}
/** `on its way`: the duty goes on with it. */
export type DirectRating = {
  readonly state: 'given' | 'on its way'
  readonly txHash: string | null
  readonly feedbackIndex: number | null
  readonly network: string
  readonly author: string | null
}

/** Longer than a relay takes to answer; afterwards the duty goes on with the rating, under the same key. */
const ownMs = 60_000

/**
 * A rating relayed at once under the facilitator's wallet; one a task and direction, over every way to rate (spec §4
 * reputation).
 */
export async function giveRating(
  deps: MarketDeps,
  caller: WalletCaller,
  input: DirectRatingInput,
): Promise<DirectRating> {
  const rating = await writeRating(deps, caller, input)
  const { network } = rating.terms
  const answer = await giveInOurName(deps, rating)
  const now = deps.clock.now()
  switch (answer.outcome) {
    case 'settled':
      await confirmRating(deps, rating, answer, now)
      return {
        state: 'given',
        txHash: answer.txHash,
        feedbackIndex: answer.feedbackIndex ?? null,
        network,
        author: answer.author ?? null,
      }
    case 'refused':
      if (!answer.final) return { state: 'on its way', txHash: null, feedbackIndex: null, network, author: null }
      await endDue(deps, rating, { status: 'refused' }, now)
      throw new MarketError(
        answer.code,
        { ...answer.details, task_id: input.taskId },
        answer.message === undefined ? {} : { message: answer.message },
      )
    case 'unavailable':
    case 'unknown':
      return { state: 'on its way', txHash: null, feedbackIndex: null, network, author: null }
  }
}

/** The state of a rating that was given; its author is read from the registry, where that answers. */
export async function ratingGiven(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  direction: RatingDirection,
): Promise<DirectRating | null> {
  const rating = await deps.store.rating(taskId, direction)
  if (rating === null || rating.rater !== caller.wallet) return null
  const { network } = rating.terms
  if (rating.status === 'due') return { state: 'on its way', txHash: null, feedbackIndex: null, network, author: null }
  if (rating.status !== 'confirmed') return null
  const found = await readable(() => deps.ratings.find(rating.terms, null, null))
  return {
    state: 'given',
    txHash: rating.txHash,
    feedbackIndex: rating.feedbackIndex,
    network,
    author: found?.author ?? null,
  }
}

async function writeRating(deps: MarketDeps, caller: WalletCaller, input: DirectRatingInput): Promise<Rating> {
  const { taskId, direction } = input
  const sides = await sidesOf(deps, caller, taskId, direction)
  demandSame('worker_address', input.workerWallet, sides.ratee)
  demandSame('agent_id', input.agentId, sides.agentId)
  demandSame('proof_tx', input.proofTx, sides.task.paymentTx)
  const now = deps.clock.now()
  const rating = ratingOf(deps, { ...sides, direction, score: input.score, comment: input.comment }, now)
  await deps.store.transaction(async (tx) => {
    if (!(await tx.putRating({ ...rating, status: 'due' }, new Date(now.getTime() + ownMs), now)))
      throw new MarketError('ALREADY_RATED', { task_id: taskId, direction })
  })
  return rating
}

/** What a caller says about the task must be so; a rating of another wallet is not given in its name. */
function demandSame(field: string, said: string | number | null, is: string | number | null): void {
  if (said !== null && said !== is)
    throw new MarketError('VALIDATION_FAILED', { field, constraint: 'the same as in the task', received: said })
}
