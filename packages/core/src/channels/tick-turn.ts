import type { Task } from '../tasks/task.ts'
import type { AcceptedTick, Channel } from './channel.ts'

/** What is asked of the task of a tick, and who may send one. */
export type TickedTask = Pick<Task, 'id' | 'status' | 'escrowStatus' | 'deadline' | 'publisherWallet'> & {
  /** The wallet of its worker; null while nobody is assigned. */
  readonly workerWallet: string | null
}

/** What a tick finds when its turn has come: the channel as the ticks before it left it. */
export type TickTurn = {
  readonly task: TickedTask
  readonly channel: Channel | null
  /** What was accepted under its key. */
  readonly earlier: AcceptedTick | null
}

export type Ticked = {
  readonly tick: AcceptedTick
  /** As the tick leaves it. */
  readonly channel: Channel
  readonly replayed: boolean
}

/**
 * Decides on one tick, at once and while its channel is locked; null where there is no such task. It may be asked
 * again for the same tick. @throws MarketError for a tick that is refused
 */
export type DecideTick = (turn: TickTurn | null) => Ticked
