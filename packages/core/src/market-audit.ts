import type { MoneyFindingKind } from '@ergon/contract'
import type { Caller } from './caller.ts'
import type { MoneyFinding } from './audit/finding.ts'
import type { Correlation } from './reputation/correlation.ts'

/** Findings that are not resolved. `lastRun` null: the comparison has not run yet. */
export type MoneyFindings = { readonly counts: Readonly<Record<MoneyFindingKind, number>>; readonly unresolved: number; readonly oldest: Date | null; readonly lastRun: Date | null }

/** The part of the market that checks its own books against the chains (decision 0059). */
export interface AuditMarket {
  moneyFindings(): Promise<MoneyFindings>
  /** The rows behind the counts, oldest first. */
  unresolvedFindings(limit: number): Promise<readonly MoneyFinding[]>
  /** How much of each worker's history stems from the caller; empty for a caller without a wallet. */
  correlations(caller: Caller, executorIds: readonly string[]): Promise<ReadonlyMap<string, Correlation>>
}

export interface AuditDuties {
  /** Compares the ledger with the chains, a bounded share of it a round. */
  auditMoney(): Promise<number>
  /** Finishes ratings that a crash left on their way, and checks that confirmed ones stand on chain as their document says. */
  auditRatings(): Promise<number>
}
