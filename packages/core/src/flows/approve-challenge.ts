import type { PaymentMode } from '@ergon/contract'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { splitFee, type Amount } from '../money/amount.ts'
import { signedOn } from '../network.ts'
import type { TypedData } from '../ports/signatures.ts'
import type { SplitChallenge } from '../ports/split-payments.ts'
import type { Task } from '../tasks/task.ts'
import { meteredShares } from './approve-metered.ts'
import type { MarketDeps } from './deps.ts'
import { modeOf } from './mode-of.ts'
import { splitsOf, splitTermsOf } from './pay-in-one.ts'
import { existingTask, existingWorker, ownSubmission } from './read.ts'
import { readable } from './readable.ts'
import { inFlight, isMoneyMoving, requirePending } from './reviewable.ts'

export type ReleaseChallenge = {
  readonly taskId: string
  readonly typedData: TypedData
  readonly deadline: number
  readonly nonce: string
  readonly expiresAt: Date
}
export type ApproveChallenge = {
  readonly submissionId: string
  readonly taskId: string
  readonly mode: PaymentMode
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
  readonly releaseApproval: TypedData
  readonly release: ReleaseChallenge | null
  readonly payoutAuth: { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>> } | null
  readonly feeAuth: { readonly typedData: TypedData; readonly envelope: Readonly<Record<string, unknown>> } | null
  /** Of a network that pays in one transaction, for the payer that was named; null otherwise. */
  readonly transaction: SplitChallenge | null
  readonly expiresAt: Date
}

/**
 * The release order for the wallet that funded the escrow (spec §4 lifecycle-challenge), shown to both sides of the
 * payment. Reads only.
 */
export async function releaseChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
): Promise<ReleaseChallenge> {
  const task = await existingTask(deps, taskId)
  const isWorker = async (): Promise<boolean> =>
    task.executorId !== null && (await deps.store.workerByWallet(caller.wallet))?.id === task.executorId
  if (task.publisherWallet !== caller.wallet && !(await isWorker()))
    throw new MarketError('FORBIDDEN', { task_id: taskId })
  return buildRelease(deps, task)
}

/**
 * What an approval would move, for whoever may let only so much move: the bounty, and what the payer put into escrow
 * for it, null where nothing is. Reads only, and no chain.
 */
export async function sumToApprove(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
): Promise<{ readonly bounty: Amount; readonly escrowed: bigint | null }> {
  const { task } = await ownSubmission(deps, caller, submissionId)
  const payment = task.escrowStatus === 'none' ? null : await deps.store.escrowPayment(task.id)
  return { bounty: task.bounty, escrowed: payment?.maxAmount ?? null }
}

async function buildRelease(deps: MarketDeps, task: Task): Promise<ReleaseChallenge> {
  const payment = await deps.store.escrowPayment(task.id)
  if (payment === null) throw new MarketError('ESCROW_NOT_FOUND', { task_id: task.id })
  if (task.escrowStatus !== 'authorized')
    throw new MarketError('ESCROW_NOT_RELEASABLE', { task_id: task.id, escrow_status: task.escrowStatus })
  // What is left of a bounty of which its payer released a part on chain; of one that is paid, or unreadable now, all
  // of it.
  const state = await readable(() => deps.rails(payment.network).escrowState(payment))
  const atomic = state === null || state.capturable === 0n ? task.bounty.atomic : state.capturable
  const challenge = deps.signatures.releaseChallenge(payment, { ...task.bounty, atomic }, deps.clock.now())
  return { taskId: task.id, ...challenge, expiresAt: new Date(challenge.deadline * 1_000) }
}

/**
 * Everything the payer has to sign to approve, in whatever mode the task is paid. Reads only.
 * @throws APPROVAL_IN_FLIGHT while it is being paid
 */
export async function approveChallenge(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
  payer: string | null = null,
): Promise<ApproveChallenge> {
  const { submission, task } = await ownSubmission(deps, caller, submissionId)
  if (submission.status !== 'pending_review' && task.status !== 'disputed')
    throw new MarketError('SUBMISSION_NOT_REVIEWABLE', { submission_id: submissionId, status: submission.status })
  if (task.status === 'disputed' && task.turn?.kind === 'ruling')
    throw new MarketError('DISPUTE_NOT_OPEN', { submission_id: submissionId, ruling_status: 'standing' })
  // A second signature for what is being paid could pay it twice.
  if (await isMoneyMoving(deps, task)) throw inFlight(submission)
  const now = deps.clock.now()
  const isMetered = task.escrowStatus === 'none' && (await deps.store.meterTerms(task.id)) !== null
  if (isMetered) requirePending(task, submission)
  const split = isMetered ? await meteredShares(deps, task.id) : splitFee(task.bounty)
  const { asset } = task.bounty
  const said = { ...split.gross, asset: { ...asset, network: signedOn(deps, asset.network) } }
  const of = { submissionId, taskId: task.id }
  const releaseApproval = deps.signatures.releaseApproval({ ...of, amount: said, payer: task.publisherWallet }, now)
  const base = { ...of, mode: await modeOf(deps, task), ...split, releaseApproval, transaction: null }
  // A channel holds it, and what was accepted is signed for: nothing is left to sign (decision 0342).
  if (isMetered) return { ...base, release: null, payoutAuth: null, feeAuth: null, expiresAt: task.deadline }
  if (task.escrowStatus !== 'none') {
    const release = await buildRelease(deps, task)
    return { ...base, release, payoutAuth: null, feeAuth: null, expiresAt: release.expiresAt }
  }
  const splits = splitsOf(deps, task)
  if (splits !== undefined) {
    const terms = await splitTermsOf(deps, task, { submissionId, executorId: submission.executorId })
    const transaction = payer === null ? null : await splits.challenge(terms, payer, now)
    const expiresAt = transaction?.expiresAt ?? now
    return { ...base, release: null, payoutAuth: null, feeAuth: null, transaction, expiresAt }
  }
  const worker = await existingWorker(deps, submission.executorId)
  const { network } = task.bounty.asset
  const treasury = await deps.signatures.treasury(network, task.bounty.asset)
  const paid = { taskId: task.id, network, from: task.publisherWallet }
  const payoutAuth = deps.signatures.directChallenge(
    { ...paid, part: 'payout', to: worker.wallet, amount: split.payout },
    now,
  )
  const feeAuth = deps.signatures.directChallenge({ ...paid, part: 'fee', to: treasury, amount: split.fee }, now)
  return { ...base, release: null, payoutAuth, feeAuth, expiresAt: payoutAuth.expiresAt }
}
