import type { DisputeReason, DisputeStatus } from '@ergon/contract'
import type { AdminCaller, Caller, WalletCaller } from '../caller.ts'
import { sideOf, type Dispute, type DisputeView, type Statement } from '../disputes/dispute.ts'
import { MarketError } from '../errors.ts'
import { emptyPage, type Page, type PageRequest } from '../page.ts'
import { arbiterRead } from './arbiter-read.ts'
import { beginDispute } from './deadlines.ts'
import type { MarketDeps } from './deps.ts'
import { existingSubmission, existingTask } from './read.ts'
import { rulingSeekerOf } from './ruling-seeker.ts'
import { lockReviewable } from './review.ts'

export type Opening = { readonly reason: DisputeReason; readonly description: string }

/** Either party opens a dispute while the submission is in review (decision 0046). No money moves. */
export async function openDispute(
  deps: MarketDeps,
  caller: WalletCaller,
  submissionId: string,
  input: Opening,
): Promise<Dispute> {
  const submission = await existingSubmission(deps, submissionId)
  const task = await existingTask(deps, submission.taskId)
  const worker = await deps.store.worker(submission.executorId)
  const openedBy = sideOf({ publisherWallet: task.publisherWallet, workerWallet: worker?.wallet ?? '' }, caller.wallet)
  if (openedBy === null) throw new MarketError('FORBIDDEN', { submission_id: submissionId })
  const now = deps.clock.now()
  const dispute: Dispute = {
    id: deps.ids.next(),
    taskId: task.id,
    submissionId,
    status: 'open',
    openedBy,
    reason: input.reason,
    description: input.description,
    criteria: [],
    resolution: null,
    resolvedAt: null,
    createdAt: now,
  }
  await deps.store.transaction(async (tx) => {
    const current = await lockReviewable(tx, task, submission, 'dispute')
    await tx.moveTask(task.id, 'disputed', now)
    await tx.insertDispute(dispute)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'dispute.opened',
      taskId: task.id,
      at: now,
      data: { task_id: task.id, submission_id: submissionId, dispute_id: dispute.id },
    })
    await beginDispute({ deps, tx, task: current, now })
  })
  return dispute
}

export async function existingDispute(deps: MarketDeps, disputeId: string): Promise<DisputeView> {
  const dispute = await deps.store.dispute(disputeId)
  if (dispute === null) throw new MarketError('DISPUTE_NOT_FOUND', { dispute_id: disputeId })
  return dispute
}

type DisputeAsk = {
  readonly status: DisputeStatus | null
  readonly taskId: string | null
  readonly isArbiter?: boolean
}

/** A wallet sees the disputes it is a party of, or those it may rule on (decision 0196); the admin sees all. */
export async function disputes(
  deps: MarketDeps,
  caller: Caller | AdminCaller,
  { isArbiter = false, ...filter }: DisputeAsk,
  page: PageRequest,
): Promise<Page<DisputeView>> {
  if (caller.kind === 'anonymous') return emptyPage(page)
  if (isArbiter) return rulable(deps, caller, filter, page)
  return deps.store.disputes({ ...filter, wallet: caller.kind === 'admin' ? null : caller.wallet }, page)
}

/** What an arbiter may rule on now, by the rules of a ruling; to find a dispute reads no evidence: no line. */
async function rulable(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  filter: DisputeAsk,
  page: PageRequest,
): Promise<Page<DisputeView>> {
  if (caller.kind === 'admin')
    throw new MarketError('VALIDATION_FAILED', {
      field: 'role',
      constraint: 'the admin key is no arbiter',
      received: 'arbiter',
    })
  const { wallet } = caller
  if (deps.settings.arbiters?.includes(wallet) !== true) return emptyPage(page)
  return deps.store.disputes({ ...filter, wallet: null, ruler: await rulingSeekerOf(deps, caller) }, page)
}

export async function readDispute(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  disputeId: string,
): Promise<DisputeView> {
  const dispute = await existingDispute(deps, disputeId)
  if (caller.kind === 'wallet' && sideOf(dispute, caller.wallet) === null)
    await arbiterRead(deps, caller, dispute, 'dispute')
  return dispute
}

/** Either side adds what it has to say, as long as nothing is decided. */
export async function addStatement(
  deps: MarketDeps,
  caller: WalletCaller,
  disputeId: string,
  input: { readonly statement: string; readonly links: readonly string[] },
): Promise<Statement> {
  const dispute = await existingDispute(deps, disputeId)
  const side = sideOf(dispute, caller.wallet)
  if (side === null) throw new MarketError('FORBIDDEN', { dispute_id: disputeId })
  const now = deps.clock.now()
  const statement: Statement = {
    id: deps.ids.next(),
    disputeId,
    side,
    statement: input.statement,
    links: input.links,
    createdAt: now,
  }
  await deps.store.transaction(async (tx) => {
    const current = await tx.lockDispute(disputeId)
    if (current?.status !== 'open')
      throw new MarketError('DISPUTE_NOT_OPEN', { dispute_id: disputeId, status: current?.status ?? null })
    await tx.insertStatement(statement)
    await tx.addEvent({
      id: deps.ids.next(),
      type: 'dispute.evidence_submitted',
      taskId: dispute.taskId,
      at: now,
      data: { task_id: dispute.taskId, dispute_id: disputeId, side },
    })
  })
  return statement
}
