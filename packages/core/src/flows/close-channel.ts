import type { WalletCaller } from '../caller.ts'
import type { Channel, Closing } from '../channels/channel.ts'
import { MarketError } from '../errors.ts'
import type { Tx } from '../ports/store.ts'
import type { Task } from '../tasks/task.ts'
import { wired } from './bind-channel.ts'
import type { MarketDeps } from './deps.ts'
import { existingTask, requireParty } from './read.ts'
import { settleNow } from './settle-channel.ts'

/** `closing`: its end is in flight and the reconciler finishes it. */
export type ChannelClosing = { readonly state: 'settled' | 'closing'; readonly channel: Channel }

/**
 * Ends the pay of a task: no tick is taken any more, what was accepted is paid and the rest goes back. Its worker and
 * its publisher may do so at any moment; the task itself stays where it is. A repeat answers how far it is.
 *
 * @throws no_channel_bound, FORBIDDEN, NOT_WIRED; TASK_NOT_FOUND for a task that is not metered
 */
export async function closeChannel(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<ChannelClosing> {
  wired(deps)
  const task = await existingTask(deps, taskId)
  const reason = await sideOf(deps, caller, task)
  if ((await deps.store.channelOf(taskId)) === null) throw await noChannel(deps, taskId)
  const channel = await deps.store.transaction(async (tx) => {
    const current = await lockBound(tx, taskId)
    return current.status === 'open' ? close(deps, tx, current, { reason }) : current
  })
  return endNow(deps, channel)
}

/** Carries an end on that a caller waits for. */
export async function settleChannel(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<ChannelClosing> {
  wired(deps)
  await sideOf(deps, caller, await existingTask(deps, taskId))
  const channel = await deps.store.channelOf(taskId)
  if (channel === null) throw await noChannel(deps, taskId)
  return endNow(deps, channel)
}

/** Which of the two parties calls. @throws FORBIDDEN */
export async function sideOf(deps: MarketDeps, caller: WalletCaller, task: Task): Promise<'publisher' | 'worker'> {
  await requireParty(deps, caller, task)
  return task.publisherWallet === caller.wallet ? 'publisher' : 'worker'
}

/** @throws no_channel_bound */
export async function lockBound(tx: Tx, taskId: string): Promise<Channel> {
  const channel = await tx.lockChannel(taskId)
  if (channel === null) throw new MarketError('no_channel_bound', { task_id: taskId })
  return channel
}

type Why = Pick<Closing, 'reason'> & Partial<Pick<Closing, 'submissionId' | 'rating'>>

/** Takes a channel out of use under its lock; without a time, whoever closes it carries on with it first. */
export async function close(
  deps: MarketDeps,
  tx: Tx,
  channel: Channel,
  why: Why,
  dueAt: Date = new Date(deps.clock.now().getTime() + deps.settings.leaseMs),
): Promise<Channel> {
  const at = deps.clock.now()
  const closing: Closing = { submissionId: null, rating: null, attempts: 0, at, ...why }
  await tx.closeChannel(channel.id, closing, dueAt)
  return { ...channel, status: 'closing', closing, updatedAt: at }
}

/** Tries the end of a channel that was just closed; what it leaves open wakes the reconciler. */
export async function endNow(deps: MarketDeps, channel: Channel): Promise<ChannelClosing> {
  if (channel.status === 'closing' && !(await settleNow(deps, channel, deps.settings.settleWaitMs)))
    deps.wakeup.settlements()
  const current = (await deps.store.channelOf(channel.taskId)) ?? channel
  return { state: current.end === null ? 'closing' : 'settled', channel: current }
}

/** Why there is none: its publisher has not bound one yet, or the task is paid in another way. */
export async function noChannel({ store }: Pick<MarketDeps, 'store'>, taskId: string): Promise<MarketError> {
  return (await store.meterTerms(taskId)) === null
    ? notMetered(taskId)
    : new MarketError('no_channel_bound', { task_id: taskId })
}

export const notMetered = (taskId: string): MarketError =>
  new MarketError('TASK_NOT_FOUND', { task_id: taskId }, { message: 'This task is not paid by the unit.' })
