import type { Timer } from '../ports/store-timers.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { hasNotBegun } from '../policy/start.ts'
import type { MarketDeps } from './deps.ts'
import { attempt } from './settle.ts'
import { openAgain } from './step-down.ts'
import { claimStepDown } from './withdraw.ts'

/**
 * The assigned worker has not begun in time (decision 0174): what is held goes back to the payer first, then the task
 * is open again and the next who waits is named. Where nobody waits, or the payer paid on chain by itself, the worker
 * keeps the task.
 */
export async function handOn(deps: MarketDeps, timer: Timer): Promise<void> {
  const now = deps.clock.now()
  const settlement = await deps.store.transaction(async (tx): Promise<Settlement | null> => {
    const task = await tx.lockTask(timer.taskId)
    if (task === null || !hasNotBegun(task)) {
      await tx.dropTimer(timer)
      return null
    }
    if (task.startBy > now) {
      await tx.putTimer(task.id, 'start_by', task.startBy)
      return null
    }
    // What is in flight is finished first.
    if (await tx.hasOpenSettlement(task.id)) return null
    const isMetered = task.escrowStatus === 'none' && (await tx.lockChannel(task.id)) !== null
    const waits = (await tx.pendingApplications(task.id, 1)).length > 0
    if (isMetered || !waits || task.escrowStatus === 'released') {
      await tx.dropTimer(timer)
      return null
    }
    if (task.escrowStatus === 'authorized') return claimStepDown(deps, tx, task, now)
    await openAgain({ deps, tx, task, now }, task.executorId, null)
    await tx.dropTimer(timer)
    return null
  })
  if (settlement === null) return
  // A refund that is refused is tried again when the timer is due again.
  if ((await attempt(deps, settlement)).state !== 'refused') deps.wakeup.settlements()
}
