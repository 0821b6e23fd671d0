import { otherTaskIn } from '@ergon/contract/facts'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { EscrowAuthorization, Payment } from '../escrow/payment.ts'
import type { WorkerView } from '../identity/worker.ts'
import { askedFor, formatUsd, type Amount } from '../money/amount.ts'
import { networkNamed, requireOpenNetwork } from '../network.ts'
import { boundUntil, silentAfter } from '../policy/policy.ts'
import type { EscrowTerms, StandingOrderWords, TypedData } from '../ports/signatures.ts'
import type { NewPaymentEvent, Tx } from '../ports/store.ts'
import { claimed, leaseEnd, type Settlement } from '../settlements/settlement.ts'
import { canMove } from '../tasks/lifecycle.ts'
import { writtenWords } from '../tasks/task-words.ts'
import type { Task } from '../tasks/task.ts'
import { requireEligible } from './apply.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, existingWorker, ownTask } from './read.ts'
import { requirePayee } from './pay-in-one.ts'
import { requireNotBanned } from './set-ban.ts'
import { attempt, refuseUsed, type Ending } from './settle.ts'
import { paymentsOfApproval, takeOn } from './take-on.ts'

export type Assignment = {
  readonly state: 'accepted' | 'assigning'
  readonly task: Task
  readonly executorId: string
  readonly workerWallet: string
}
/** `paymentWorker` and `paymentFee` are the destinations of X-Payment-Worker and X-Payment-Fee (decision 0004). */
export type AssignInput = {
  readonly executorId: string
  readonly notes: string | null
  readonly paymentAuth: string | null
  readonly paymentWorker?: string
  readonly paymentFee?: string
  /** Raw JSON of the signed standing order by which silence pays (decision 0158). */
  readonly standingOrder?: string | null
}
export type AssignChallenge = {
  readonly taskId: string
  readonly executorId: string
  readonly network: string
  readonly amount: Amount
  readonly token: string
  readonly collector: string
  readonly typedData: TypedData
  readonly envelope: Readonly<Record<string, unknown>>
  readonly expiresAt: Date
  /** Until when the money is bound at most. */
  readonly boundUntil: Date
  /** What lets silence pay, to be signed as well; null where silence does not. */
  readonly standing: { readonly typedData: TypedData; readonly order: StandingOrderWords } | null
}

/**
 * Assigns an applicant. With escrow: claim, lock, confirm, each its own transaction, nothing held while the chain
 * works. Everything that can be known is checked before the claim, and what may have changed again inside it.
 */
export async function assign(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: AssignInput,
): Promise<Assignment> {
  const task = await ownTask(deps, caller, taskId)
  const worker = await existingWorker(deps, input.executorId)
  await requireApplicant(deps, task, worker)
  requireOpenNetwork(deps, task.bounty.asset.network)
  await requireNotBanned(deps, worker.wallet)
  requireSame(task, input.paymentWorker, worker.wallet, 'X-Payment-Worker')
  const notes = writtenWords(input.notes)
  if (task.escrowStatus === 'none') {
    await requirePayee(deps, task, worker.id)
    await deps.payments?.take(caller, paymentsOfApproval)
    return assignWithoutEscrow(deps, task, worker, notes)
  }
  const { payment, authorization } = await readAuthorization(deps, task, worker, input.paymentAuth)
  requireSame(task, input.paymentFee, payment.feeReceiver, 'X-Payment-Fee')
  const standing = await readStanding(deps, task, payment, input.standingOrder ?? null)
  const isUsed = await isUsedUp(deps, payment)
  await deps.payments?.take(caller, 1)
  const settlement = await claimLock(deps, task, { worker, payment, authorization, standing, notes })
  return answer(deps, task, worker, isUsed ? await refuseUsed(deps, settlement) : await attempt(deps, settlement))
}

/** A destination given beside the signed payment may repeat it and never contradict it (decision 0004). */
function requireSame(task: Task, given: string | undefined, signed: string, header: string): void {
  if (given !== undefined && given.toLowerCase() !== signed.toLowerCase())
    throw new MarketError('FORBIDDEN_RECEIVER', { header, ...askedFor(task.bounty) })
}

/**
 * What the payer has to sign to assign this worker; the receiver is part of the nonce, so not before the worker is
 * known (spec §1.6).
 */
export async function assignChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  executorId: string,
): Promise<AssignChallenge> {
  const task = await ownTask(deps, caller, taskId)
  const worker = await existingWorker(deps, executorId)
  await requireApplicant(deps, task, worker)
  requireOpenNetwork(deps, task.bounty.asset.network)
  await requireNotBanned(deps, worker.wallet)
  if (task.escrowStatus === 'none')
    throw new MarketError('NETWORK_NO_ESCROW', { network: task.bounty.asset.network }, { message: nothingToSign })
  const challenge = deps.signatures.escrowChallenge(termsOf(task, worker), deps.clock.now())
  return {
    taskId,
    executorId,
    network: networkNamed(deps.networks, task.bounty.asset.network).caip2,
    amount: task.bounty,
    ...challenge,
  }
}

