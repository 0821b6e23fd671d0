import type { Party } from '@ergon/contract'
import type { ApplicationView } from '../applications/application.ts'
import type { AdminCaller, Caller, WalletCaller } from '../caller.ts'
import { payoutOf } from '../channels/payout.ts'
import { mayRule } from '../disputes/ruling.ts'
import { MarketError } from '../errors.ts'
import type { EscrowView, PaymentEvent } from '../escrow/payment-record.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { modeOf } from '../flows/mode-of.ts'
import { existingSubmission, existingTask, ownTask, requireVisible } from '../flows/read.ts'
import { arbiterRead } from '../flows/arbiter-read.ts'
import { partyOf } from '../identity/party.ts'
import { splitFee, type Split } from '../money/amount.ts'
import type { TaskFacts } from '../notices/notice.ts'
import type { Page, PageRequest, Ranked, Slice } from '../page.ts'
import type { Submission } from '../submissions/submission.ts'
import type { AdminTaskFilter } from '../ports/store-admin.ts'
import type { AvailableFilter, TaskFilter } from '../tasks/task-filter.ts'
import { wordsFor, type WordsRead } from '../tasks/task-words.ts'
import type { KeptTask, SeenTask, Task } from '../tasks/task.ts'
import { pageWithDeciders, withDecider } from './deciders.ts'
import { shown } from './evidence-views.ts'

/** A task as one reader finds it. */
export type TaskRead = SeenTask & { readonly words: WordsRead }

/**
 * The open marketplace, or every task of the publisher who signed (spec §4). An executor sees only what its party may
 * take (spec §1.3), unless it asks for the tasks of all parties.
 */
export async function listTasks(
  deps: MarketDeps,
  caller: Caller,
  { allParties, ...filter }: ForExecutor<TaskFilter>,
  page: PageRequest,
): Promise<Page<SeenTask>> {
  const isOwner = caller.kind === 'wallet' && filter.publisher === caller.wallet
  const takenBy = isOwner || allParties === true ? null : await partyOfCaller(deps, caller)
  return pageWithDeciders(deps, await deps.store.tasks({ ...filter, takenBy, anyStatus: isOwner }, page))
}

type ForExecutor<F> = Omit<F, 'takenBy'> & { readonly allParties?: boolean }

/** The party that a caller would apply as; null for whoever did not say who it is. */
async function partyOfCaller({ store }: MarketDeps, caller: Caller): Promise<Party | null> {
  if (caller.kind === 'anonymous') return null
  return (await store.workerByWallet(caller.wallet))?.party ?? partyOf(caller.via, null, null)
}

/** Tasks that can be taken now: of the party of whoever says who it is (spec §1.3). */
export async function availableTasks(
  deps: MarketDeps,
  caller: Caller,
  { allParties, ...filter }: ForExecutor<AvailableFilter>,
  page: PageRequest,
): Promise<Page<SeenTask>> {
  const takenBy = allParties === true ? null : await partyOfCaller(deps, caller)
  return pageWithDeciders(deps, await deps.store.availableTasks({ ...filter, takenBy }, page, deps.clock.now()))
}

/** What the operator finds among all tasks. */
export async function adminTasks(
  deps: MarketDeps,
  filter: AdminTaskFilter,
  page: PageRequest,
): Promise<Page<SeenTask>> {
  return pageWithDeciders(deps, await deps.store.adminTasks(filter, page))
}

/** What rooms and notices know of a task; null where there is none. */
export async function taskFacts({ store }: MarketDeps, taskId: string): Promise<TaskFacts | null> {
  const task = await store.task(taskId)
  return task === null
    ? null
    : { taskId, title: task.title, category: task.category, publisherWallet: task.publisherWallet }
}

/** @throws TASK_NOT_FOUND, TASK_GONE (over, to outsiders), SIGNATURE_REQUIRED or FORBIDDEN (private status). */
export async function readTask(deps: MarketDeps, caller: Caller, taskId: string): Promise<TaskRead> {
  const task = await deps.store.taskView(taskId)
  if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: taskId })
  const isOwn = caller.kind === 'wallet' && caller.wallet === task.publisherWallet
  const [seen, words, applicants] = await Promise.all([
    withDecider(deps, task),
    caller.kind === 'wallet' ? deps.store.taskWords(taskId) : [],
    isOwn && task.status === 'published' ? deps.store.transaction((tx) => tx.countPending(taskId)) : null,
    requireVisible(deps, caller, task),
  ])
  return { ...seen, applicants, words: wordsFor(task, words, caller) }
}

