import type { Caller } from '../caller.ts'
import { divideBounty, sideOf, type DisputeView, type Resolution } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import type { Payment } from '../escrow/payment.ts'
import type { ResolvedDispute, ResolveInput } from '../market-disputes.ts'
import { splitFee } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { RailOrder } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { canMove, type Move } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import { leaseEnd } from './assign.ts'
import { auditLine } from './audit.ts'
import { voidOf } from './cancel.ts'
import { cancelDisputed, closeDispute, type Place } from './close-dispute.ts'
import type { MarketDeps } from './deps.ts'
import { existingDispute } from './dispute.ts'
import { attempt } from './settle.ts'

const moves = { release: 'resolveRelease', refund: 'resolveRefund', split: 'resolveSplit' } as const satisfies Record<ResolveInput['verdict'], Move>

type Case = { readonly dispute: DisputeView; readonly resolution: Resolution; readonly payment: Payment | null; readonly by: ResolveInput['by'] }

/**
 * Decides a dispute and moves the money as decided (decision 0046): one claim, or two for a split, of which the second
 * follows the first. A resolution that cannot be paid is taken back; one that was paid never is.
 */
export async function resolveDispute(deps: MarketDeps, caller: Caller, disputeId: string, input: ResolveInput): Promise<ResolvedDispute> {
  const dispute = await existingDispute(deps, disputeId)
  if (caller.kind === 'wallet' && sideOf(dispute, caller.wallet) !== null) throw new MarketError('FORBIDDEN', { dispute_id: disputeId })
  requireShare(input)
  const facts: Case = { dispute, resolution: { verdict: input.verdict, splitPct: input.splitPct, reason: input.reason }, payment: await deps.store.escrowPayment(dispute.taskId), by: input.by }
  const [first, second] = await claimResolution(deps, facts)
  const ending = first === undefined ? null : await attempt(deps, first)
  if (ending?.state === 'refused') throw new MarketError(ending.refusal.code, { ...ending.refusal.details, dispute_id: disputeId }, ending.refusal.message === undefined ? {} : { message: ending.refusal.message })
  if (ending?.state === 'confirmed' && second !== undefined) await attempt(deps, second)
  const after = await existingDispute(deps, disputeId)
  deps.wakeup.settlements()
  return { state: after.status === 'resolved' ? 'resolved' : 'resolving', dispute: after }
}

function requireShare({ verdict, splitPct }: ResolveInput): void {
  const isRight = verdict === 'split' ? splitPct !== null && Number.isInteger(splitPct) && splitPct >= 1 && splitPct <= 99 : splitPct === null
  if (!isRight) throw new MarketError('VALIDATION_FAILED', { field: 'split_pct', constraint: 'from 1 to 99 with the verdict split, absent with any other', received: String(splitPct) })
}

async function claimResolution(deps: MarketDeps, facts: Case): Promise<readonly Settlement[]> {
  const { dispute, resolution, payment, by } = facts
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await lockResolvable(tx, facts)
    await tx.changeDispute(dispute.id, { status: 'resolving', resolution, resolvedAt: null })
    if (by !== undefined) await tx.addAudit(auditLine(deps, { ...by, reason: resolution.reason }, 'dispute.resolve', dispute.id, { status: dispute.status, escrow_status: task.escrowStatus }, { verdict: resolution.verdict, split_pct: resolution.splitPct }))
    if (movesNothing(task, resolution)) {
      await closeWithoutMoney({ deps, tx, task, now }, facts)
      return []
    }
    if (payment === null || task.escrowStatus !== 'authorized') throw notHeld(task, resolution)
    const settlements = settlementsOf(deps, task, facts, payment, now)
    for (const settlement of settlements) {
      if (!(await tx.claimSettlement(settlement, leaseEnd(deps, now)))) throw new MarketError('APPROVAL_IN_FLIGHT', { dispute_id: dispute.id })
    }
    await tx.changeTask(task.id, { escrowStatus: resolution.verdict === 'refund' ? 'refunding' : 'releasing' }, now)
    return settlements
  })
}

async function lockResolvable(tx: Tx, { dispute, resolution }: Case): Promise<Task> {
  const task = await tx.lockTask(dispute.taskId)
  const submission = await tx.lockSubmission(dispute.submissionId)
  const current = await tx.lockDispute(dispute.id)
  if (task === null || submission === null || current === null) throw new MarketError('DISPUTE_NOT_FOUND', { dispute_id: dispute.id })
  if (await tx.hasOpenSettlement(task.id)) throw new MarketError('APPROVAL_IN_FLIGHT', { dispute_id: dispute.id })
  if (current.status !== 'open' || !canMove(task.status, moves[resolution.verdict])) throw new MarketError('DISPUTE_NOT_OPEN', { dispute_id: dispute.id, status: current.status, task_status: task.status })
  return task
}

/** Nothing is held, or the payer has settled on chain what the verdict says. */
function movesNothing(task: Task, { verdict }: Resolution): boolean {
  return verdict === 'refund' ? task.escrowStatus === 'none' || task.escrowStatus === 'refunded' : verdict === 'release' && task.escrowStatus === 'released'
}

async function closeWithoutMoney(place: Place, { dispute, resolution }: Case): Promise<void> {
  const { tx, task, now } = place
  if (resolution.verdict === 'refund') return cancelDisputed(place, dispute.submissionId, null)
  await tx.moveTask(task.id, 'completed', now)
  await tx.decideSubmission(dispute.submissionId, { status: 'approved', at: now })
  await closeDispute(place, dispute.submissionId)
}

function notHeld(task: Task, { verdict }: Resolution): MarketError {
  return new MarketError(verdict === 'refund' ? 'ESCROW_NOT_REFUNDABLE' : 'ESCROW_NOT_RELEASABLE', { task_id: task.id, escrow_status: task.escrowStatus })
}

function settlementsOf(deps: MarketDeps, task: Task, { dispute, resolution }: Case, payment: Payment, now: Date): readonly Settlement[] {
  const one = (purpose: Settlement['purpose'], order: RailOrder, mustLand: boolean): Settlement => ({
    id: deps.ids.next(), taskId: task.id, submissionId: dispute.submissionId, executorId: dispute.executorId, purpose, subject: payment.hash, order,
    status: 'claimed', txHash: null, attempts: 0, mustLand, rating: null, createdAt: now,
  })
  if (resolution.verdict === 'refund') return [one('return', voidOf(payment), false)]
  if (now.getTime() >= payment.authorizationExpiry * 1_000) throw new MarketError('AUTHORIZATION_EXPIRED', { task_id: task.id })
  const { award, remainder } = divideBounty({ atomic: payment.maxAmount, asset: payment.asset }, resolution)
  if (splitFee(award).payout.atomic <= 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  const paying = one('award', { kind: 'capture', key: `award:${payment.hash}:${award.atomic.toString()}`, payment, amount: award, order: null }, false)
  if (remainder.atomic === 0n) return [paying]
  return [paying, one('remainder', { kind: 'void', key: `remainder:${payment.hash}:${remainder.atomic.toString()}`, payment, amount: remainder }, true)]
}
