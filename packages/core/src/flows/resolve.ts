import type { DisputeVerdict } from '@ergon/contract'
import type { Ruling } from '../disputes/ruling.ts'
import type { AdminAct } from '../admin/audit-line.ts'
import type { Caller } from '../caller.ts'
import { divideBounty, sideOf, type DisputeView, type Resolution } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { placeOf, totalsOf, type Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import { splitFee } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { RailOrder } from '../settlements/order.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { canMove, type Move } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { auditLine } from './audit.ts'
import { within } from './award-left.ts'
import { bookMovement } from './book-movement.ts'
import { voidOf } from './cancel.ts'
import { cancelDisputed, closeDispute, type Place } from './close-dispute.ts'
import { completeTask } from './complete.ts'
import type { MarketDeps } from './deps.ts'
import { existingDispute } from './dispute.ts'
import { endOffersBy } from './end-offer.ts'
import { readable } from './readable.ts'
import { attempt, attemptInTime } from './settle.ts'

export type ResolveInput = {
  readonly verdict: DisputeVerdict
  /** The payer's share in percent; of a split alone. */
  readonly splitPct: number | null
  readonly reason: string
  /** Whoever holds the admin key; leaves a line in the audit log (decision 0057). */
  readonly by?: Pick<AdminAct, 'actor' | 'requestId'>
  /** The ruling that is carried out; absent where the operator decides. */
  readonly ruling?: Ruling
}
/** `resolving`: money is on its way and the reconciler finishes it. */
export type ResolvedDispute = { readonly state: 'resolved' | 'resolving'; readonly dispute: DisputeView }

const moves = { release: 'resolveRelease', refund: 'resolveRefund', split: 'resolveSplit' } as const satisfies Record<
  ResolveInput['verdict'],
  Move
>

type Case = {
  readonly dispute: DisputeView
  readonly resolution: Resolution
  readonly payment: Payment | null
  /** What moved so far, where it was more than the lock. */
  readonly moved: readonly Movement[]
  readonly by: ResolveInput['by']
  readonly ruling: Ruling | null
  readonly isMetered: boolean
}

/**
 * Decides a dispute and moves the money as decided (decision 0046): one claim, or two for a split, of which the second
 * follows the first. A resolution that cannot be paid is taken back; one that was paid never is.
 */
export async function resolveDispute(
  deps: MarketDeps,
  caller: Caller,
  disputeId: string,
  input: ResolveInput,
): Promise<ResolvedDispute> {
  const dispute = await existingDispute(deps, disputeId)
  if (caller.kind === 'wallet' && sideOf(dispute, caller.wallet) !== null)
    throw new MarketError('FORBIDDEN', { dispute_id: disputeId })
  requireShare(input)
  const payment = await deps.store.escrowPayment(dispute.taskId)
  const facts: Case = {
    dispute,
    resolution: { verdict: input.verdict, splitPct: input.splitPct, reason: input.reason },
    payment,
    moved: await movedSoFar(deps, payment),
    by: input.by,
    ruling: input.ruling ?? null,
    isMetered: payment === null && (await deps.store.meterTerms(dispute.taskId)) !== null,
  }
  const [first, second] = await claimResolution(deps, facts)
  const ending = first === undefined ? null : await attempt(deps, first)
  if (ending?.state === 'refused')
    throw new MarketError(
      ending.refusal.code,
      { ...ending.refusal.details, dispute_id: disputeId },
      ending.refusal.message === undefined ? {} : { message: ending.refusal.message },
    )
  if (ending?.state === 'confirmed' && second !== undefined) await attemptInTime(deps, second)
  const after = await existingDispute(deps, disputeId)
  deps.wakeup.settlements()
  return { state: after.status === 'resolved' ? 'resolved' : 'resolving', dispute: after }
}

/**
 * The verdict divides what was locked, so what its payer paid out past us counts. A chain that cannot be read is asked
 * again when it refuses.
 */
export async function movedSoFar(deps: MarketDeps, payment: Payment | null): Promise<readonly Movement[]> {
  if (payment === null) return []
  const rail = deps.rails(payment.network)
  const state = await readable(() => rail.escrowState(payment))
  if (state === null || state.capturable === payment.maxAmount) return []
  return (await readable(() => rail.movements(payment))) ?? []
}

export function requireShare({ verdict, splitPct }: Pick<ResolveInput, 'verdict' | 'splitPct'>): void {
  const isRight =
    verdict === 'split'
      ? splitPct !== null && Number.isInteger(splitPct) && splitPct >= 1 && splitPct <= 99
      : splitPct === null
  if (!isRight)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'split_pct',
      constraint: '1 to 99 with the verdict split, and left out with any other',
      received: String(splitPct),
    })
}

