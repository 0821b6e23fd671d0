import type { Operations, OutputOf } from '@ergon/contract'
import type { ApplicationView, Correlation, Dispute, Submission, TakenDown, Task, WorkerView } from '@ergon/core'
import { presentCorrelation } from './correlation.ts'
import { instant, instantOrNull } from './instant.ts'
import { pictureUrl } from './picture.ts'

type WireApplication = OutputOf<Operations['tasks.applications']>['applications'][number]
type WireSubmission = OutputOf<Operations['submissions.get']>
type WireWorker = OutputOf<Operations['workers.get']>
type WireDispute = OutputOf<Operations['tasks.reject']>['dispute']

export function presentApplication(
  application: ApplicationView,
  correlation: Correlation | undefined,
): WireApplication {
  const { reputation } = application
  return {
    id: application.id,
    task_id: application.taskId,
    executor_id: application.executorId,
    wallet_address: application.wallet,
    display_name: application.displayName,
    picture_url: pictureUrl(application.picture),
    executor_type: application.party,
    status: application.status,
    message: application.message,
    created_at: instant(application.createdAt),
    avg_rating: reputation.avgRating,
    effective_reputation_score: reputation.effective,
    onchain_reputation_score: reputation.onchain,
    reputation_score: reputation.heuristic,
    erc8004_agent_id: application.agentId,
    tasks_completed: reputation.tasksCompleted,
    counterparty_correlation: presentCorrelation(correlation),
  }
}

export function presentTakenDown(taken: TakenDown | null): WireSubmission['taken_down'] {
  return taken === null ? null : { at: instant(taken.at), hashes: { ...taken.hashes } }
}

export function presentSubmission(submission: Submission): WireSubmission {
  return {
    id: submission.id,
    task_id: submission.taskId,
    executor_id: submission.executorId,
    status: submission.status,
    submitted_at: instant(submission.submittedAt),
    pre_check_score: submission.preCheckScore,
    coverage: submission.coverage,
    checks: submission.checks.map((check) => ({
      name: check.name,
      result: check.result,
      reason: check.reason,
      reason_code: check.code,
      figures: check.figures === null ? null : { ...check.figures },
    })),
    verification: submission.verifiedAt === null ? 'pending' : 'done',
    verified_at: instantOrNull(submission.verifiedAt),
    evidence: { ...submission.evidence },
    notes: submission.notes,
    taken_down: presentTakenDown(submission.takenDown),
    rejection_reason: submission.rejectionReason,
    payment_tx: submission.paymentTx,
    decided_at: instantOrNull(submission.decidedAt),
    evidence_accessed_at: instantOrNull(submission.evidenceAccessedAt),
  }
}

export function presentWorker(worker: WorkerView): WireWorker {
  const { reputation } = worker
  return {
    id: worker.id,
    wallet_address: worker.wallet,
    display_name: worker.displayName,
    picture_url: pictureUrl(worker.picture),
    executor_type: worker.party,
    erc8004_agent_id: worker.agentId,
    tasks_completed: reputation.tasksCompleted,
    avg_rating: reputation.avgRating,
    reputation_score: reputation.heuristic,
    onchain_reputation_score: reputation.onchain,
    effective_reputation_score: reputation.effective,
    created_at: instant(worker.createdAt),
  }
}

export function presentDispute(dispute: Dispute): WireDispute {
  return {
    id: dispute.id,
    task_id: dispute.taskId,
    submission_id: dispute.submissionId,
    status: dispute.status,
    reason: dispute.reason,
    description: dispute.description,
    criteria: [...dispute.criteria],
    opened_by: dispute.openedBy,
    created_at: instant(dispute.createdAt),
  }
}

/** What an application answers. */
export function presentApplied({
  id,
  taskId,
  executorId,
  status,
}: Pick<ApplicationView, 'id' | 'taskId' | 'executorId' | 'status'>): OutputOf<Operations['tasks.apply']> {
  return {
    application_id: id,
    task_id: taskId,
    executor_id: executorId,
    status: status === 'accepted' ? 'accepted' : 'pending',
  }
}

type Decided = Pick<Submission, 'id'>
type Standing = Pick<Task, 'id' | 'status'>

/** What handing in answers. */
export function presentHandedIn(
  { id, submittedAt }: Pick<Submission, 'id' | 'submittedAt'>,
  task: Standing,
): OutputOf<Operations['tasks.submit']> {
  return {
    submission_id: id,
    task_id: task.id,
    status: 'pending_review',
    task_status: task.status,
    submitted_at: instant(submittedAt),
  }
}

/** What a request for changes answers. */
export function presentReturned(
  submission: Decided,
  task: Standing,
): OutputOf<Operations['submissions.requestChanges']> {
  return { submission_id: submission.id, task_id: task.id, status: 'rejected', task_status: task.status }
}

/** What a rejection answers. */
export function presentRejection(
  submission: Decided,
  task: Standing,
  dispute: Dispute,
): OutputOf<Operations['submissions.reject']> {
  return { ...presentReturned(submission, task), dispute: presentDispute(dispute) }
}
