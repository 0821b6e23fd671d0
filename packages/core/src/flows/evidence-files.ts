import type { AdminCaller, WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { UploadLink } from '../ports/surroundings.ts'
import type { UploadSizes } from '../ports/uploads.ts'
import { storedFile, type StoredFile } from '../submissions/evidence-rules.ts'
import type { Submission } from '../submissions/submission.ts'
import { uploadCharge, uploadRefusal } from '../submissions/upload-budget.ts'
import { uploadKind, type UploadWords } from '../submissions/upload-kind.ts'
import type { Task } from '../tasks/task.ts'
import { stamped } from '../views/task-views.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask } from './read.ts'
import { assignedTask, requireSubmittable } from './submit.ts'

export type Upload = UploadLink & { readonly contentType: string }
export type UploadInput = UploadWords & {
  readonly taskId: string
  /** The length, where it is known before. */
  readonly bytes: number | null
}
export type DownloadLink = { readonly key: string; readonly url: string; readonly expiresInSec: number }

/**
 * A link to upload one file of evidence to, with room for it; for the worker of the task alone.
 * @throws VALIDATION_FAILED for a file that such evidence does not take, UPLOAD_QUOTA_EXCEEDED, UPLOAD_BUDGET_SPENT
 */
export async function presignUpload(deps: MarketDeps, caller: WalletCaller, input: UploadInput): Promise<Upload> {
  const contentType = uploadKind(input)
  const { task, executorId } = await assignedTask(deps, caller, input.taskId)
  const now = deps.clock.now()
  requireSubmittable(task, now)
  const link = await deps.evidence.presignUpload({ taskId: task.id, executorId, contentType, bytes: input.bytes }, now)
  const room = uploadCharge(input.bytes ?? link.maxBytes)
  const spent = await deps.uploads.reserve({ taskId: task.id, executorId, key: link.key, bytes: room }, now)
  if (spent !== null) throw uploadRefusal(spent, deps.uploads.limits)
  return { ...link, maxBytes: Math.min(link.maxBytes, room), contentType }
}

/**
 * A fresh link to a stored file. The worker who uploaded it and whoever decides disputes get it as it is; the
 * publisher gets the clean copy, of submitted files alone, and the reading is stamped (spec §4, decision 0052).
 * @throws NOT_FOUND, FORBIDDEN, EVIDENCE_TAKEN_DOWN for a file that the operator deleted (decision 0130)
 */
export async function presignDownload(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  key: string,
): Promise<DownloadLink> {
  const owner = deps.evidence.ownerOf(key)
  if (owner === null) throw new MarketError('NOT_FOUND', { key })
  const task = await existingTask(deps, owner.taskId)
  const readable = await readableKey(deps, caller, task, { key, executorId: owner.executorId })
  return { key: readable, ...(await deps.evidence.presignDownload(readable, deps.clock.now())) }
}

/** What uploads take in all. */
export async function uploadSizes({ uploads }: MarketDeps): Promise<UploadSizes> {
  return uploads.sizes()
}

async function readableKey(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  task: Task,
  file: { readonly key: string; readonly executorId: string },
): Promise<string> {
  const isPublisher = caller.kind !== 'admin' && caller.wallet === task.publisherWallet
  if (caller.kind !== 'admin' && !isPublisher) {
    const worker = await deps.store.workerByWallet(caller.wallet)
    if (worker?.id !== file.executorId) throw new MarketError('FORBIDDEN', { key: file.key })
  }
  const submissions = await deps.store.submissions(task.id)
  const held = submissions.flatMap((submission) => {
    const found = filesOf(submission).find((one) => one.key === file.key || one.clean_key === file.key)
    return found === undefined ? [] : [{ submission, found }]
  })[0]
  if (held === undefined && submissions.some(({ takenDown }) => takenDown?.keys.includes(file.key) === true))
    throw new MarketError('EVIDENCE_TAKEN_DOWN', { key: file.key })
  if (!isPublisher) return file.key
  if (held === undefined) throw new MarketError('FORBIDDEN', { key: file.key })
  await stamped(deps, [held.submission])
  return held.found.clean_key ?? held.found.key
}

const filesOf = (submission: Submission): readonly StoredFile[] =>
  Object.entries(submission.evidence).flatMap(([type, value]) => storedFile(type, value) ?? [])
