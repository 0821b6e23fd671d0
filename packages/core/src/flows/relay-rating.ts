import { MarketError } from '../errors.ts'
import type { Rating } from '../reputation/rating.ts'
import { retryAfterMs } from '../settlements/settlement.ts'
import { agentNow } from './agent-now.ts'
import type { MarketDeps } from './deps.ts'
import { confirmRating, endDue, giveInOurName } from './rate.ts'
import { ratingOf } from './rating-document.ts'
import { existingTask } from './read.ts'

/** Relays one rating that came with an approval, under the facilitator's wallet. */
export async function relayRating(deps: MarketDeps, rating: Rating): Promise<boolean> {
  const agentId = await agentOf(deps, rating)
  if (agentId !== rating.terms.agentId) {
    await (agentId === null ? later(deps, rating) : rateAs(deps, rating, agentId))
    return false
  }
  const answer = await giveInOurName(deps, rating)
  const now = deps.clock.now()
  if (answer.outcome === 'settled') {
    await confirmRating(deps, rating, answer, now)
    return true
  }
  // A verdict that is not the last word is asked for again, under the same key.
  if (answer.outcome !== 'refused' || !answer.final) {
    await later(deps, rating)
    return false
  }
  await endDue(deps, rating, { status: 'refused' }, now)
  return true
}

/**
 * The agent to rate: the one that the ratee has now, or that of the terms where the registry holds the rating already.
 * Null while it has none, and while that cannot be read.
 */
async function agentOf(deps: MarketDeps, { terms, ratee }: Rating): Promise<number | null> {
  try {
    const now = await agentNow(deps, terms.network, ratee, terms.agentId)
    if (now === terms.agentId) return now
    return (await deps.ratings.find(terms, null, null)) === null ? now : terms.agentId
  } catch (error) {
    if (error instanceof MarketError) return null
    throw error
  }
}

async function later(deps: MarketDeps, rating: Rating): Promise<void> {
  const now = deps.clock.now()
  await endDue(deps, rating, { status: 'due', dueAt: new Date(now.getTime() + retryAfterMs(rating.attempts)) }, now)
}

/** Another document, of the agent that the ratee has now; nothing of the first is on its way. */
async function rateAs(deps: MarketDeps, rating: Rating, agentId: number): Promise<void> {
  const now = deps.clock.now()
  const { taskId, direction, rater, ratee, comment, terms } = rating
  const task = await existingTask(deps, taskId)
  const fresh = ratingOf(deps, { task, direction, rater, ratee, agentId, score: terms.score, comment }, now)
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockRating(taskId, direction)
    if (current?.id !== rating.id || current.status !== 'due') return
    await tx.endRating(rating.id, { status: 'refused' }, now)
    await tx.putRating({ ...fresh, status: 'due' }, now, now)
  })
}