function termsOf(task: Task, worker: WorkerView): EscrowTerms {
  return {
    taskId: task.id,
    network: task.bounty.asset.network,
    payer: task.publisherWallet,
    receiver: worker.wallet,
    amount: task.bounty,
    deadline: task.deadline,
    boundUntil: boundUntil(task),
    silentAfterHours: silentAfter(task),
  }
}

const nothingToSign = 'Nothing is locked for this task, so there is nothing to sign: assign the worker without it.'

/** Nobody is asked to sign for a worker who could not be assigned: who took its application back is none any more. */
async function requireApplicant({ store, clock }: MarketDeps, task: Task, worker: WorkerView): Promise<void> {
  const application = await store.application(task.id, worker.id)
  if (application === null) throw new MarketError('WORKER_NOT_APPLIED', { executor_id: worker.id })
  requireAssignable(task, worker, clock.now())
  if (application.status !== 'pending') throw new MarketError('WORKER_NOT_APPLIED', { executor_id: worker.id })
}

function requireAssignable(task: Task, worker: WorkerView, now: Date): void {
  if (task.status === 'assigning')
    throw new MarketError('ESCROW_NOT_ASSIGNABLE', { task_id: task.id, status: task.status })
  if (!canMove(task.status, 'assign'))
    throw new MarketError('TASK_NOT_ASSIGNABLE', { task_id: task.id, status: task.status })
  if (task.deadline <= now) throw new MarketError('DEADLINE_PASSED', { task_id: task.id })
  requireEligible(task, worker)
}

async function readAuthorization(
  deps: MarketDeps,
  task: Awaited<ReturnType<typeof existingTask>>,
  worker: WorkerView,
  given: string | null,
): Promise<{ readonly payment: Payment; readonly authorization: EscrowAuthorization }> {
  const raw = given ?? keptFor(deps, task, worker)
  if (raw === null)
    throw new MarketError('escrow_signature_required', {
      challenge: `/api/v1/tasks/${task.id}/assign/challenge?executor_id=${worker.id}`,
      ...askedFor(task.bounty),
    })
  const read = await deps.signatures.readEscrowAuthorization(raw, termsOf(task, worker), deps.clock.now())
  await requireOwnSalt(deps, task, read.payment)
  return read
}

/** Not signing one is no mistake: silence is a dispute then. @throws LIFECYCLE_ORDER_INVALID for another one */
async function readStanding(
  { signatures, clock }: MarketDeps,
  task: Task,
  payment: Payment,
  raw: string | null,
): Promise<StandingOrderWords | null> {
  if (raw === null) return null
  const hours = silentAfter(task)
  if (hours === null)
    throw new MarketError('LIFECYCLE_ORDER_INVALID', { reason: 'silence pays nobody under the policy of this task' })
  return signatures.readStandingOrder(raw, payment, hours, clock.now())
}

/** What was signed for one task pays no other (decision 0094). @throws PAYMENT_AUTH_USED */
async function requireOwnSalt(deps: MarketDeps, task: Task, { salt }: Payment): Promise<void> {
  const other = otherTaskIn(salt, task.id)
  if (other !== null && (await deps.store.task(other)) !== null)
    throw new MarketError('PAYMENT_AUTH_USED', { task_id: task.id })
}

/** An authorization sent with the task counts when it pays this very worker. */
function keptFor(deps: MarketDeps, task: Awaited<ReturnType<typeof existingTask>>, worker: WorkerView): string | null {
  const { paymentAuth } = task
  return paymentAuth !== null && deps.signatures.receiverOf(paymentAuth, task.bounty.asset.network) === worker.wallet
    ? paymentAuth
    : null
}

/**
 * Whether the payer used the signature past us, and the escrow does not hold the bounty for it. Only `fase2` asks for
 * the balance beforehand (spec §1.6). @throws INSUFFICIENT_FUNDS
 */
async function isUsedUp({ rails, settings }: MarketDeps, payment: Payment): Promise<boolean> {
  const rail = rails(payment.network)
  const asksBalance = settings.paymentMode === 'fase2'
  const [{ collected, capturable }, balance] = await Promise.all([
    rail.escrowState(payment),
    asksBalance ? rail.balance(payment.payer, payment.asset) : null,
  ])
  if (!collected && balance !== null && balance < payment.maxAmount) throw insufficientFunds(payment, balance)
  return collected && capturable < payment.maxAmount
}

function insufficientFunds(payment: Payment, balance: bigint | null): MarketError {
  const { asset } = payment
  return new MarketError('INSUFFICIENT_FUNDS', {
    ...askedFor({ atomic: payment.maxAmount, asset }),
    ...(balance === null ? {} : { balance_usdc: Number(formatUsd({ atomic: balance, asset })) }),
    wallet_address: payment.payer,
  })
}

