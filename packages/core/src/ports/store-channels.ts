import type { AcceptedTick, Channel, ChannelEnd, ChannelStatus, Closing } from '../channels/channel.ts'
import type { ChannelOrder, ChannelOrderStatus } from '../channels/order.ts'
import type { MeterTerms } from '../channels/metering.ts'
import type { DecideTick, Ticked } from '../channels/tick-turn.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Task } from '../tasks/task.ts'

/** A channel whose task decides whether it goes on. */
export type LeasedChannel = { readonly channel: Channel; readonly isTaskOver: boolean }

/** Whose sessions: of a buyer's wallet, or of a worker's id. */
export type StreamsOf = { readonly buyer: string } | { readonly worker: string }
/** A session with what it costs. */
export type PricedStream = { readonly stream: Task; readonly terms: MeterTerms }

export interface ChannelStore {
  /** The sessions of one side, newest first. */
  streamsOf(whose: StreamsOf, page: PageRequest): Promise<Page<PricedStream>>
  /** What a task was published with; null for a task that is not metered. */
  meterTerms(taskId: string): Promise<MeterTerms | null>
  /** The channel that funds a task. */
  channelOf(taskId: string): Promise<Channel | null>
  /** The channels that fund any of these tasks, in one read. */
  channelsOf(taskIds: readonly string[]): Promise<readonly Channel[]>
  /** The channel at an address. */
  channel(channelId: string): Promise<Channel | null>
  /** Accepted ticks of a channel after the one with that index, the oldest first. */
  ticksAfter(channelId: string, index: number, limit: number): Promise<readonly AcceptedTick[]>
  /**
   * Takes a tick in its turn: whoever ticks the same channel waits, and no other does. What is decided is written
   * before it is answered, in one commit with whatever else waited; what was accepted under `key` is shown to `decide`.
   */
  takeTick(taskId: string, key: string | null, decide: DecideTick): Promise<Ticked>
  /** The order of a channel whose end is not known. */
  openOrder(channelId: string): Promise<ChannelOrder | null>
  /** Channels in that state that are due; nobody else gets them until then. Each lease counts as an attempt. */
  leaseChannels(
    status: Exclude<ChannelStatus, 'reclaimed'>,
    now: Date,
    until: Date,
    limit: number,
  ): Promise<readonly LeasedChannel[]>
  /** Channels whose comparison with the ledger is due; those that are reclaimed are compared no more. */
  leaseChannelAudits(now: Date, until: Date, limit: number): Promise<readonly Channel[]>
  /**
   * Deletes so many ticks and so many orders at the most of channels that were over before that time; answers the
   * greater of both counts.
   */
  forgetTicks(before: Date, limit: number): Promise<number>
}

export interface ChannelTx {
  /** Serialises the sessions that a buyer begins, and counts those that run. */
  lockLiveStreams(wallet: string): Promise<number>
  /** False when the task has a channel, or the channel funds, or funded, a task. */
  insertChannel(channel: Channel): Promise<boolean>
  /** The channel of a task, locked: none of its ticks is taken meanwhile. */
  lockChannel(taskId: string): Promise<Channel | null>
  /** Takes an open channel out of use; it is due at that time. The caller holds the lock. */
  closeChannel(channelId: string, closing: Closing, dueAt: Date): Promise<void>
  /** Looks at a channel again at that time, unless it has moved on since. */
  channelDueAt(channelId: string, status: ChannelStatus, dueAt: Date): Promise<void>
  /** Writes an order before it is sent; false while another one of its channel is open. */
  insertOrder(order: ChannelOrder): Promise<boolean>
  endOrder(id: string, status: Exclude<ChannelOrderStatus, 'sent'>, at: Date): Promise<void>
  /** The shares of a closing channel are paid, and the rest is still in it. The caller holds the lock. */
  payChannel(channelId: string, paid: ChannelEnd): Promise<void>
  /** Pays a closing channel out. The caller holds the lock. */
  settleChannel(channelId: string, deposit: bigint, end: ChannelEnd, dueAt: Date): Promise<void>
  /** Nothing of a settled channel is left on its ledger. */
  reclaimChannel(channelId: string, at: Date): Promise<void>
}