async function claimResolution(deps: MarketDeps, facts: Case): Promise<readonly Settlement[]> {
  const { dispute, resolution, payment, by } = facts
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await lockResolvable(tx, facts)
    await requireAppeal(tx, task, facts, now)
    await endOffersBy({ deps, tx, task, now }, null, 'withdrawn')
    await tx.changeDispute(dispute.id, { status: 'resolving', resolution, resolvedAt: null })
    if (by !== undefined)
      await tx.addAudit(
        auditLine(
          deps,
          { ...by, reason: resolution.reason },
          'dispute.resolve',
          dispute.id,
          { status: dispute.status, escrow_status: task.escrowStatus },
          { verdict: resolution.verdict, split_pct: resolution.splitPct },
        ),
      )
    if (isOwed(task, facts)) {
      await tx.changeTask(task.id, { turn: { kind: 'owed' } }, now)
      return []
    }
    await tx.changeTask(task.id, { turn: null }, now)
    if (movesNothing(task, resolution)) {
      await closeWithoutMoney({ deps, tx, task, now }, facts)
      return []
    }
    if (payment === null || task.escrowStatus !== 'authorized') throw notHeld(task, resolution, facts.isMetered)
    for (const movement of facts.moved) await bookMovement({ deps, tx, task, now }, payment, movement, null)
    const settlements = await settlementsOf({ deps, tx, task, now }, facts, payment)
    for (const settlement of settlements) {
      if (!(await tx.claimSettlement(settlement, leaseEnd(now))))
        throw new MarketError('APPROVAL_IN_FLIGHT', { dispute_id: dispute.id })
    }
    await tx.changeTask(
      task.id,
      { escrowStatus: settlements[0]?.order.kind === 'void' ? 'refunding' : 'releasing' },
      now,
    )
    return settlements
  })
}

async function lockResolvable(tx: Tx, { dispute, resolution }: Case): Promise<Task> {
  const task = await tx.lockTask(dispute.taskId)
  const submission = await tx.lockSubmission(dispute.submissionId)
  const current = await tx.lockDispute(dispute.id)
  if (task === null || submission === null || current === null)
    throw new MarketError('DISPUTE_NOT_FOUND', { dispute_id: dispute.id })
  if (await tx.hasOpenSettlement(task.id)) throw new MarketError('APPROVAL_IN_FLIGHT', { dispute_id: dispute.id })
  if (current.status !== 'open' || !canMove(task.status, moves[resolution.verdict]))
    throw new MarketError('DISPUTE_NOT_OPEN', {
      dispute_id: dispute.id,
      status: current.status,
      task_status: task.status,
    })
  return task
}

/** While a ruling can be appealed the operator does not decide beside it. @throws DISPUTE_NOT_OPEN */
async function requireAppeal(tx: Tx, task: Task, { dispute, ruling }: Case, now: Date): Promise<void> {
  const standing = await tx.lockRulingOf(task.id)
  if (standing === null) return
  if (ruling?.id === standing.id && standing.status === 'standing') return
  if (ruling === null && (standing.status === 'appealed' || standing.appealUntil <= now)) {
    await tx.endRuling(standing.id, 'overtaken', now)
    return
  }
  throw new MarketError(
    'DISPUTE_NOT_OPEN',
    { dispute_id: dispute.id, ruling_status: standing.status, appeal_until: standing.appealUntil.toISOString() },
    { message: 'An arbiter has ruled on this dispute, and nobody has appealed.' },
  )
}

/** Nothing is held: what is decided for the worker its publisher owes, and pays by approving (decision 0167). */
function isOwed(task: Task, { resolution, isMetered }: Case): boolean {
  if (resolution.verdict !== 'release' || task.escrowStatus !== 'none') return false
  return task.paymentTx === null && !isMetered
}

/** Nothing is held, or the payer has settled on chain what the verdict says. */
function movesNothing(task: Task, { verdict }: Resolution): boolean {
  if (verdict === 'refund') return task.escrowStatus === 'none' || task.escrowStatus === 'refunded'
  return task.escrowStatus === 'released' || (verdict === 'split' && task.escrowStatus === 'refunded')
}

