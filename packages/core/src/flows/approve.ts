import type { PaymentMode } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { DirectPayment } from '../escrow/direct-payment.ts'
import { placeOf, totalsOf, type Movement } from '../escrow/movement.ts'
import type { Payment, SignedReleaseOrder } from '../escrow/payment.ts'
import type { WorkerView } from '../identity/worker.ts'
import { askedFor, formatUsd, splitFee, type Amount } from '../money/amount.ts'
import type { Tx } from '../ports/store.ts'
import type { CaptureOrder, RailOrder } from '../settlements/order.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import { writtenWords } from '../tasks/task-words.ts'
import { bookMovement } from './book-movement.ts'
import type { MarketDeps } from './deps.ts'
import { endOffersBy } from './end-offer.ts'
import { modeOf } from './mode-of.ts'
import { splitsOf, splitTermsOf } from './pay-in-one.ts'
import { agentIdOf } from './rate.ts'
import { approveMetered } from './approve-metered.ts'
import { existingWorker, ownSubmission } from './read.ts'
import { readable } from './readable.ts'
import { inFlight, isMoneyMoving, requireApprovable, requirePending } from './reviewable.ts'
import { attempt, attemptInTime, type Ending } from './settle.ts'

export type ApproveInput = {
  readonly rating: number | null
  /** The comment of the rating, and what the worker reads with the task; the latter without a rating, too. */
  readonly feedback: string | null
  readonly order: SignedReleaseOrder | null
  /** Mode fase1: raw JSON of the two direct payments. */
  readonly payoutAuth: string | null
  readonly feeAuth: string | null
}
/**
 * What becomes of the rating that came with an approval: null where none came. The payout waits for no identity, so a
 * worker who could not be given one is paid and not rated, and the publisher is told (decision 0143).
 */
export type RatingProspect = 'on_its_way' | 'not_written' | null
/** `approving`: the settlement is in flight and the reconciler finishes it. */
export type ApprovalOutcome = {
  readonly state: 'approved' | 'approving'
  readonly taskId: string
  readonly submissionId: string
  readonly paymentTx: string | null
  readonly feeTx: string | null
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
  readonly mode: PaymentMode
  readonly rating: RatingProspect
}

type Case = {
  readonly task: Task
  readonly submission: Submission
  readonly worker: WorkerView
  readonly input: ApproveInput
}

/**
 * Claim, pay, confirm: three steps, three transactions, the database never waits for the chain. A payment that
 * failed gives the verdict back; one that succeeded never does, whatever happens to the third step: the reconciler
 * finishes it.
 */
export async function approve(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
  input: ApproveInput,
): Promise<ApprovalOutcome> {
  const { submission, task } = await ownSubmission(deps, caller, submissionId)
  const facts: Case = { task, submission, worker: await payableWorker(deps, submission.executorId, task), input }
  await requireReviewable(deps, task, submission)
  const rating = input.rating === null ? null : await prospectOf(deps, caller, facts.worker.wallet)
  const mode = await modeOf(deps, task)
  return { ...(await pay(deps, facts)), mode, rating }
}

type Paid = Omit<ApprovalOutcome, 'mode' | 'rating'>

async function pay(deps: MarketDeps, facts: Case): Promise<Paid> {
  const { task, submission, input } = facts
  if (task.escrowStatus !== 'none') return approveFromEscrow(deps, facts)
  if ((await deps.store.meterTerms(task.id)) === null) return approveDirect(deps, facts)
  const rating = input.rating === null ? null : { score: input.rating, comment: input.feedback }
  return approveMetered(deps, submission, { rating, feedback: input.feedback })
}

/** Asked before anything is claimed: a registration waits for the chain. */
async function prospectOf(deps: MarketDeps, caller: WalletCaller, ratee: string): Promise<RatingProspect> {
  try {
    await agentIdOf(deps, caller, ratee)
    return 'on_its_way'
  } catch (error) {
    if (error instanceof MarketError) return 'not_written'
    throw error
  }
}

/** @throws SUBMISSION_NOT_REVIEWABLE, ESCROW_NOT_RELEASABLE or APPROVAL_IN_FLIGHT, naming where things stand. */
async function requireReviewable(deps: MarketDeps, task: Task, submission: Submission): Promise<void> {
  // A settlement that ended between the two reads has left the task as it was read: whoever asks again hears how.
  if (await isMoneyMoving(deps, task)) throw inFlight(submission)
  if (task.escrowStatus !== 'none' && task.escrowStatus !== 'authorized') throw notReleasable(task)
  if (task.status !== 'disputed') requirePending(task, submission)
}

const notReleasable = (task: Task): MarketError =>
  new MarketError('ESCROW_NOT_RELEASABLE', { task_id: task.id, escrow_status: task.escrowStatus })

const addressShape = /^0x[0-9a-f]{40}$/

