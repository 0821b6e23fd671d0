import type { EvidenceType } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Upload } from '../market.ts'
import { evidenceRules, evidenceTypes, fitsRule, requireEvidence, schemaCheck, scoreOf, type StoredFile } from '../submissions/evidence-rules.ts'
import type { Check, Evidence, Submission } from '../submissions/submission.ts'
import { canMove } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, requireVisible } from './read.ts'

export type SubmitInput = { readonly executorId: string | null; readonly evidence: Evidence; readonly notes: string | null; readonly deviceMetadata: Readonly<Record<string, unknown>> | null }

/** The assigned worker submits: SUBMITTED and at once VERIFYING, both recorded (decision 0011). */
export async function submit(deps: MarketDeps, caller: WalletCaller, taskId: string, input: SubmitInput): Promise<{ readonly submission: Submission; readonly task: Task }> {
  const { task, executorId } = await assignedTask(deps, caller, taskId)
  if (input.executorId !== null && input.executorId !== executorId) throw new MarketError('FORBIDDEN', { executor_id: input.executorId })
  const now = deps.clock.now()
  requireSubmittable(task, now)
  requireEvidence(input.evidence, task.evidenceRequired, task.evidenceOptional)
  const submission = await draft(deps, task, executorId, input, now)
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(taskId)
    if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
    requireSubmittable(current, now)
    await tx.insertSubmission(submission)
    await tx.moveTask(taskId, 'submitted', now)
    await tx.moveTask(taskId, 'verifying', now)
    await tx.addEvent({ id: deps.ids.next(), type: 'task.submitted', taskId, at: now, data: { task_id: taskId, submission_id: submission.id } })
    await tx.addEvent({ id: deps.ids.next(), type: 'submission.received', taskId, at: now, data: { task_id: taskId, submission_id: submission.id, evidence_types: Object.keys(submission.evidence) } })
  })
  return { submission, task: { ...task, status: 'verifying', updatedAt: now } }
}

async function assignedTask(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<{ readonly task: Task; readonly executorId: string }> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const worker = await deps.store.workerByWallet(caller.wallet)
  if (worker === null || task.executorId !== worker.id) throw new MarketError('FORBIDDEN', { task_id: taskId })
  return { task, executorId: worker.id }
}

/** A refund or release in flight closes the door: the money is already on its way. */
function requireSubmittable(task: Task, now: Date): void {
  if (!canMove(task.status, 'submit') || task.escrowStatus === 'refunding') throw new MarketError('TASK_NOT_SUBMITTABLE', { task_id: task.id, status: task.status, escrow_status: task.escrowStatus })
  if (task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
}

const verificationChecks = ['proximity', 'time_window', 'duplicates', 'metadata', 'review'] as const

async function draft(deps: MarketDeps, task: Task, executorId: string, input: SubmitInput, now: Date): Promise<Submission> {
  const evidence: Partial<Record<EvidenceType, unknown>> = {}
  for (const type of evidenceTypes) {
    if (input.evidence[type] !== undefined) evidence[type] = await held(deps, task.id, executorId, type, input.evidence[type])
  }
  const checks: readonly Check[] = [schemaCheck, ...verificationChecks.map((name) => ({ name, result: 'not_configured' as const, reason: 'this deployment does not run it' }))]
  const { score, coverage } = scoreOf(checks)
  return { id: deps.ids.next(), taskId: task.id, executorId, status: 'pending_review', submittedAt: now, evidence, notes: input.notes, checks, preCheckScore: score, coverage, rejectionReason: null, paymentTx: null, decidedAt: null, evidenceAccessedAt: null }
}

/** Holds one piece of evidence against its rule; a link becomes the stored file it stands for. */
async function held(deps: MarketDeps, taskId: string, executorId: string, type: EvidenceType, value: unknown): Promise<unknown> {
  if (!fitsRule(type, value)) throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: evidenceRules[type].kind })
  const rule = evidenceRules[type]
  if (rule.kind !== 'file' || typeof value !== 'string') return value
  const file = await deps.evidence.resolve(value, { taskId, executorId })
  if (file === null) throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: 'a link from GET /api/v1/evidence/presign-upload for this task, with the file uploaded' })
  if (!rule.contentTypes.includes(file.contentType)) throw new MarketError('EVIDENCE_INVALID', { field: type, constraint: rule.contentTypes, received: file.contentType })
  return { key: file.key, content_type: file.contentType, bytes: file.bytes, sha256: file.sha256 } satisfies StoredFile
}

const extensions: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'application/pdf': 'pdf', 'video/mp4': 'mp4', 'text/plain': 'txt', 'application/json': 'json' }

/** A link to upload one file of evidence to; for the worker of the task alone. */
export async function presignUpload(deps: MarketDeps, caller: WalletCaller, input: { readonly taskId: string; readonly contentType: string }): Promise<Upload> {
  const { task, executorId } = await assignedTask(deps, caller, input.taskId)
  const now = deps.clock.now()
  requireSubmittable(task, now)
  const link = deps.evidence.presignUpload({ taskId: task.id, executorId, contentType: input.contentType, extension: extensions[input.contentType] ?? 'bin' }, now)
  return { ...link, contentType: input.contentType }
}
