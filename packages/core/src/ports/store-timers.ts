import type { DecisionKind, Decisions } from '../policy/decisions.ts'
import type { StandingOrderWords } from './signatures.ts'

/**
 * What becomes due without anybody's doing: the review at half and at nine tenths, its end, and what a deadline decides
 * about work that was handed in (decision 0158); by when a worker has to have begun (decision 0174); the end of an
 * offer that nobody answered, and of the time to appeal.
 */
export type TimerKind =
  'review_half' | 'review_late' | 'review_end' | 'outcome' | 'start_by' | 'offer_end' | 'ruling_end'

/** `attempts`: how often it was taken, this time included. */
export type Timer = { readonly taskId: string; readonly kind: TimerKind; readonly attempts: number }

export interface TimerStore {
  /** Running totals of a publisher; all of them 0 for one without. */
  publisherDecisions(wallet: string): Promise<Decisions>
  /**
   * Timers of tasks on this network that are due, each put off until `leaseUntil` or, when it was taken often, a minute
   * for each time, an hour at most.
   */
  leaseTimers(network: string, now: Date, leaseUntil: Date, limit: number): Promise<readonly Timer[]>
  /** The standing order that came with the payment a task depends on; null where none did. */
  standingOrder(taskId: string): Promise<StandingOrderWords | null>
}

export interface TimerTx {
  /** Counts what a publisher did with what was handed in; `bucket` is that of the time it took, null for silence. */
  countDecision(wallet: string, kind: DecisionKind, bucket: number | null): Promise<void>
  /** In the place of one of the same kind. */
  putTimer(taskId: string, kind: TimerKind, dueAt: Date): Promise<void>
  /** Drops the timer as it was taken; one that was put in its place since stays. */
  dropTimer(timer: Timer): Promise<void>
  /** The deadline, the review and every timer of a task are so much earlier. */
  elapseTask(taskId: string, ms: number, at: Date): Promise<void>
  /** Keeps the standing order beside the payment of a task; null takes one of an earlier payment away. */
  keepStandingOrder(taskId: string, order: StandingOrderWords | null): Promise<void>
  /** Applications of a task that wait to be chosen. */
  countPending(taskId: string): Promise<number>
}
