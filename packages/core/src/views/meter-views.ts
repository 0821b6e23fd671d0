import type { Caller, WalletCaller } from '../caller.ts'
import type { AcceptedTick, Channel } from '../channels/channel.ts'
import type { MeterTerms } from '../channels/metering.ts'
import { MarketError } from '../errors.ts'
import type { MarketDeps } from '../flows/deps.ts'
import { noChannel, notMetered } from '../flows/close-channel.ts'
import { existingTask, requireParty, requireVisible } from '../flows/read.ts'
import type { Asset } from '../money/amount.ts'
import { isFinal } from '../tasks/lifecycle.ts'

/** What a metered task was published with, and the channel that funds it once there is one. */
export type MeterView = {
  readonly taskId: string
  readonly asset: Asset
  readonly terms: MeterTerms
  readonly channel: Channel | null
  readonly updatedAt: Date
  /** The task, or the session, has ended. */
  readonly isTaskOver: boolean
}

/** Whoever may see the task may see its meter. @throws TASK_NOT_FOUND for a task that is not metered */
export async function meter(deps: MarketDeps, caller: Caller, taskId: string): Promise<MeterView> {
  const task = await existingTask(deps, taskId)
  await requireVisible(deps, caller, task)
  const terms = await deps.store.meterTerms(taskId)
  if (terms === null) throw notMetered(taskId)
  const channel = await deps.store.channelOf(taskId)
  const { asset } = task.bounty
  const updatedAt = channel?.updatedAt ?? task.createdAt
  return { taskId, asset, terms, channel, updatedAt, isTaskOver: isFinal(task.status) }
}

/** The channel of a task, for whoever may see the task. @throws no_channel_bound */
export async function publicChannel(deps: MarketDeps, caller: Caller, taskId: string): Promise<Channel> {
  const { channel } = await meter(deps, caller, taskId)
  if (channel === null) throw new MarketError('no_channel_bound', { task_id: taskId })
  return channel
}

/** The channel of a task with its newest voucher, for the publisher and the worker. @throws no_channel_bound */
export async function ownChannel(deps: MarketDeps, caller: WalletCaller, taskId: string): Promise<Channel> {
  await requireParty(deps, caller, await existingTask(deps, taskId))
  const channel = await deps.store.channelOf(taskId)
  if (channel === null) throw await noChannel(deps, taskId)
  return channel
}

/**
 * The channel at an address, for the publisher and the worker of its task; a stranger does not learn whether there is
 * one.
 */
export async function channelAt(deps: MarketDeps, caller: WalletCaller, channelId: string): Promise<Channel> {
  const channel = await deps.store.channel(channelId)
  if (channel === null) throw new MarketError('FORBIDDEN', { channel_id: channelId })
  await requireParty(deps, caller, await existingTask(deps, channel.taskId))
  return channel
}

/** Accepted work of a channel, for whoever has seen the channel. */
export function acceptedTicks(
  { store }: MarketDeps,
  channelId: string,
  after: number,
  limit: number,
): Promise<readonly AcceptedTick[]> {
  return store.ticksAfter(channelId, after, limit)
}