async function payableWorker(deps: MarketDeps, executorId: string, task: Task): Promise<WorkerView> {
  const worker = await existingWorker(deps, executorId)
  if (worker.wallet === '') throw new MarketError('WORKER_WALLET_MISSING', { executor_id: executorId })
  if (!addressShape.test(worker.wallet)) throw new MarketError('WORKER_WALLET_INVALID', { executor_id: executorId })
  if (worker.wallet === task.publisherWallet) throw new MarketError('SELF_PAYMENT_BLOCKED', { task_id: task.id })
  return worker
}

async function approveFromEscrow(deps: MarketDeps, facts: Case): Promise<Paid> {
  const { task, input } = facts
  const payment = await deps.store.escrowPayment(task.id)
  if (payment === null) throw new MarketError('ESCROW_STATE_MISSING', { task_id: task.id })
  const now = deps.clock.now()
  if (now.getTime() >= payment.authorizationExpiry * 1_000)
    throw new MarketError('AUTHORIZATION_EXPIRED', { task_id: task.id })
  if (splitFee(task.bounty).payout.atomic <= 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  if (input.order === null)
    throw new MarketError('LIFECYCLE_ORDER_REQUIRED', {
      challenge: `/api/v1/escrow/task/${task.id}/lifecycle-challenge`,
    })
  const { moved, ...ordered } = await readOrder(deps, task, payment, input.order, now)
  const settlement = settlementOf(
    deps,
    facts,
    'release',
    payment.hash,
    (id) => ({
      kind: 'capture',
      key: `capture:${payment.hash}:${id}`,
      payment,
      issuedAt: Math.floor(now.getTime() / 1_000),
      ...ordered,
    }),
    now,
  )
  await claim(
    deps,
    facts,
    [settlement],
    now,
    moved.map((movement) => ({ payment, movement })),
  )
  return outcomeOf(deps, facts, await attempt(deps, settlement), null)
}

/**
 * What the payer ordered: the bounty or, where part of it moved on chain past us, what is left. The chain is asked only
 * about an order that is not for the bounty. @throws LIFECYCLE_ORDER_INVALID
 */
async function readOrder(
  deps: MarketDeps,
  { bounty }: Task,
  payment: Payment,
  order: SignedReleaseOrder,
  now: Date,
): Promise<Pick<CaptureOrder, 'amount' | 'order' | 'after'> & { readonly moved: readonly Movement[] }> {
  const invalid = await deps.signatures.checkReleaseOrder(order, payment, bounty, now).then(() => null, lifecycleFault)
  if (invalid === null) return { amount: bounty, order, moved: [] }
  const movements = await readable(() => deps.rails(payment.network).movements(payment))
  const last = movements?.at(-1)
  const amount = { ...bounty, atomic: movements === null ? 0n : totalsOf(movements).capturable }
  if (movements === null || last === undefined || amount.atomic === 0n || amount.atomic === bounty.atomic) throw invalid
  await deps.signatures.checkReleaseOrder(order, payment, amount, now)
  return { amount, order, after: placeOf(last), moved: movements }
}

function lifecycleFault(error: unknown): MarketError {
  if (error instanceof MarketError && error.code === 'LIFECYCLE_ORDER_INVALID') return error
  throw error
}

/** Mode fase1: both payments are read and checked before either is sent; the worker is paid first. */
async function approveDirect(deps: MarketDeps, facts: Case): Promise<Paid> {
  const { submission } = facts
  const { payout, fee } = await readDirectPayments(deps, facts)
  // Nothing is sent unless both can be paid.
  await requireBalanceOf(deps, payout.from, facts.task.bounty)
  const now = deps.clock.now()
  const first = settlementOf(deps, facts, 'payout', `payout:${submission.id}`, chargeOrder(payout), now)
  const second = fee === null ? null : settlementOf(deps, facts, 'fee', `fee:${submission.id}`, chargeOrder(fee), now)
  await claim(deps, facts, second === null ? [first] : [first, second], now)
  const paid = await attempt(deps, first)
  const charged = paid.state === 'confirmed' && second !== null ? await attemptFee(deps, second) : null
  return outcomeOf(deps, facts, paid, charged)
}

/** @throws INSUFFICIENT_FUNDS, CHAIN_UNAVAILABLE */
export async function requireBalanceOf(deps: MarketDeps, wallet: string, amount: Amount): Promise<void> {
  const balance = await deps.rails(amount.asset.network).balance(wallet, amount.asset)
  if (balance >= amount.atomic) return
  throw new MarketError('INSUFFICIENT_FUNDS', {
    ...askedFor(amount),
    balance_usdc: Number(formatUsd({ ...amount, atomic: balance })),
    wallet_address: wallet,
  })
}

/**
 * The worker is paid whatever becomes of the fee: it is a settlement of its own, and the reconciler goes on with it.
 */
async function attemptFee(deps: MarketDeps, settlement: Settlement): Promise<string | null> {
  const ending = await attemptInTime(deps, settlement)
  if (ending.state === 'open') deps.wakeup.settlements()
  return ending.state === 'confirmed' ? ending.txHash : null
}

export const chargeOrder =
  (transfer: DirectPayment) =>
  (id: string): RailOrder => ({ kind: 'charge', key: `charge:${transfer.network}:${transfer.nonce}:${id}`, transfer })

async function readDirectPayments(
  deps: MarketDeps,
  { task, submission, worker, input }: Case,
): Promise<{ readonly payout: DirectPayment; readonly fee: DirectPayment | null }> {
  const splits = splitsOf(deps, task)
  if (splits !== undefined) {
    if (input.payoutAuth === null) throw new MarketError('PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker'] })
    const of = { submissionId: submission.id, executorId: worker.id }
    return { payout: await splits.read(input.payoutAuth, await splitTermsOf(deps, task, of)), fee: null }
  }
  if (input.payoutAuth === null || input.feeAuth === null)
    throw new MarketError('PAYMENT_AUTH_MISSING', { fields: ['settlement_auth_worker', 'settlement_auth_fee'] })
  const split = splitFee(task.bounty)
  if (split.payout.atomic <= 0n) throw new MarketError('PAYOUT_NON_POSITIVE', { task_id: task.id })
  const { network } = task.bounty.asset
  const now = deps.clock.now()
  const payout = await deps.signatures.readDirectPayment(
    input.payoutAuth,
    { network, from: task.publisherWallet, to: worker.wallet, amount: split.payout },
    now,
  )
  if (split.fee.atomic === 0n) return { payout, fee: null }
  const treasury = await deps.signatures.treasury(network, task.bounty.asset)
  const fee = await deps.signatures.readDirectPayment(
    input.feeAuth,
    { network, from: task.publisherWallet, to: treasury, amount: split.fee },
    now,
  )
  if (fee.nonce === payout.nonce) throw new MarketError('INVALID_PAYMENT_AUTH', { constraint: 'two different nonces' })
  return { payout, fee }
}

