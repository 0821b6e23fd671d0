import type { Following } from '../audit/following.ts'
import type { LogPlace, Movement } from '../escrow/movement.ts'
import type { Payment } from '../escrow/payment.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Distribution } from './chain-logs.ts'

export type { Following } from '../audit/following.ts'

/**
 * A booked log; `missingSince`: its transaction was not on chain when it was last looked for. The beginning of time: it
 * was written down late and not looked for yet.
 */
export type BookedMovement = Movement & {
  readonly taskId: string | null
  readonly settlementId: string | null
  readonly missingSince: Date | null
}

/** A booked direct payment, and what it was made for. */
export type BookedTransfer = { readonly movement: BookedMovement; readonly settlement: Settlement }

/** A payment of ours by its key on chain, and the lock it was signed for. */
export type KnownPayment = { readonly payment: Payment; readonly lock: Settlement }

/** What following the chains reads and remembers (decision 0083). */
export interface FollowStore {
  /** Takes a network for one round; null when another process has it. `following` null: nobody has begun. */
  leaseFollowing(network: string, now: Date, until: Date): Promise<{ readonly following: Following | null } | null>
  /** Writes how far it was followed, never less than before, and keeps the lease until `due`. */
  putFollowing(following: Following, due: Date): Promise<void>
  followings(): Promise<readonly Following[]>
  /**
   * Booked logs of the escrow between two blocks, and those that are missing wherever they were. Direct payments are
   * none of them.
   */
  bookedMovements(network: string, from: bigint, through: bigint): Promise<readonly BookedMovement[]>
  /** Booked moves of fees between two blocks; none that were booked before logs were counted. */
  bookedDistributions(network: string, from: bigint, through: bigint): Promise<readonly Distribution[]>
  /**
   * Booked direct payments from this block on, the lowest first, and those that are missing wherever they were, the
   * longest first: so many of each at most.
   */
  bookedTransfers(network: string, from: bigint, limit: number): Promise<readonly BookedTransfer[]>
  /** Payments of ours among these keys. */
  knownPayments(network: string, hashes: readonly string[]): Promise<readonly KnownPayment[]>
  /** Direct payments that may still be made by a signature we hold: under way, or given up and watched. */
  watchedTransfers(network: string, limit: number): Promise<readonly Settlement[]>
  /** Publishers whose direct payment of a task, or of its fee, would be news to us: asked after a restore alone. */
  payersOwing(network: string, limit: number): Promise<readonly string[]>
}

export interface FollowTx {
  /** A booked log has another place now: its transaction was mined again. False when it is booked there as well. */
  moveMovement(movement: Movement, to: LogPlace): Promise<boolean>
  /** Remembers since when a booked log is missing. */
  missMovement(movement: Movement, since: Date): Promise<void>
  /** A booked log is on chain no more; false when another process has unbooked it. */
  dropMovement(movement: Movement): Promise<boolean>
  /** False when it was written down before, in this block or, before a reorganization, in another. */
  addDistribution(distribution: Distribution): Promise<boolean>
  /** Whether a sweep of this transaction and token is booked, in whatever block and of whatever amount. */
  isDistributed(distribution: Pick<Distribution, 'network' | 'txHash' | 'asset'>): Promise<boolean>
  /** It is on chain no more, or moves another amount; false when another process has unbooked it. */
  dropDistribution(distribution: Distribution): Promise<boolean>
}
