import type { WalletCaller } from '../caller.ts'
import type { Channel } from '../channels/channel.ts'
import type { StreamingInput } from '../channels/metering.ts'
import { isStream, readStreamTerms, requireRoomForStream } from '../channels/stream.ts'
import { MarketError } from '../errors.ts'
import { partyOf } from '../identity/party.ts'
import type { NewTask, Tx } from '../ports/store.ts'
import { canMove, isFinal } from '../tasks/lifecycle.ts'
import type { Task } from '../tasks/task.ts'
import type { MeterView } from '../views/meter-views.ts'
import { requireEligible } from './apply.ts'
import { wired } from './bind-channel.ts'
import { close, endNow, sideOf } from './close-channel.ts'
import type { MarketDeps } from './deps.ts'
import { requireNotApart } from './keep-apart.ts'
import { requireNoDebt } from './pay-fee.ts'
import { draftTask } from './publish.ts'
import { existingTask, existingWorker } from './read.ts'
import { requireNotBanned } from './set-ban.ts'
import { takeOn } from './take-on.ts'

export type StreamInput = StreamingInput & {
  readonly executorId: string
  readonly hours: number
  readonly note: string | null
}
/** A session, with its meter. */
export type StreamView = MeterView & { readonly stream: Task }

/**
 * Begins a session: the worker is named by its buyer and has said where it is paid, which is all it has to agree to
 * beforehand; without its ticks nothing is paid. Nothing of it is published.
 *
 * @throws NO_PAYEE_RESOLVED, SESSION_CAP_EXCEEDED, and what keeps two parties apart
 */
export async function startStream(deps: MarketDeps, caller: WalletCaller, input: StreamInput): Promise<StreamView> {
  const drafted = draft(deps, caller, input)
  const worker = await existingWorker(deps, input.executorId)
  requireEligible(drafted, worker)
  await requireNotApart(deps, caller.wallet, worker.wallet)
  await requireNotBanned(deps, worker.wallet)
  if ((await deps.store.payoutAddress(worker.id)) === null)
    throw new MarketError('NO_PAYEE_RESOLVED', { executor_id: worker.id })
  await requireNoDebt(deps, caller.wallet)
  const { agentId: publisherAgentId } = await deps.identified(caller)
  await deps.store.transaction(async (tx) => {
    requireRoomForStream(await tx.lockLiveStreams(caller.wallet))
    const task = await tx.publish({ ...drafted, publisherAgentId }, null)
    await takeOn({ deps, tx, task, now: task.createdAt }, worker, null)
  })
  return readStream(deps, drafted.id)
}

function draft(deps: MarketDeps, caller: WalletCaller, input: StreamInput): NewTask {
  const { unit, pricePerUnit, capUsd } = input
  const { network } = wired(deps)
  const task = draftTask(deps, caller, {
    title: `Session by the ${unit}`,
    instructions: input.note ?? '',
    category: 'simple_action',
    bountyUsd: deps.settings.bounds.min,
    deadlineHours: input.hours,
    evidenceRequired: [],
    evidenceOptional: [],
    locationHint: null,
    minReputation: 0,
    network,
    token: null,
    target: 'any',
    streaming: { unit, pricePerUnit, capUsd: deps.settings.bounds.max },
    publisherType: partyOf(caller.via, null, null),
    paymentAuth: null,
    idempotency: null,
  })
  const { asset } = task.bounty
  const meter = readStreamTerms({ unit, pricePerUnit, capUsd }, asset, deps.settings.bounds)
  return { ...task, bounty: { atomic: meter.cap, asset }, meter }
}

/** The session, whoever asks: it is public from its beginning, also when it is over. @throws TASK_NOT_FOUND */
export async function readStream(deps: MarketDeps, id: string): Promise<StreamView> {
  const stream = await existingStream(deps, id)
  const [terms, channel] = await Promise.all([deps.store.meterTerms(id), deps.store.channelOf(id)])
  if (terms === null) throw noStream(id)
  const { asset } = stream.bounty
  const updatedAt = channel?.updatedAt ?? stream.updatedAt
  return { stream, taskId: id, asset, terms, channel, updatedAt, isTaskOver: isFinal(stream.status) }
}

/**
 * Ends a session, from either side: what was accepted is paid, the rest goes back. Before a channel funds it there is
 * nothing to pay. A repeat answers how far it is. @throws TASK_NOT_FOUND, FORBIDDEN
 */
export async function stopStream(deps: MarketDeps, caller: WalletCaller, id: string): Promise<StreamView> {
  const reason = await sideOf(deps, caller, await existingStream(deps, id))
  const channel = await deps.store.transaction(async (tx): Promise<Channel | null> => {
    const stream = await tx.lockTask(id)
    const bound = await tx.lockChannel(id)
    if (bound?.status === 'open') return close(deps, tx, bound, { reason })
    if (bound === null && stream !== null) await drop(deps, tx, stream)
    return bound
  })
  if (channel !== null) await endNow(deps, channel)
  return readStream(deps, id)
}

async function drop(deps: MarketDeps, tx: Tx, { id, status }: Task): Promise<void> {
  if (!canMove(status, 'settleBack')) return
  const at = deps.clock.now()
  await tx.moveTask(id, 'cancelled', at, {})
  const data = { task_id: id, refund_tx: null }
  await tx.addEvent({ id: deps.ids.next(), type: 'task.cancelled', taskId: id, at, data })
}

async function existingStream(deps: MarketDeps, id: string): Promise<Task> {
  const task = await existingTask(deps, id)
  if (!isStream(task)) throw noStream(id)
  return task
}

function noStream(id: string): MarketError {
  return new MarketError('TASK_NOT_FOUND', { session_id: id }, { message: 'There is no such session.' })
}
