import { MarketError } from '../errors.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'

/** @throws SUBMISSION_NOT_REVIEWABLE, naming where things stand */
export function requirePending(task: Task, submission: Submission): void {
  if (submission.status !== 'pending_review' || task.status !== 'verifying') {
    throw new MarketError('SUBMISSION_NOT_REVIEWABLE', {
      submission_id: submission.id,
      status: submission.status,
      task_status: task.status,
    })
  }
}

export const inFlight = (submission: Submission): MarketError =>
  new MarketError('APPROVAL_IN_FLIGHT', { submission_id: submission.id })
