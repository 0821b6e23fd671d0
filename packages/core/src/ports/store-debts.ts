import type { Amount } from '../money/amount.ts'

/** A fee whose worker was paid and whose own payment was refused (mode fase1). */
export type UnpaidFee = {
  readonly taskId: string
  readonly submissionId: string
  readonly executorId: string | null
  /** What one fee excludes the other by. */
  readonly subject: string
  readonly fee: Amount
  readonly payer: string
  /** An authorization for it may still land: no other is taken beside it. */
  readonly isUnderWay: boolean
}

/** What publishers owe the treasury. */
export interface DebtStore {
  /** The oldest fee a wallet has left unpaid. */
  feeOwedBy(wallet: string): Promise<UnpaidFee | null>
  feeOwedFor(taskId: string): Promise<UnpaidFee | null>
}