async function closeWithoutMoney(place: Place, { dispute, resolution, payment, isMetered }: Case): Promise<void> {
  const { submissionId, executorId } = dispute
  if (resolution.verdict === 'refund' || place.task.escrowStatus === 'refunded')
    return cancelDisputed(place, submissionId, null)
  const before = payment === null ? [] : await place.tx.movements(payment.network, payment.hash)
  const paid = before.findLast(({ kind }) => kind === 'captured' || kind === 'charged')
  if (paid === undefined) throw notHeld(place.task, resolution, isMetered)
  await completeTask(place, {
    settlement: { submissionId, executorId, rating: null },
    landed: paid,
    released: null,
    gross: place.task.bounty,
    captured: totalsOf(before).captured,
    move: moves[resolution.verdict],
    escrowStatus: 'released',
  })
  await closeDispute(place, submissionId)
}

function notHeld(task: Task, { verdict }: Resolution, isMetered: boolean): MarketError {
  if (verdict !== 'refund') return notDivisible(task, isMetered)
  return new MarketError('ESCROW_NOT_REFUNDABLE', { task_id: task.id, escrow_status: task.escrowStatus })
}

const metered =
  'This task is paid by the unit: what was accepted is paid when its channel is closed, whatever is decided. Only a ' +
  'refund ends its dispute.'
const unheld =
  'Nothing is held for this task: a dispute about it is decided for the worker, or for the payer, as a whole.'

/** What a verdict would move where an escrow does not hold it. */
export function notDivisible({ id, escrowStatus }: Pick<Task, 'id' | 'escrowStatus'>, isMetered: boolean): MarketError {
  return new MarketError(
    'ESCROW_NOT_RELEASABLE',
    { task_id: id, escrow_status: escrowStatus, ...(isMetered ? { is_metered: true } : {}) },
    escrowStatus === 'none' ? { message: isMetered ? metered : unheld } : {},
  )
}

async function settlementsOf(
  { deps, tx, task, now }: Place,
  { dispute, resolution, moved }: Case,
  payment: Payment,
): Promise<readonly Settlement[]> {
  const { network, hash, asset } = payment
  const one = (purpose: Settlement['purpose'], orderOf: (id: string) => RailOrder, mustLand: boolean): Settlement => {
    const id = deps.ids.next()
    return claimed(id, now, {
      taskId: task.id,
      submissionId: dispute.submissionId,
      executorId: dispute.executorId,
      purpose,
      subject: hash,
      order: orderOf(id),
      mustLand,
    })
  }
  if (resolution.verdict === 'refund') {
    const back = await voidOf(tx, payment, '', now)
    return [one('return', (id) => ({ ...back, key: `return:${network}:${hash}:${id}` }), false)]
  }
  if (now.getTime() >= payment.authorizationExpiry * 1_000)
    throw new MarketError('AUTHORIZATION_EXPIRED', { task_id: task.id })
  const { award, remainder } = dividedNow(payment, resolution, moved)
  if (payment.maxAmount <= 0n || (remainder === 0n && splitFee({ atomic: award, asset }).payout.atomic <= 0n))
    throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  const last = moved.at(-1)
  const common = {
    payment,
    issuedAt: Math.floor(now.getTime() / 1_000),
    ...(last === undefined ? {} : { after: placeOf(last) }),
  }
  const paying = one(
    'award',
    (id) => ({ ...common, kind: 'capture', key: `award:${hash}:${id}`, amount: { atomic: award, asset }, order: null }),
    false,
  )
  const back = one(
    'remainder',
    (id) => ({ ...common, kind: 'void', key: `remainder:${hash}:${id}`, amount: { atomic: remainder, asset } }),
    true,
  )
  if (award === 0n) return [back]
  return remainder === 0n ? [paying] : [paying, back]
}

/**
 * The worker gets the share of what was locked less what was paid out before, the payer the rest. With nothing left,
 * the chain's refusal ends it.
 */
function dividedNow(
  payment: Payment,
  resolution: Resolution,
  moved: readonly Movement[],
): { readonly award: bigint; readonly remainder: bigint } {
  const totals = moved.length === 0 ? { capturable: payment.maxAmount, captured: 0n, returned: 0n } : totalsOf(moved)
  const locked = totals.capturable + totals.captured + totals.returned
  const share = divideBounty({ atomic: locked, asset: payment.asset }, resolution).award.atomic
  if (totals.capturable === 0n) return { award: share, remainder: 0n }
  const award = within(share - totals.captured, totals.capturable)
  return { award, remainder: totals.capturable - award }
}