function settlementOf(
  deps: MarketDeps,
  { task, submission, input }: Case,
  purpose: Settlement['purpose'],
  subject: string,
  orderOf: (id: string) => RailOrder,
  now: Date,
): Settlement {
  const rating = input.rating === null ? null : { score: input.rating, comment: input.feedback }
  const id = deps.ids.next()
  return claimed(id, now, {
    taskId: task.id,
    submissionId: submission.id,
    executorId: submission.executorId,
    purpose,
    subject,
    order: orderOf(id),
    mustLand: purpose === 'fee',
    rating,
  })
}

type Moved = { readonly payment: Payment; readonly movement: Movement }

/** The verdict is claimed by the settlement itself: while one is open or confirmed, no other can be written. */
async function claim(
  deps: MarketDeps,
  { task, submission, input }: Case,
  settlements: readonly Settlement[],
  now: Date,
  moved: readonly Moved[] = [],
): Promise<void> {
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockTask(task.id)
    const pending = await tx.lockSubmission(submission.id)
    if (current === null || pending === null)
      throw new MarketError('SUBMISSION_NOT_FOUND', { submission_id: submission.id })
    if (await tx.hasOpenSettlement(task.id)) throw inFlight(submission)
    if (current.escrowStatus !== 'none' && current.escrowStatus !== 'authorized') throw notReleasable(current)
    await requireApprovable(tx, current, pending)
    await endOffersBy({ deps, tx, task: current, now }, null, 'withdrawn')
    for (const { payment, movement } of moved)
      await bookMovement({ deps, tx, task: current, now }, payment, movement, null)
    await claimAll(tx, settlements, current, submission, now)
    await tx.putTaskWords(task.id, {
      kind: 'approve',
      author: task.publisherWallet,
      executorId: submission.executorId,
      text: writtenWords(input.feedback),
      at: now,
    })
  })
}

async function claimAll(
  tx: Tx,
  settlements: readonly Settlement[],
  task: Task,
  submission: Submission,
  now: Date,
): Promise<void> {
  for (const settlement of settlements) {
    if (!(await tx.claimSettlement(settlement, leaseEnd(now)))) throw inFlight(submission)
  }
  if (task.escrowStatus === 'authorized') await tx.changeTask(task.id, { escrowStatus: 'releasing' }, now)
}

function outcomeOf(deps: MarketDeps, { task, submission }: Case, ending: Ending, feeTx: string | null): Paid {
  if (ending.state === 'refused') {
    const { code, details, message } = ending.refusal
    throw new MarketError(code, { ...details, task_id: task.id }, message === undefined ? {} : { message })
  }
  deps.wakeup.settlements()
  const isPaidInOne = splitsOf(deps, task) !== undefined
  const state = ending.state === 'open' ? 'approving' : 'approved'
  return {
    state,
    taskId: task.id,
    submissionId: submission.id,
    paymentTx: ending.state === 'open' ? null : ending.txHash,
    feeTx: ending.state === 'confirmed' && isPaidInOne ? ending.txHash : feeTx,
    ...splitFee(task.bounty),
  }
}
