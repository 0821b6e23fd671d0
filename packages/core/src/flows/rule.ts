import type { DisputeVerdict } from '@ergon/contract'
import type { Caller, WalletCaller } from '../caller.ts'
import { sideOf, type DisputeView } from '../disputes/dispute.ts'
import { mayRule, payerPct, rulingTimes, type Ruling } from '../disputes/ruling.ts'
import { MarketError } from '../errors.ts'
import { askedFor } from '../money/amount.ts'
import { signedOn } from '../network.ts'
import { endOf } from '../policy/policy.ts'
import type { RulingTerms, TypedData } from '../ports/signatures.ts'
import type { Tx } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import { arbiterRead } from './arbiter-read.ts'
import { holdDeadline } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { existingDispute } from './dispute.ts'
import { endOffersBy } from './end-offer.ts'
import { existingTask, existingWorker } from './read.ts'
import { notDivisible, requireShare } from './resolve.ts'
import { rulingSeekerOf } from './ruling-seeker.ts'

export type RulingInput = {
  readonly verdict: DisputeVerdict
  readonly splitPct: number | null
  readonly reason: string
  readonly criteria: readonly string[]
  readonly deadline: Date
  readonly nonce: string
  readonly signature: string
}
export type RulingChallenge = {
  readonly disputeId: string
  readonly typedData: TypedData
  readonly nonce: string
  readonly deadline: Date
}

/** Whom this deployment lets rule; everybody may know. */
export function arbiters(deps: MarketDeps): Promise<readonly string[]> {
  return Promise.resolve(deps.settings.arbiters ?? [])
}

/** The words to sign for a ruling. Reads only. */
export async function rulingChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  disputeId: string,
  input: Pick<RulingInput, 'verdict' | 'splitPct' | 'reason' | 'criteria'>,
): Promise<RulingChallenge> {
  const { dispute, task } = await judged(deps, caller, disputeId)
  requireShare(input)
  await requireCarriable(deps, task, input)
  const nonce = deps.signatures.freshNonce()
  const until = deps.clock.now().getTime() + rulingTimes.signMs
  const deadline = new Date(Math.floor(until / 1_000) * 1_000)
  const terms = termsOf(deps, { dispute, task }, caller.wallet, { ...input, nonce, deadline })
  return { disputeId, typedData: deps.signatures.rulingDocument(terms), nonce, deadline }
}

type Judged = { readonly dispute: DisputeView; readonly task: Task }

function termsOf(
  deps: MarketDeps,
  { dispute, task }: Judged,
  arbiter: string,
  { verdict, splitPct, reason, criteria, deadline, nonce }: Omit<RulingInput, 'signature'>,
): RulingTerms {
  return {
    disputeId: dispute.id,
    taskId: task.id,
    network: signedOn(deps, task.bounty.asset.network),
    arbiter,
    verdict,
    payerPct: payerPct(verdict, splitPct),
    reason,
    criteria,
    deadline,
    nonce,
  }
}

/** @throws FORBIDDEN to a party and its kin, ARBITER_UNKNOWN to whoever may not rule on this task */
async function judged(deps: MarketDeps, caller: WalletCaller, disputeId: string): Promise<Judged> {
  const dispute = await existingDispute(deps, disputeId)
  if (sideOf(dispute, caller.wallet) !== null || (await isKin(deps, caller, dispute)))
    throw new MarketError(
      'FORBIDDEN',
      { dispute_id: disputeId },
      { message: 'An arbiter is never a party, nor of the same owner as one.' },
    )
  const task = await existingTask(deps, dispute.taskId)
  if (!mayRule(deps.settings, task, caller.wallet)) throw new MarketError('ARBITER_UNKNOWN', { dispute_id: disputeId })
  return { dispute, task }
}

/**
 * What nobody could carry out is not ruled: where nothing is held there is nothing to divide, and a metered task is
 * paid by its channel. What is decided for the worker otherwise its publisher owes (decision 0167).
 *
 * @throws ESCROW_NOT_RELEASABLE as the operator's resolution does
 */
async function requireCarriable(
  { store }: MarketDeps,
  { id, escrowStatus }: Task,
  { verdict }: Pick<RulingInput, 'verdict'>,
): Promise<void> {
  if (escrowStatus !== 'none' || verdict === 'refund') return
  const isMetered = (await store.meterTerms(id)) !== null
  if (verdict === 'split' || isMetered) throw notDivisible({ id, escrowStatus }, isMetered)
}

/** Whether an arbiter has an agent identity or a payout address in common with a party. */
async function isKin(deps: MarketDeps, caller: WalletCaller, dispute: DisputeView): Promise<boolean> {
  const [task, worker, { agentIds, payoutAddress }] = await Promise.all([
    existingTask(deps, dispute.taskId),
    existingWorker(deps, dispute.executorId),
    rulingSeekerOf(deps, caller),
  ])
  if (agentIds.some((id) => id === task.publisherAgentId || id === worker.agentId)) return true
  return payoutAddress !== null && payoutAddress === (await deps.store.payoutAddress(worker.id))
}