export async function applications(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  page: PageRequest,
): Promise<Page<ApplicationView>> {
  await ownTask(deps, caller, taskId)
  return deps.store.applications(taskId, page)
}

/** Both sides may read a submission; the publisher's reading is stamped (spec §4). */
export async function submissions(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
): Promise<readonly Submission[]> {
  const task = await existingTask(deps, taskId)
  const worker = await deps.store.workerByWallet(caller.wallet)
  const isPublisher = task.publisherWallet === caller.wallet
  const rows = (await deps.store.submissions(taskId)).filter((one) => isPublisher || one.executorId === worker?.id)
  if (!isPublisher && (worker === null || rows.length === 0) && task.executorId !== worker?.id)
    throw new MarketError('FORBIDDEN', { task_id: taskId })
  return isPublisher ? shown(deps, await stamped(deps, rows), () => 'counterparty') : shown(deps, rows, () => 'worker')
}

/** The same, a part at a time. */
export async function submissionsOfTask(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  slice: Slice,
): Promise<Ranked<Submission>> {
  const task = await existingTask(deps, taskId)
  const isPublisher = task.publisherWallet === caller.wallet
  const worker = isPublisher ? null : await deps.store.workerByWallet(caller.wallet)
  if (!isPublisher && worker === null) throw new MarketError('FORBIDDEN', { task_id: taskId })
  const found = await deps.store.submissionsSlice(taskId, worker?.id ?? null, slice)
  if (!isPublisher && found.total === 0 && task.executorId !== worker?.id)
    throw new MarketError('FORBIDDEN', { task_id: taskId })
  const rows = isPublisher
    ? await shown(deps, await stamped(deps, found.rows), () => 'counterparty')
    : await shown(deps, found.rows, () => 'worker')
  return { ...found, rows }
}

/**
 * One submission, for both sides as above; whoever decides disputes reads it as it was handed in, and stamps nothing
 * (decision 0079).
 */
export async function readSubmission(
  deps: MarketDeps,
  caller: WalletCaller | AdminCaller,
  submissionId: string,
): Promise<Submission> {
  const submission = await existingSubmission(deps, submissionId)
  if (caller.kind === 'admin') return disputedSubmission(deps, submission)
  if (await isArbiter(deps, caller, submission)) {
    await arbiterRead(deps, caller, submission, 'evidence')
    return disputedSubmission(deps, submission)
  }
  const found = (await submissions(deps, caller, submission.taskId)).find((one) => one.id === submissionId)
  if (found === undefined) throw new MarketError('FORBIDDEN', { submission_id: submissionId })
  return found
}

/** No party, and one who may rule on its task. */
async function isArbiter(
  deps: MarketDeps,
  { wallet }: WalletCaller,
  { taskId, executorId }: Submission,
): Promise<boolean> {
  if (deps.settings.arbiters?.includes(wallet) !== true) return false
  const task = await existingTask(deps, taskId)
  const worker = await deps.store.workerByWallet(wallet)
  return task.publisherWallet !== wallet && worker?.id !== executorId && mayRule(deps.settings, task, wallet)
}

async function disputedSubmission(deps: MarketDeps, submission: Submission): Promise<Submission> {
  const { rows } = await deps.store.disputes(
    { status: null, taskId: submission.taskId, wallet: null },
    { limit: 1, offset: 0, cursor: null },
  )
  if (rows.length === 0) throw new MarketError('FORBIDDEN', { submission_id: submission.id })
  const [found = submission] = await shown(deps, [submission], () => 'arbiter')
  return found
}

