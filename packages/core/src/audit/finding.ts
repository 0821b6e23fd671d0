import type { MoneyFindingKind } from '@ergon/contract'
import type { Payment } from '../escrow/payment.ts'
import type { Amount, Asset } from '../money/amount.ts'

/** Something a check saw; `subject` tells it from others of its kind. */
export type Finding = {
  readonly kind: MoneyFindingKind
  readonly subject: string
  readonly taskId: string | null
  readonly settlementId: string | null
  readonly network: string
  readonly asset: Asset | null
  readonly atomic: bigint | null
  readonly detail: string
}

/** A finding as it is remembered. */
export type MoneyFinding = Omit<Finding, 'asset' | 'atomic'> & {
  readonly token: string | null
  readonly amount: Amount | null
  readonly firstSeen: Date
  readonly lastSeen: Date
}

export function paymentFinding(
  kind: MoneyFindingKind,
  taskId: string,
  payment: Payment,
  atomic: bigint | null,
  detail: string,
): Finding {
  return {
    kind,
    subject: payment.hash,
    taskId,
    settlementId: null,
    network: payment.network,
    asset: payment.asset,
    atomic,
    detail,
  }
}
