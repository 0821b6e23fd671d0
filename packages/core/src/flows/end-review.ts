import type { Dispute } from '../disputes/dispute.ts'
import { placeOf, totalsOf, type Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { requiredChecksPassed } from '../policy/required-checks.ts'
import type { Timer } from '../ports/store-timers.ts'
import type { Tx } from '../ports/store.ts'
import { silenceKey, type CaptureOrder } from '../settlements/order.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import type { Submission } from '../submissions/submission.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { bookMovement } from './book-movement.ts'
import type { Place } from './close-dispute.ts'
import { beginDispute } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { movedSoFar } from './resolve.ts'
import { attempt } from './settle.ts'

/** How often a release that is refused is tried, before a dispute opens instead. */
const triesMost = 5

/**
 * The review time is over and nobody decided (decision 0158): where the required checks passed and the payer signed for
 * it beforehand, the worker is paid; otherwise a dispute opens.
 */
export async function endReview(deps: MarketDeps, timer: Timer): Promise<void> {
  const now = deps.clock.now()
  const prepared = timer.attempts > triesMost ? null : await prepareRelease(deps, timer.taskId)
  const settlement = await deps.store.transaction(async (tx): Promise<Settlement | null> => {
    const task = await tx.lockTask(timer.taskId)
    const submission = task === null || task.status !== 'verifying' ? null : await pendingOf(tx, task.id)
    if (task === null || task.policy === null || submission === null) {
      await tx.dropTimer(timer)
      return null
    }
    // Of an earlier review, or early: the one that runs has its whole time.
    if (task.reviewUntil !== null && task.reviewUntil > now) {
      await tx.putTimer(task.id, 'review_end', task.reviewUntil)
      return null
    }
    // What is in flight is finished first.
    if (await tx.hasOpenSettlement(task.id)) return null
    const place = { deps, tx, task, now }
    if (prepared !== null && requiredChecksPassed(submission)) return claimRelease(place, submission, prepared)
    await disputeSilence(place, submission, 'The review time is over and nobody decided.')
    await tx.dropTimer(timer)
    return null
  })
  if (settlement === null) return
  const ending = await attempt(deps, settlement)
  if (ending.state !== 'refused') deps.wakeup.settlements()
}

type Prepared = {
  readonly payment: Payment
  readonly order: Pick<CaptureOrder, 'amount' | 'order' | 'after'>
  /** What moved past us, to be booked before. */
  readonly moved: readonly Movement[]
}

/**
 * What the payer's standing order lets through: all that is still held. Null where there is no such order, and where
 * the authorization has ended: nothing can be captured any more, and what is held goes back without further tries.
 */
async function prepareRelease(deps: MarketDeps, taskId: string): Promise<Prepared | null> {
  const { store, signatures, clock } = deps
  const [payment, standing] = await Promise.all([store.escrowPayment(taskId), store.standingOrder(taskId)])
  if (payment === null || standing === null || standing['payment'] !== payment.hash) return null
  if (clock.now().getTime() >= payment.authorizationExpiry * 1_000) return null
  const moved = await movedSoFar(deps, payment)
  const atomic = moved.length === 0 ? payment.maxAmount : totalsOf(moved).capturable
  if (atomic === 0n) return null
  const amount = { atomic, asset: payment.asset }
  const last = moved.at(-1)
  const after = last === undefined ? {} : { after: placeOf(last) }
  const order = await signatures.standingRelease(payment, amount, standing, clock.now())
  return { payment, order: { amount, order, ...after }, moved }
}

async function claimRelease(
  { deps, tx, task, now }: Place,
  submission: Submission,
  { payment, order, moved }: Prepared,
): Promise<Settlement | null> {
  const current = await tx.escrowPayment(task.id)
  if (task.escrowStatus !== 'authorized' || current?.hash !== payment.hash) return null
  for (const movement of moved) await bookMovement({ deps, tx, task, now }, payment, movement, null)
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId: task.id,
    submissionId: submission.id,
    executorId: submission.executorId,
    purpose: 'release',
    subject: payment.hash,
    order: {
      kind: 'capture',
      key: `${silenceKey}${payment.hash}:${id}`,
      payment,
      issuedAt: Math.floor(now.getTime() / 1_000),
      ...order,
    },
  })
  if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) return null
  await tx.changeTask(task.id, { escrowStatus: 'releasing' }, now)
  await sayLapsed({ deps, tx, task, now }, submission, 'release')
  return settlement
}

async function pendingOf(tx: Tx, taskId: string): Promise<Submission | null> {
  const id = await tx.pendingSubmission(taskId)
  return id === null ? null : tx.lockSubmission(id)
}

/** Silence is a dispute, and never a refund. */
export async function disputeSilence(place: Place, submission: Submission, description: string): Promise<void> {
  const { deps, tx, task, now } = place
  if (!canMove(task.status, 'lapse')) return
  const dispute: Dispute = {
    id: deps.ids.next(),
    taskId: task.id,
    submissionId: submission.id,
    status: 'open',
    openedBy: 'service',
    reason: 'no_response',
    description,
    criteria: [],
    resolution: null,
    resolvedAt: null,
    createdAt: now,
  }
  await tx.moveTask(task.id, 'disputed', now)
  await tx.insertDispute(dispute)
  // A change that never came is the worker's silence.
  if (task.status === 'verifying') await tx.countDecision(task.publisherWallet, 'silent', null)
  await sayLapsed(place, submission, 'dispute')
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'dispute.opened',
    taskId: task.id,
    at: now,
    data: { task_id: task.id, submission_id: submission.id, dispute_id: dispute.id },
  })
  await beginDispute(place)
}

/** What silence did, with the checks it went by. */
export async function sayLapsed(
  { deps, tx, task, now }: Place,
  { id, checks }: Submission,
  outcome: 'release' | 'dispute',
): Promise<void> {
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'review.lapsed',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      submission_id: id,
      outcome,
      checks: checks.map(({ name, result }) => ({ name, result })),
    },
  })
}
