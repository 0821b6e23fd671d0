import type { WalletCaller } from '../caller.ts'
import { boundChannel, type Channel, type VoucherMode } from '../channels/channel.ts'
import { limitOf, type MeterTerms } from '../channels/metering.ts'
import { MarketError, type ErrorDetails } from '../errors.ts'
import { channelFundedJournal } from '../ledger/journal.ts'
import type { Channels } from '../ports/channel-ledger.ts'
import { requireOpenNetwork } from '../network.ts'
import type { Task } from '../tasks/task.ts'
import type { MarketDeps } from './deps.ts'
import { ownTask } from './read.ts'
import { requireSubmittable } from './submit.ts'

export type BindInput = {
  readonly channelId: string
  /** Whose key the caller has proven. */
  readonly payer: string
  /** Checked, never preferred; null: not given. */
  readonly payee: string | null
  /** The key that signs vouchers where the buyer does; null: this deployment signs. */
  readonly voucherKey: string | null
}

/**
 * Lets a channel fund a task: what the ledger holds is read, and only what is written there counts. A repeat answers
 * the channel that is bound.
 *
 * @throws NO_PAYEE_RESOLVED before a worker with an address is known, WORKER_USDC_ATA_MISSING, and what
 * `ChannelLedger` throws.
 */
export async function bindChannel(
  deps: MarketDeps,
  caller: WalletCaller,
  taskId: string,
  input: BindInput,
): Promise<Channel> {
  const channels = wired(deps)
  const task = await ownTask(deps, caller, taskId)
  const terms = await metered(deps, task)
  const bound = await deps.store.channelOf(taskId)
  if (bound !== null) return sameChannel(bound, input)
  requireOpenNetwork(deps, task.bounty.asset.network)
  await requireFresh(channels, input.channelId, deps.clock.now())
  const { executorId, worker } = await payeeOf(deps, task, input.payee)
  requireSubmittable(task, deps.clock.now())
  const { asset } = task.bounty
  if (!(await channels.ledger.canReceive(worker, asset))) throw new MarketError('WORKER_USDC_ATA_MISSING', { worker })
  const { payer, voucherKey } = input
  const found = await channels.ledger.openChannel(input.channelId, { payer, worker, asset, voucherKey })
  const now = deps.clock.now()
  const meter = { unit: terms.unit, price: terms.price, limit: limitOf(terms, found.deposit) }
  const mode: VoucherMode = voucherKey === null ? 'operator' : 'client'
  const parties = { payer, payee: found.payee, worker, executorId, voucherKey, voucherSigner: mode }
  const channel = boundChannel({ ...meter, ...found, ...parties, id: input.channelId, taskId, asset }, now)
  return (await write(deps, channel, now)) ? channel : sameChannel(await deps.store.channelOf(taskId), input)
}

/** A channel that this deployment opened and that funded nothing in time is given back: nobody binds it any more. */
export const bindWithinMs = 900_000

async function requireFresh({ openings }: Channels, channelId: string, now: Date): Promise<void> {
  const opening = await openings.find(channelId)
  if (opening !== null && opening.at.getTime() + bindWithinMs < now.getTime()) throw notReusable('opened_too_long_ago')
}

/** @throws NOT_WIRED where no channels are kept. */
export function wired({ channels }: MarketDeps, details: ErrorDetails = {}): Channels {
  if (channels === undefined)
    throw new MarketError('NOT_WIRED', details, { message: 'This deployment does not offer metered channels.' })
  return channels
}

/** @throws VALIDATION_FAILED for a task that is not metered */
export async function metered(deps: MarketDeps, { id }: Task): Promise<MeterTerms> {
  const terms = await deps.store.meterTerms(id)
  if (terms === null)
    throw new MarketError('VALIDATION_FAILED', {
      field: 'task_id',
      constraint: 'a task published with payment_streaming',
      received: id,
    })
  return terms
}

/** Whom the task pays. @throws NO_PAYEE_RESOLVED */
export async function payeeOf(
  deps: MarketDeps,
  { id, executorId }: Task,
  given: string | null,
): Promise<{ readonly executorId: string; readonly worker: string }> {
  const worker = executorId === null ? null : await deps.store.payoutAddress(executorId)
  if (executorId === null || worker === null) throw new MarketError('NO_PAYEE_RESOLVED', { task_id: id })
  if (given !== null && given !== worker)
    throw new MarketError('VALIDATION_FAILED', { field: 'payee', constraint: "the worker's address", received: given })
  return { executorId, worker }
}

/** Asks again under the lock what may have changed since; false when the task, or the channel, is taken. */
async function write(deps: MarketDeps, channel: Channel, now: Date): Promise<boolean> {
  return deps.store.transaction(async (tx) => {
    const task = await tx.lockTask(channel.taskId)
    if (task === null) throw new MarketError('TASK_NOT_FOUND', { task_id: channel.taskId })
    requireSubmittable(task, now)
    if (task.executorId !== channel.executorId) throw new MarketError('NO_PAYEE_RESOLVED', { task_id: task.id })
    if (!(await tx.insertChannel(channel))) return false
    await tx.post({
      id: deps.ids.next(),
      taskId: task.id,
      asset: channel.asset,
      at: now,
      postings: channelFundedJournal(channel.payer, channel.id, channel.deposit),
    })
    return true
  })
}

function sameChannel(bound: Channel | null, { channelId }: BindInput): Channel {
  if (bound?.id !== channelId) throw notReusable(bound === null ? 'bound_to_another_task' : 'task_has_a_channel')
  return bound
}

/** Why a channel cannot fund a task. */
export function notReusable(fault: string): MarketError {
  return new MarketError('CHANNEL_NOT_REUSABLE', { fault })
}
