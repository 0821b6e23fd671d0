import type { EscrowStatus, PaymentEventStatus, PaymentEventType, PaymentMode } from '@ergon/contract'
import type { Amount } from '../money/amount.ts'
import type { Payment } from './payment.ts'

/** One line of a task's payment audit log; `txHash` null means it could not be named (decision 0009). */
export type PaymentEvent = {
  readonly id: string
  readonly taskId: string
  readonly type: PaymentEventType
  readonly status: PaymentEventStatus
  readonly amount: Amount | null
  readonly from: string | null
  readonly to: string | null
  readonly network: string
  readonly token: string
  readonly txHash: string | null
  readonly note: string | null
  readonly at: Date
}

/** The state of the bounty of a task. */
export type EscrowView = {
  readonly taskId: string
  readonly status: EscrowStatus
  readonly mode: PaymentMode
  readonly amount: Amount
  readonly payment: Payment | null
  readonly capturable: Amount | null
  readonly escrowTx: string | null
  readonly releaseTx: string | null
  readonly feeTx: string | null
  readonly refundTx: string | null
  readonly payout: Amount | null
  readonly fee: Amount | null
}
