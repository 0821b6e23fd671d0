import type { TaskStatus } from '@ergon/contract'
import type { AdminAct } from '../admin/audit-line.ts'
import { forcedMove } from '../admin/forced-move.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { formatUsd } from '../money/amount.ts'
import type { NewEvent } from '../ports/store.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { SeenTask } from '../tasks/task.ts'
import { withDecider } from '../views/deciders.ts'
import { auditLine } from './audit.ts'
import { claimRefund } from './cancel.ts'
import type { Place } from './close-dispute.ts'
import { beginDispute } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { attempt } from './settle.ts'
import { tellUnchosen } from './tell-unchosen.ts'

/** `moving`: what is held is on its way back, and the status follows it. */
export type Forced = { readonly state: 'forced' | 'moving' | 'unchanged'; readonly task: SeenTask }

/** Puts a task into a status by the word of the operator, as far as no money contradicts it (decision 0057). */
export async function forceTask(deps: MarketDeps, taskId: string, to: TaskStatus, act: AdminAct): Promise<Forced> {
  const now = deps.clock.now()
  const written = await deps.store.transaction(async (tx): Promise<Settlement | 'forced' | 'moving' | 'unchanged'> => {
    const task = await tx.lockTask(taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    if (task.escrowStatus === 'refunding' && (to === 'cancelled' || task.status === to)) return 'moving'
    const move = forcedMove(task, to)
    if (move === 'unchanged') return 'unchanged'
    if (await tx.hasOpenSettlement(taskId)) throw new MarketError('APPROVAL_IN_FLIGHT', { task_id: taskId })
    if (move === 'refused')
      throw new MarketError('TASK_STATE_NOT_FORCEABLE', {
        task_id: taskId,
        status: task.status,
        escrow_status: task.escrowStatus,
        asked: to,
      })
    const place = { deps, tx, task, now }
    await tx.addAudit(
      auditLine(
        deps,
        act,
        'task.force',
        taskId,
        { status: task.status, escrow_status: task.escrowStatus },
        { status: to, refund: move === 'refund' },
      ),
    )
    return moves[move](place, to, act)
  })
  const ended = typeof written === 'string' ? null : await attempt(deps, written)
  if (ended?.state === 'open') deps.wakeup.settlements()
  const read = await deps.store.taskView(taskId)
  if (read === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  const task = await withDecider(deps, read)
  if (typeof written === 'string') return { state: written, task }
  // The payer took the funds back past us: nothing is held any more, and asking again finds it so.
  if (ended?.state === 'refused')
    throw new MarketError('REFUND_FAILED', { ...ended.refusal.details, cause: ended.refusal.code, task_id: taskId })
  return { state: task.escrowStatus === 'refunding' ? 'moving' : 'forced', task }
}

type Written = Settlement | 'forced'

const moves: Readonly<
  Record<'move' | 'refund' | 'dispute', (place: Place, to: TaskStatus, act: AdminAct) => Promise<Written>>
> = {
  async move(place, to) {
    await step(place, to)
    return 'forced'
  },
  /** Expired at once, cancelled when the money is back, as without force (decision 0035). */
  async refund(place, to) {
    if (to === 'expired') await step(place, to)
    return claimRefund(place.deps, place.tx, place.task, true, place.now)
  },
  async dispute(place, _to, act) {
    const { deps, tx, task, now } = place
    const submissionId = await tx.pendingSubmission(task.id)
    if (submissionId === null)
      throw new MarketError('TASK_STATE_NOT_FORCEABLE', { task_id: task.id, status: task.status, asked: 'disputed' })
    const dispute: Dispute = {
      id: deps.ids.next(),
      taskId: task.id,
      submissionId,
      status: 'open',
      openedBy: 'admin',
      reason: 'other',
      description: act.reason,
      criteria: [],
      resolution: null,
      resolvedAt: null,
      createdAt: now,
    }
    await tx.moveTask(task.id, 'disputed', now)
    await tx.insertDispute(dispute)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'dispute.opened',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, submission_id: submissionId, dispute_id: dispute.id },
    })
    await beginDispute(place)
    return 'forced'
  },
}

async function step({ deps, tx, task, now }: Place, to: TaskStatus): Promise<void> {
  if (to === 'published' && task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
  if (to !== 'published' && task.executorId === null) await tellUnchosen({ deps, tx, task, now }, 'task_ended')
  await tx.moveTask(task.id, to, now)
  if (to === 'expired') await tx.expireDisputes(task.id, now)
  await tx.addEvent(eventOf({ deps, task, now }, to))
}

function eventOf({ deps, task, now }: Pick<Place, 'deps' | 'task' | 'now'>, to: TaskStatus): NewEvent {
  const about = { id: deps.ids.next(), taskId: task.id, at: now }
  if (to === 'cancelled')
    return { ...about, type: 'task.cancelled', data: { task_id: task.id, refund_tx: task.refundTx } }
  if (to === 'expired') return { ...about, type: 'task.expired', data: { task_id: task.id } }
  return {
    ...about,
    type: 'task.created',
    data: {
      task_id: task.id,
      title: task.title,
      category: task.category,
      bounty_usd: Number(formatUsd(task.bounty)),
      network: task.bounty.asset.network,
    },
  }
}
