import type { MoneyFindingKind } from '@ergon/contract'
import type { Asset } from '../money/amount.ts'
import type { EscrowBooks } from '../audit/compare-escrow.ts'
import type { HeldSums } from '../audit/compare-sums.ts'
import type { Finding, MoneyFinding } from '../audit/finding.ts'
import type { CorrelationFacts } from '../reputation/correlation.ts'
import type { Rating } from '../reputation/rating.ts'
import type { Settlement } from '../settlements/settlement.ts'

/** Payments and cash-outs that have not ended; `oldestSeconds` is null where there are none. */
export type OpenPayments = {
  readonly inFlight: number
  readonly inDoubt: number
  readonly oldestSeconds: number | null
}
/** Over all networks, and of each that has any. */
export type PaymentsHealth = OpenPayments & {
  readonly byNetwork: readonly (OpenPayments & { readonly network: string })[]
  readonly ledgerBalanced: boolean
}

/** Findings that are not resolved. `lastRun` null: the comparison has not run yet. */
export type MoneyFindings = {
  readonly counts: Readonly<Record<MoneyFindingKind, number>>
  /** What the counts are the sums of. */
  readonly byNetwork: readonly { readonly network: string; readonly kind: MoneyFindingKind; readonly count: number }[]
  readonly unresolved: number
  readonly oldest: Date | null
  readonly lastRun: Date | null
}

/** `writtenAt`: its document did not exist before. */
export type WrittenRating = Rating & { readonly writtenAt: Date }

/** A rating its rater signed and that was sent. */
export type SentRating = WrittenRating & {
  /** The latest deadline that was signed: afterwards the chain takes it no more. */
  readonly landsUntil: Date
}

export type Unnamed = {
  readonly taskId: string
  readonly settlementId: string | null
  readonly network: string
  readonly detail: string
}

/** A running total that is not the sum of its lines, or a balance of all accounts that is not zero. */
export type LedgerDrift = {
  readonly asset: Asset
  readonly figure: 'escrowed' | 'operator' | 'treasury' | 'balance' | 'lines' | 'paid'
  /** The total less the sum. */
  readonly atomic: bigint
}

/** What the comparison of the ledger with the chains reads and remembers (decision 0059). */
export interface AuditStore {
  /** Takes the round; null when it is not due or another process has it. `sums`: the totals are due as well. */
  leaseAudit(now: Date, until: Date, sumsUntil: Date): Promise<{ readonly sums: boolean } | null>
  /** Payments whose comparison is due, the longest waiting first; each is due again at `until`. */
  leaseEscrowAudits(network: string, now: Date, until: Date, limit: number): Promise<readonly EscrowBooks[]>
  escrowBooks(taskId: string): Promise<EscrowBooks | null>
  auditEscrowAt(taskIds: readonly string[], at: Date): Promise<void>
  /** Settlements confirmed before this whose transaction should be looked at again, each due again at `until`. */
  leaseProofs(
    network: string,
    now: Date,
    until: Date,
    before: Date,
    limit: number,
  ): Promise<readonly (Settlement & { readonly txHash: string })[]>
  proveAt(settlementIds: readonly string[], at: Date): Promise<void>
  /** Open settlements that were claimed before this; as many of each network at the most. */
  stuckSettlements(before: Date, limit: number): Promise<readonly Settlement[]>
  /**
   * Confirmed payments without a transaction, and fees that have waited for theirs since before this; as many of each
   * network at the most.
   */
  unnamedPayments(before: Date, limit: number): Promise<readonly Unnamed[]>
  heldSums(recentSince: Date): Promise<readonly HeldSums[]>
  /** Adds up a further part of the ledger and compares it with the running totals; empty where they agree. */
  ledgerDrift(): Promise<readonly LedgerDrift[]>
  /** Ratings whose last copy was sent before this, the longest not looked at first; each is due again at `until`. */
  leaseSentRatings(network: string, now: Date, until: Date, before: Date, limit: number): Promise<readonly SentRating[]>
  /** Ratings that have been on their way since before this; as many of each network at the most. */
  stuckRatings(before: Date, limit: number): Promise<readonly (Rating & { readonly since: Date })[]>
  leaseRatingAudits(network: string, now: Date, until: Date, limit: number): Promise<readonly WrittenRating[]>
  auditRatingAt(ids: readonly string[], at: Date): Promise<void>
  /**
   * What a check found now: known findings are seen again, and those of the scope it no longer finds are resolved. So
   * are those of an escrow (`escrow:` and its task) that is cleared.
   */
  reportFindings(
    scopes: readonly string[],
    found: readonly (Finding & { readonly scope: string })[],
    at: Date,
  ): Promise<void>
  moneyFindings(): Promise<MoneyFindings>
  unresolvedFindings(limit: number, offset?: number): Promise<readonly MoneyFinding[]>
  /** What each worker completed, and how much of it for this publisher; one query for a page of them. */
  correlations(executorIds: readonly string[], publisherWallet: string): Promise<ReadonlyMap<string, CorrelationFacts>>
}
