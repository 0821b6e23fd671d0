import type { MoneyFindingKind, RatingDirection } from '@ergon/contract'
import type { Caller, WalletCaller } from './caller.ts'
import type { GivenRating, RatingSubmission } from './market.ts'
import type { ChainLag } from './audit/chain-lag.ts'
import type { MoneyFinding } from './audit/finding.ts'
import type { Correlation } from './reputation/correlation.ts'

export type { ChainLag } from './audit/chain-lag.ts'

/** Findings that are not resolved. `lastRun` null: the comparison has not run yet. */
export type MoneyFindings = {
  readonly counts: Readonly<Record<MoneyFindingKind, number>>
  readonly unresolved: number
  readonly oldest: Date | null
  readonly lastRun: Date | null
}

/**
 * A rating relayed under the facilitator's wallet; what it says of the task beyond the direction must be so, null says
 * nothing.
 */
export type DirectRatingInput = {
  readonly taskId: string
  readonly direction: RatingDirection
  readonly score: number
  readonly comment: string | null
  readonly workerWallet: string | null
  readonly agentId: number | null
  readonly proofTx: string | null
}
/** `on its way`: the duty goes on with it. */
export type DirectRating = {
  readonly state: 'given' | 'on its way'
  readonly txHash: string | null
  readonly feedbackIndex: number | null
  readonly network: string
  readonly author: string | null
}

/** The part of the market that checks its own books against the chains (decision 0059). */
export interface AuditMarket {
  moneyFindings(): Promise<MoneyFindings>
  /** How far each chain has been followed. */
  chainLags(): Promise<readonly ChainLag[]>
  /** The rows behind the counts, oldest first. */
  unresolvedFindings(limit: number): Promise<readonly MoneyFinding[]>
  /** @throws TASK_NOT_RATEABLE, ALREADY_RATED, INVALID_REPUTATION_NETWORK, RATING_REFUSED */
  giveRating(caller: WalletCaller, input: DirectRatingInput): Promise<DirectRating>
  /** A rating that this caller gave, as `giveRating` answers it; null where it gave none that stands. */
  ratingGiven(caller: WalletCaller, taskId: string, direction: RatingDirection): Promise<DirectRating | null>
  /**
   * A rating that this caller signed with this document, as `submitRating` answers it; null while it does not stand on
   * chain.
   */
  ratingSubmitted(
    caller: WalletCaller,
    input: Pick<RatingSubmission, 'taskId' | 'direction' | 'feedbackHash'>,
  ): Promise<GivenRating | null>
  /** How much of each worker's history stems from the caller; empty for a caller without a wallet. */
  correlations(caller: Caller, executorIds: readonly string[]): Promise<ReadonlyMap<string, Correlation>>
}

export interface AuditDuties {
  /** Compares the ledger with the chains, a bounded share of it a round. */
  auditMoney(): Promise<number>
  /**
   * Books, returns or reports what the chains show and no row names (decision 0083). Answers how many networks have
   * more to read.
   */
  followChains(): Promise<number>
  /**
   * Finishes ratings that a crash left on their way, and checks that confirmed ones stand on chain as their document
   * says.
   */
  auditRatings(): Promise<number>
}