/** Stores a signed ruling. It moves no money: a timer carries it out when nobody appeals (decision 0168). */
export async function rule(
  deps: MarketDeps,
  caller: WalletCaller,
  disputeId: string,
  input: RulingInput,
): Promise<Ruling> {
  const place = await judged(deps, caller, disputeId)
  requireShare(input)
  await requireCarriable(deps, place.task, input)
  const now = deps.clock.now()
  if (input.deadline <= now || input.deadline.getTime() > now.getTime() + rulingTimes.signMs)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'deadline',
      constraint: 'within the next hour',
      received: input.deadline.toISOString(),
    })
  const terms = termsOf(deps, place, caller.wallet, input)
  if (!(await deps.signatures.isRulingSigned(terms, input.signature)))
    throw new MarketError(
      'INVALID_SIGNATURE',
      { reason: 'the ruling is not signed by its arbiter', ...askedFor(place.task.bounty) },
      { message: 'The ruling is not signed by its arbiter.' },
    )
  return deps.store.transaction((tx) => insert(deps, tx, caller.wallet, place, input, now))
}

async function insert(
  deps: MarketDeps,
  tx: Tx,
  arbiter: string,
  { dispute }: Judged,
  { verdict, splitPct, reason, criteria, deadline, nonce, signature }: RulingInput,
  now: Date,
): Promise<Ruling> {
  const task = await tx.lockTask(dispute.taskId)
  const current = await tx.lockDispute(dispute.id)
  if (task === null || current === null) throw new MarketError('DISPUTE_NOT_FOUND', { dispute_id: dispute.id })
  if (await tx.hasOpenSettlement(task.id)) throw new MarketError('APPROVAL_IN_FLIGHT', { dispute_id: dispute.id })
  const payment = task.escrowStatus === 'none' ? null : await tx.escrowPayment(task.id)
  const ruling: Ruling = {
    id: deps.ids.next(),
    disputeId: dispute.id,
    taskId: task.id,
    arbiter,
    verdict,
    splitPct,
    reason,
    criteria,
    nonce,
    deadline,
    signature,
    status: 'standing',
    appealedBy: null,
    appealReason: null,
    createdAt: now,
    appealUntil: endOf(now, rulingTimes.appealHours, payment?.authorizationExpiry ?? null),
    endedAt: null,
  }
  if (current.status !== 'open' || task.status !== 'disputed' || !(await tx.insertRuling(ruling)))
    throw new MarketError('DISPUTE_NOT_OPEN', {
      dispute_id: dispute.id,
      status: current.status,
      task_status: task.status,
    })
  await endOffersBy({ deps, tx, task, now }, null, 'withdrawn')
  await tx.changeTask(task.id, { turn: { kind: 'ruling', untilMs: ruling.appealUntil.getTime() } }, now)
  await tx.putTimer(task.id, 'ruling_end', ruling.appealUntil)
  await holdDeadline({ deps, tx, task, now }, rulingTimes.appealHours + rulingTimes.executeHours)
  await tx.addEvent({
    id: deps.ids.next(),
    type: 'dispute.ruled',
    taskId: task.id,
    at: now,
    data: {
      task_id: task.id,
      dispute_id: dispute.id,
      verdict,
      arbiter,
      appeal_until: ruling.appealUntil.toISOString(),
    },
  })
  return ruling
}

/** The ruling on a dispute, to its parties, to the operator, and to who may rule. @throws RULING_NOT_FOUND */
export async function readRuling(
  deps: MarketDeps,
  caller: Caller | { readonly kind: 'admin' },
  disputeId: string,
): Promise<Ruling> {
  const dispute = await existingDispute(deps, disputeId)
  if (caller.kind === 'anonymous') throw new MarketError('FORBIDDEN', { dispute_id: disputeId })
  if (caller.kind === 'wallet' && sideOf(dispute, caller.wallet) === null)
    await arbiterRead(deps, caller, dispute, 'ruling')
  const ruling = await deps.store.rulingOf(disputeId)
  if (ruling === null) throw new MarketError('RULING_NOT_FOUND', { dispute_id: disputeId })
  return ruling
}

/** A party takes a ruling to the operator, once, in the day after it (decision 0168). */
export async function appeal(
  deps: MarketDeps,
  caller: WalletCaller,
  disputeId: string,
  reason: string,
): Promise<Ruling> {
  const dispute = await existingDispute(deps, disputeId)
  const side = sideOf(dispute, caller.wallet)
  if (side === null) throw new MarketError('FORBIDDEN', { dispute_id: disputeId })
  const now = deps.clock.now()
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(dispute.taskId)
    const ruling = task === null ? null : await tx.lockRulingOf(task.id)
    if (task === null || ruling === null) throw new MarketError('RULING_NOT_FOUND', { dispute_id: disputeId })
    if (ruling.status !== 'standing' || ruling.appealUntil <= now || (await tx.hasOpenSettlement(task.id)))
      throw new MarketError(
        'DISPUTE_NOT_OPEN',
        { dispute_id: disputeId, ruling_status: ruling.status, appeal_until: ruling.appealUntil.toISOString() },
        { message: 'This ruling cannot be appealed any more.' },
      )
    await tx.appealRuling(ruling.id, side, reason)
    await tx.changeTask(task.id, { turn: { kind: 'appealed' } }, now)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'dispute.appealed',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, dispute_id: disputeId, by: side },
    })
    return { ...ruling, status: 'appealed', appealedBy: side, appealReason: reason }
  })
}
