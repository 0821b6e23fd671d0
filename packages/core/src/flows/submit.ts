import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { isStream } from '../channels/stream.ts'
import { requireEvidence, schemaCheck } from '../submissions/evidence-rules.ts'
import type { Evidence, Submission } from '../submissions/submission.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { beginReview } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, requireVisible } from './read.ts'
import { deviceClaims } from '../verification/device-claims.ts'
import { fixOf } from '../verification/fix-of.ts'
import { takeEvidence } from './take-evidence.ts'
import { filesOf } from './verify.ts'

export type SubmitInput = {
  readonly executorId: string | null
  readonly evidence: Evidence
  readonly notes: string | null
  readonly deviceMetadata: Readonly<Record<string, unknown>> | null
}

/** The assigned worker submits: SUBMITTED and at once VERIFYING, both recorded (decision 0011). */
export async function submit(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: SubmitInput,
): Promise<{ readonly submission: Submission; readonly task: Task }> {
  const { task, executorId } = await assignedTask(deps, caller, taskId)
  if (input.executorId !== null && input.executorId !== executorId)
    throw new MarketError('FORBIDDEN', { executor_id: input.executorId })
  const now = deps.clock.now()
  if (isStream(task))
    throw new MarketError(
      'TASK_NOT_SUBMITTABLE',
      { task_id: taskId, status: task.status },
      { message: 'A session is paid as it passes: there is nothing to hand in.' },
    )
  requireSubmittable(task, now)
  requireEvidence(input.evidence, task.evidenceRequired, task.evidenceOptional)
  const submission = await draft(deps, task, executorId, input, now)
  await deps.identified(caller)
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    requireSubmittable(current, now)
    await tx.insertSubmission(submission)
    await tx.addVerification(submission, {
      device: deviceClaims(input.deviceMetadata),
      files: filesOf(submission),
      fix: fixOf(submission.evidence.gps),
    })
    await tx.moveTask(taskId, 'submitted', now)
    await tx.moveTask(taskId, 'verifying', now)
    await beginReview({ deps, tx, task: current, now })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'task.submitted',
      taskId,
      at: now,
      data: { task_id: taskId, submission_id: submission.id },
    })
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'submission.received',
      taskId,
      at: now,
      data: { task_id: taskId, submission_id: submission.id, evidence_types: Object.keys(submission.evidence) },
    })
  })
  deps.wakeup.verifications()
  return { submission, task: { ...task, status: 'verifying', updatedAt: now } }
}

/** The task, for the worker it is assigned to alone. */
export async function assignedTask(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
): Promise<{ readonly task: Task; readonly executorId: string }> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null || task.executorId !== worker.id)
    throw new MarketError(
      'FORBIDDEN',
      { task_id: taskId, status: task.status },
      { message: `This task is not assigned to your wallet; its status is ${task.status}.` },
    )
  return { task, executorId: worker.id }
}

/** A refund or release in flight closes the door: the money is already on its way. */
export function requireSubmittable(task: Pick<Task, 'id' | 'status' | 'escrowStatus' | 'deadline'>, now: Date): void {
  if (!canMove(task.status, 'submit') || task.escrowStatus === 'refunding')
    throw new MarketError('TASK_NOT_SUBMITTABLE', {
      task_id: task.id,
      status: task.status,
      escrow_status: task.escrowStatus,
    })
  if (task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
}

/** Only the form is checked at once: there is no score before the checks have run (decision 0053). */
async function draft(
  deps: MarketDeps,
  task: Task,
  executorId: string,
  input: SubmitInput,
  now: Date,
): Promise<Submission> {
  const evidence = await takeEvidence(deps, { taskId: task.id, executorId }, input.evidence)
  return {
    id: deps.ids.next(),
    taskId: task.id,
    executorId,
    status: 'pending_review',
    submittedAt: now,
    evidence,
    notes: input.notes,
    checks: [schemaCheck],
    preCheckScore: null,
    coverage: null,
    verifiedAt: null,
    rejectionReason: null,
    paymentTx: null,
    decidedAt: null,
    evidenceAccessedAt: null,
    takenDown: null,
  }
}
