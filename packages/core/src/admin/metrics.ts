import type { TaskStatus } from '@ergon/contract'
import type { Asset } from '../money/amount.ts'

/** Money of one token on one network, in atomic units, as the ledger says it. */
export type MoneyMetrics = {
  readonly asset: Asset
  readonly locked: bigint
  readonly paid: bigint
  readonly feesAccrued: bigint
  readonly feesSwept: bigint
  /** Of orders nobody knows the end of yet. */
  readonly inDoubt: bigint
}

/** The state of the market in numbers, for whoever runs it. */
export type AdminMetrics = {
  readonly tasks: { readonly [S in TaskStatus]?: number }
  readonly money: readonly MoneyMetrics[]
  readonly submissionsWaiting: number
  /** Age of the oldest submission that is still to be verified. */
  readonly verificationLagSeconds: number | null
  readonly disputesOpen: number
  readonly wallets: number
  readonly bans: number
  readonly outbox: number
}
