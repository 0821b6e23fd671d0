import type { AdminAct } from '../admin/audit-line.ts'
import { MarketError } from '../errors.ts'
import { networkNamed } from '../network.ts'
import { hourMs } from '../policy/policy.ts'
import { isFinal } from '../tasks/lifecycle.ts'
import type { SeenTask } from '../tasks/task.ts'
import { withDecider } from '../views/deciders.ts'
import { auditLine } from './audit.ts'
import type { MarketDeps } from './deps.ts'

/**
 * The operator's clock (decision 0172): the deadline, the review and the timers of one task come closer, as if so many
 * hours had passed for it. Only where the money is made up: whoever waits for real money waits for real time.
 */
export async function elapse(deps: MarketDeps, taskId: string, hours: number, act: AdminAct): Promise<SeenTask> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    const { network } = task.bounty.asset
    if (networkNamed(deps.networks, network).isLocal !== true)
      throw new MarketError(
        'FEATURE_DISABLED',
        { network },
        {
          message: 'Time passes by itself where money is real: this moves the clock of tasks on the local chain alone.',
        },
      )
    if (isFinal(task.status))
      throw new MarketError('TASK_STATE_NOT_FORCEABLE', { task_id: taskId, status: task.status })
    await tx.elapseTask(taskId, hours * hourMs, now)
    // The end of an offer is signed, so only that of a ruling moves.
    if (task.turn?.kind === 'ruling')
      await tx.changeTask(taskId, { turn: { ...task.turn, untilMs: task.turn.untilMs - hours * hourMs } }, now)
    const deadline = new Date(task.deadline.getTime() - hours * hourMs).toISOString()
    await tx.addAudit(
      auditLine(deps, act, 'task.elapse', taskId, { deadline: task.deadline.toISOString() }, { deadline, hours }),
    )
  })
  const task = await deps.store.taskView(taskId)
  if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  return withDecider(deps, task)
}
