import type { Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { claimRefund } from './cancel.ts'
import type { MarketDeps } from './deps.ts'
import { onEach } from './each-network.ts'
import { attempt } from './settle.ts'
import { tellUnchosen } from './tell-unchosen.ts'

const batch = 20

/** Expires tasks whose deadline passed and refunds what they hold; what was handed in has a default (decision 0157). */
export function expire(deps: MarketDeps, networks?: readonly string[]): Promise<number> {
  return onEach(deps, networks, async (network) => {
    const due = await deps.store.dueTasks(network, deps.clock.now(), batch)
    const expired = await Promise.all(due.map((taskId) => expireUnlessHandedIn(deps, taskId)))
    return expired.filter(Boolean).length
  })
}

const handedIn: readonly Task['status'][] = ['in_progress', 'submitted', 'verifying', 'disputed']

/** Whether the deadline of a task asks its policy first, or a ruling that is not carried out yet (decision 0168). */
export function hasDefault({ policy, status, turn }: Pick<Task, 'policy' | 'status' | 'turn'>): boolean {
  return (policy !== null && handedIn.includes(status)) || (status === 'disputed' && turn?.kind === 'ruling')
}

async function expireUnlessHandedIn(deps: MarketDeps, taskId: string): Promise<boolean> {
  const now = deps.clock.now()
  const isPutOff = await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null || task.deadline > now || !hasDefault(task)) return false
    await tx.putTimer(taskId, 'outcome', now)
    return true
  })
  return !isPutOff && expireTask(deps, taskId)
}

/** The deadline passed: EXPIRED at once, and what is held goes back until the chain shows it (decision 0035). */
export async function expireTask(deps: MarketDeps, taskId: string): Promise<boolean> {
  const now = deps.clock.now()
  const refund = await deps.store.transaction(async (tx): Promise<Settlement | 'none' | 'not now'> => {
    const task = await tx.lockTask(taskId)
    // What is in flight is finished first: nothing expires under a payment.
    if (task === null || !canMove(task.status, 'expire') || task.deadline > now || (await tx.hasOpenSettlement(taskId)))
      return 'not now'
    if (task.executorId === null) await tellUnchosen({ deps, tx, task, now }, 'task_ended')
    await tx.moveTask(taskId, 'expired', now)
    await tx.expireDisputes(taskId, now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.expired', taskId, at: now, data: { task_id: taskId } })
    return task.escrowStatus === 'authorized' ? claimRefund(deps, tx, task, true, now) : 'none'
  })
  if (refund === 'not now') return false
  if (refund !== 'none') await attempt(deps, refund)
  return true
}