async function assignWithoutEscrow(
  deps: MarketDeps,
  task: Task,
  worker: WorkerView,
  notes: string | null,
): Promise<Assignment> {
  const now = deps.clock.now()
  const moved = await deps.store.transaction(async (tx) => {
    const { current, hasNotes } = await lockAssignable(tx, task.id, worker, now)
    if (notes !== null || hasNotes) await tx.putTaskWords(task.id, notesOf(task, worker, notes, now))
    return takeOn({ deps, tx, task: current, now }, worker, notes)
  })
  return { state: 'accepted', task: moved, executorId: worker.id, workerWallet: worker.wallet }
}

async function lockAssignable(
  tx: Tx,
  taskId: string,
  worker: WorkerView,
  now: Date,
): Promise<{ readonly current: Task; readonly hasNotes: boolean }> {
  const current = await tx.lockTask(taskId)
  if (current === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  requireAssignable(current, worker, now)
  const application = await tx.application(taskId, worker.id)
  if (application?.status !== 'pending') throw new MarketError('WORKER_NOT_APPLIED', { executor_id: worker.id })
  return { current, hasNotes: application.hasNotes }
}

/** For the worker alone, beside the publisher who wrote them (decision 0105). */
function notesOf(task: Task, worker: WorkerView, text: string | null, at: Date): Parameters<Tx['putTaskWords']>[1] {
  return { kind: 'assign', author: task.publisherWallet, executorId: worker.id, text, at }
}

type Lock = {
  readonly worker: WorkerView
  readonly payment: Payment
  readonly authorization: EscrowAuthorization
  readonly standing: StandingOrderWords | null
  readonly notes: string | null
}

async function claimLock(
  deps: MarketDeps,
  task: Task,
  { worker, payment, authorization, standing, notes }: Lock,
): Promise<Settlement> {
  const now = deps.clock.now()
  const id = deps.ids.next()
  const settlement = claimed(id, now, {
    taskId: task.id,
    executorId: worker.id,
    purpose: 'lock',
    subject: task.id,
    order: { kind: 'authorize', key: `authorize:${payment.hash}:${id}`, payment, authorization },
  })
  await deps.store.transaction(async (tx) => {
    const { hasNotes, current } = await lockAssignable(tx, task.id, worker, now)
    requireSameDeadline(task, current)
    // A signature that was given up and used all the same: what it holds is on its way back, and pays nobody any more.
    if (await tx.isGoingBack(payment.hash))
      throw new MarketError('LOCK_REVERTED', askedFor(task.bounty), {
        message: 'The money of this signature goes back to its payer. Sign a new one.',
      })
    if (!(await tx.claimSettlement(settlement, leaseEnd(now))))
      throw new MarketError('ESCROW_NOT_ASSIGNABLE', { task_id: task.id })
    await tx.moveTask(task.id, 'assigning', now, { escrowStatus: 'authorizing' })
    await tx.putEscrow(task.id, payment)
    await tx.keepStandingOrder(task.id, standing)
    if (notes !== null || hasNotes) await tx.putTaskWords(task.id, notesOf(task, worker, notes, now))
    const base = {
      taskId: task.id,
      status: 'success',
      amount: task.bounty,
      asset: task.bounty.asset,
      from: payment.payer,
      to: null,
      txHash: null,
      at: now,
    } as const
    const events: NewPaymentEvent['type'][] =
      deps.settings.paymentMode === 'fase2' ? ['verify', 'store_auth'] : ['store_auth']
    for (const type of events) await tx.addPaymentEvent({ ...base, id: deps.ids.next(), type })
  })
  return settlement
}

/** What was signed lasts as long as the deadline of then asks for. @throws TASK_NOT_ASSIGNABLE when it moved since */
function requireSameDeadline(read: Task, { id, status, deadline }: Task): void {
  if (deadline.getTime() !== read.deadline.getTime())
    throw new MarketError(
      'TASK_NOT_ASSIGNABLE',
      { task_id: id, status, deadline: deadline.toISOString() },
      { message: 'The deadline moved meanwhile. Ask for the challenge again.' },
    )
}

async function answer(deps: MarketDeps, task: Task, worker: WorkerView, ending: Ending): Promise<Assignment> {
  if (ending.state === 'refused') throw refusalOf(task, ending)
  if (ending.state === 'open') deps.wakeup.settlements()
  const current = await existingTask(deps, task.id)
  return {
    state: ending.state === 'confirmed' ? 'accepted' : 'assigning',
    task: current,
    executorId: worker.id,
    workerWallet: worker.wallet,
  }
}

function refusalOf(task: Task, { refusal }: Extract<Ending, { state: 'refused' }>): MarketError {
  const details = { ...refusal.details, ...askedFor(task.bounty) }
  return new MarketError(refusal.code, details, refusal.message === undefined ? {} : { message: refusal.message })
}
