import { MarketError } from '../errors.ts'
import type { Timer } from '../ports/store-timers.ts'
import { marginMs } from '../policy/policy.ts'
import { requiredChecksPassed } from '../policy/required-checks.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { carryOutRuling } from './carry-out-ruling.ts'
import type { MarketDeps } from './deps.ts'
import { disputeSilence, endReview } from './end-review.ts'
import { expireTask, hasDefault } from './expire.ts'
import { resolveDispute } from './resolve.ts'

/**
 * The moved deadline passed on work that was handed in (decision 0157): where the required checks passed, a dispute
 * that nobody decided is decided for the worker, and a change that never came is a dispute; otherwise the task expires.
 * What an arbiter ruled is carried out, with a policy or without.
 */
export async function applyDefault(deps: MarketDeps, timer: Timer): Promise<void> {
  const { taskId } = timer
  const task = await deps.store.task(taskId)
  if (task === null || !hasDefault(task) || task.deadline > deps.clock.now()) return drop(deps, timer)
  if ((await deps.store.openSettlement(taskId)) !== null) return
  if (task.status === 'verifying') {
    await endReview(deps, { ...timer, kind: 'review_end' })
    return drop(deps, timer)
  }
  // A task without a policy waits here for its ruling alone.
  const submission = task.policy === null ? undefined : await lastOf(deps, task)
  const isProven = submission !== undefined && requiredChecksPassed(submission)
  if (isProven && task.status === 'in_progress') {
    await disputeChanges(deps, task, submission)
    return drop(deps, timer)
  }
  if (task.status === 'disputed' && (await canPay(deps, task)) && (await isRuled(deps, task)))
    return carryOutRuling(deps, { ...timer, kind: 'ruling_end' })
  if (isProven && task.status === 'disputed' && (await canPay(deps, task)))
    return decideForWorker(deps, timer, submission)
  // Checks that have not run yet may still decide for the worker: they are waited for while the money can be.
  if (submission?.verifiedAt === null && (await canPay(deps, task, marginMs))) return
  if (await expireTask(deps, taskId)) await drop(deps, timer)
}

function drop({ store }: MarketDeps, timer: Timer): Promise<void> {
  return store.transaction((tx) => tx.dropTimer(timer))
}

/** What the assigned worker handed in last. */
async function lastOf({ store }: MarketDeps, { id, executorId }: Task): Promise<Submission | undefined> {
  return (await store.submissions(id)).find((one) => one.executorId === executorId)
}

/** Something is held, and can still be captured, so many milliseconds from now as well. */
async function canPay({ store, clock }: MarketDeps, { id, escrowStatus }: Task, leftMs = 0): Promise<boolean> {
  if (escrowStatus !== 'authorized') return false
  const payment = await store.escrowPayment(id)
  return payment !== null && clock.now().getTime() + leftMs < payment.authorizationExpiry * 1_000
}

/** What an arbiter ruled is carried out, and no default beside it. */
async function isRuled({ store }: MarketDeps, { id }: Task): Promise<boolean> {
  return store.transaction(async (tx) => (await tx.lockRulingOf(id))?.status === 'standing')
}

async function disputeChanges(deps: MarketDeps, { id }: Task, { id: submissionId }: Submission): Promise<void> {
  const now = deps.clock.now()
  await deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(id)
    const submission = await tx.lockSubmission(submissionId)
    if (task?.status !== 'in_progress' || submission === null || task.deadline > now) return
    await disputeSilence(
      { deps, tx, task, now },
      submission,
      'Changes were asked for and none came; what was handed in before had passed the required checks.',
    )
  })
}

/** As any resolution; one that cannot be paid now is tried again. */
async function decideForWorker(deps: MarketDeps, timer: Timer, { checks }: Submission): Promise<void> {
  const { rows } = await deps.store.disputes(
    { status: 'open', taskId: timer.taskId, wallet: null },
    { limit: 1, offset: 0, cursor: null },
  )
  const [dispute] = rows
  if (dispute === undefined) return
  const passed = checks.filter(({ result }) => result === 'passed').map(({ name }) => name)
  try {
    await resolveDispute(deps, { kind: 'anonymous' }, dispute.id, {
      verdict: 'release',
      splitPct: null,
      reason: `Nobody decided in time, and the required checks passed: ${passed.join(', ')}.`,
    })
    await drop(deps, timer)
  } catch (error) {
    if (!(error instanceof MarketError)) throw error
  }
}