export async function stamped(deps: MarketDeps, rows: readonly Submission[]): Promise<readonly Submission[]> {
  const now = deps.clock.now()
  const unread = rows.filter((one) => one.evidenceAccessedAt === null)
  if (unread.length > 0)
    await deps.store.stampEvidenceAccess(
      unread.map((one) => one.id),
      now,
    )
  return rows.map((one) => (one.evidenceAccessedAt === null ? { ...one, evidenceAccessedAt: now } : one))
}

/** The submission that approve and reject on a task mean: the one that waits, else the latest. */
export async function currentSubmission(deps: MarketDeps, taskId: string): Promise<string> {
  await existingTask(deps, taskId)
  const rows = await deps.store.submissions(taskId)
  const current = rows.find((one) => one.status === 'pending_review') ?? rows[0]
  if (current === undefined) throw new MarketError('SUBMISSION_NOT_FOUND', { task_id: taskId })
  return current.id
}

/** The state of the bounty, from our own rows. */
export async function payment(deps: MarketDeps, caller: Caller, taskId: string): Promise<EscrowView> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const mode = await modeOf(deps, task)
  const isMetered = task.escrowStatus === 'none' && mode !== 'fase1'
  return {
    taskId,
    status: await statusOf(deps, task),
    mode,
    amount: task.bounty,
    payment: await deps.store.escrowPayment(taskId),
    capturable: null,
    escrowTx: task.escrowTx,
    refundTx: task.refundTx,
    ...(isMetered ? await paidByChannel(deps, task) : await paidByTask(deps, task)),
  }
}

type Paid = Pick<EscrowView, 'releaseTx' | 'feeTx' | 'payout' | 'fee'>

async function paidByTask(deps: MarketDeps, task: KeptTask): Promise<Paid> {
  const { paymentTx: releaseTx, feeTx } = task
  if (releaseTx === null) return { releaseTx, feeTx, payout: null, fee: null }
  const { payout, fee } = await splitOf(deps, task)
  return { releaseTx, feeTx, payout, fee }
}

/** A channel pays when it is closed, whether or not the task goes on, and both shares in one transaction. */
async function paidByChannel({ store }: MarketDeps, { id, bounty }: Task): Promise<Paid> {
  const channel = await store.channelOf(id)
  const end = channel?.end ?? channel?.paid ?? null
  if (end === null || end.settled === 0n) return { releaseTx: null, feeTx: null, payout: null, fee: null }
  const { worker, fee } = payoutOf({ settled: end.settled, deposit: end.settled })
  return {
    releaseTx: end.txHash,
    feeTx: fee > 0n ? end.txHash : null,
    payout: { ...bounty, atomic: worker },
    fee: { ...bounty, atomic: fee },
  }
}

/** How what was paid was shared out. */
async function splitOf({ store }: MarketDeps, task: KeptTask): Promise<Split> {
  const { bounty, captured } = task
  if (captured === null) {
    const award = await store.settlement(task.id, 'award')
    return splitFee(award?.order.kind === 'capture' ? award.order.amount : bounty)
  }
  return splitFee({ ...bounty, atomic: captured })
}

/** Without escrow nothing but the task as it is read tells that it is being paid. */
async function statusOf({ store }: MarketDeps, { id, escrowStatus }: Task): Promise<EscrowView['status']> {
  return escrowStatus === 'none' && (await store.taskView(id))?.isPaying === true ? 'releasing' : escrowStatus
}

/** The same, with what the chain holds now beside it; null when it could not be read. */
export async function escrow(deps: MarketDeps, caller: Caller, taskId: string): Promise<EscrowView> {
  const view = await payment(deps, caller, taskId)
  if (view.status === 'none' || view.payment === null) throw new MarketError('ESCROW_NOT_FOUND', { task_id: taskId })
  const terms = view.payment
  const state = await deps
    .rails(terms.network)
    .escrowState(terms)
    .catch((error: unknown) => {
      if (error instanceof MarketError && error.code === 'CHAIN_UNAVAILABLE') return null
      throw error
    })
  return { ...view, capturable: state === null ? null : { atomic: state.capturable, asset: terms.asset } }
}

export async function paymentEvents(
  deps: MarketDeps,
  caller: Caller,
  taskId: string,
  slice: Slice,
): Promise<Ranked<PaymentEvent>> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  return deps.store.paymentEvents(taskId, slice)
}
