import type { Timer } from '../ports/store-timers.ts'
import { applyDefault } from './apply-default.ts'
import type { MarketDeps } from './deps.ts'
import { carryOutRuling } from './carry-out-ruling.ts'
import { allOf, onEach } from './each-network.ts'
import { expireOffers } from './end-offer.ts'
import { endReview } from './end-review.ts'
import { handOn } from './hand-on.ts'

const batch = 20

/** One round of what becomes due without anybody's doing (decision 0158); what could not be done is due again. */
export function runTimers(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const now = deps.clock.now()
    const due = await deps.store.leaseTimers(network, now, new Date(now.getTime() + deps.settings.leaseMs), batch)
    return allOf(await Promise.allSettled(due.map((timer) => runTimer(deps, timer)))).length
  })
}

function runTimer(deps: MarketDeps, timer: Timer): Promise<void> {
  switch (timer.kind) {
    case 'review_half':
      return remind(deps, timer, 50)
    case 'review_late':
      return remind(deps, timer, 90)
    case 'review_end':
      return endReview(deps, timer)
    case 'start_by':
      return handOn(deps, timer)
    case 'outcome':
      return applyDefault(deps, timer)
    case 'offer_end':
      return expireOffers(deps, timer)
    case 'ruling_end':
      return carryOutRuling(deps, timer)
  }
}

/** Tells both sides that a review runs out, and what happens then. */
async function remind({ store, clock, ids }: MarketDeps, timer: Timer, elapsedPct: 50 | 90): Promise<void> {
  const { taskId } = timer
  const at = clock.now()
  await store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    const submissionId = task?.status === 'verifying' ? await tx.pendingSubmission(taskId) : null
    if (submissionId !== null && task !== null && task.policy !== null && task.reviewUntil !== null)
      await tx.addEvent({
        id: ids.next(),
        type: 'review.reminder',
        taskId,
        at,
        data: {
          task_id: taskId,
          submission_id: submissionId,
          elapsed_pct: elapsedPct,
          review_until: task.reviewUntil.toISOString(),
          otherwise: task.policy.onSilence,
        },
      })
    await tx.dropTimer(timer)
  })
}
