import type { AcceptedTick, Channel } from '../channels/channel.ts'
import type { MeterTerms } from '../channels/metering.ts'

export interface ChannelStore {
  /** What a task was published with; null for a task that is not metered. */
  meterTerms(taskId: string): Promise<MeterTerms | null>
  /** The channel that funds a task. */
  channelOf(taskId: string): Promise<Channel | null>
  /** Accepted ticks of a channel after the one with that index, the oldest first. */
  ticksAfter(channelId: string, index: number, limit: number): Promise<readonly AcceptedTick[]>
}

/** Rows are locked in the order task, submission, settlement, channel. */
export interface ChannelTx {
  /** False when the task has a channel, or the channel funds, or funded, a task. */
  insertChannel(channel: Channel): Promise<boolean>
  /** The channel of a task, locked: its ticks are accepted one after the other. */
  lockChannel(taskId: string): Promise<Channel | null>
  /** What was accepted under a key. */
  tickUnder(channelId: string, key: string): Promise<AcceptedTick | null>
  /** Writes a tick and raises its channel to it; the caller holds the lock. */
  addTick(tick: AcceptedTick, measuredUntil: Date): Promise<void>
}
