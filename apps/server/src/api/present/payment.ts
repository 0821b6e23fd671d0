import type { Operations, OutputOf } from '@ergon/contract'
import type {
  ApprovalOutcome,
  Cancellation,
  EscrowView,
  FeePayment,
  Payment,
  PaymentEvent,
  ReleaseChallenge,
} from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { instant } from './instant.ts'
import { usd, usdOrNull } from './money.ts'
import { presentTypedData } from './typed-data.ts'

type WireEscrow = OutputOf<Operations['tasks.escrow']>
type WirePayment = OutputOf<Operations['payments.get']>
type WireEvent = OutputOf<Operations['payments.events']>['events'][number]
type WireApproval = OutputOf<Operations['submissions.approve']>

export function presentEscrow(view: EscrowView): WireEscrow {
  const { payment } = view
  return {
    task_id: view.taskId,
    status: view.status,
    network: view.amount.asset.network,
    token: view.amount.asset.symbol,
    amount_usd: usd(view.amount),
    payer: payment?.payer ?? null,
    receiver: payment?.receiver ?? null,
    payment_info: payment === null ? null : presentPaymentInfo(payment),
    payment_info_hash: payment?.hash ?? null,
    capturable_usd: usdOrNull(view.capturable),
    authorization_expires_at: payment === null ? null : new Date(payment.authorizationExpiry * 1000).toISOString(),
    escrow_tx: view.escrowTx,
    release_tx: view.releaseTx,
    refund_tx: view.refundTx,
  }
}

/** The eleven keys of the escrow wire; the payer travels beside them. */
export function presentPaymentInfo(payment: Payment): NonNullable<WireEscrow['payment_info']> {
  return {
    operator: payment.operator,
    receiver: payment.receiver,
    token: payment.token,
    maxAmount: payment.maxAmount.toString(),
    preApprovalExpiry: payment.preApprovalExpiry,
    authorizationExpiry: payment.authorizationExpiry,
    refundExpiry: payment.refundExpiry,
    minFeeBps: payment.minFeeBps,
    maxFeeBps: payment.maxFeeBps,
    feeReceiver: payment.feeReceiver,
    salt: `0x${payment.salt.toString(16).padStart(64, '0')}`,
  }
}

export function presentPayment(view: EscrowView): WirePayment {
  return {
    task_id: view.taskId,
    status: view.status,
    payment_mode: view.mode,
    total_amount: usd(view.amount),
    released_net_usdc: usdOrNull(view.payout),
    platform_fee_usdc: usdOrNull(view.fee),
    network: view.amount.asset.network,
    token: view.amount.asset.symbol,
    escrow_tx: view.escrowTx,
    release_tx: view.releaseTx,
    fee_tx: view.feeTx,
    refund_tx: view.refundTx,
  }
}

export function presentPaymentEvent(event: PaymentEvent): WireEvent {
  return {
    id: event.id,
    type: event.type,
    status: event.status,
    task_id: event.taskId,
    amount_usd: usdOrNull(event.amount),
    from_address: event.from,
    to_address: event.to,
    network: event.network,
    token: event.token,
    tx_hash: event.txHash,
    note: event.note,
    timestamp: instant(event.at),
  }
}

export function answerFee({ taskId, state, fee, feeTx }: FeePayment): AnswerOf<Operations['payments.payFee']> {
  const body = { task_id: taskId, status: state, platform_fee_usdc: usd(fee), fee_tx: feeTx }
  return state === 'paid' ? done(body) : inFlight(body)
}

export function answerRefund({ state, taskId, status, refundTx }: Cancellation): AnswerOf<Operations['escrow.refund']> {
  const body = { task_id: taskId, status, refund_tx: refundTx }
  return state === 'cancelling' ? inFlight(body) : done(body)
}

export function answerApproval(outcome: ApprovalOutcome): AnswerOf<Operations['submissions.approve']> {
  const body = presentApproval(outcome)
  return outcome.state === 'approving' ? inFlight(body) : done(body)
}

function presentApproval(outcome: ApprovalOutcome): WireApproval {
  return {
    task_id: outcome.taskId,
    submission_id: outcome.submissionId,
    status: outcome.state,
    payment_tx: outcome.paymentTx,
    fee_tx: outcome.feeTx,
    escrow_release_tx: outcome.mode === 'fase1' ? null : outcome.paymentTx,
    network: outcome.gross.asset.network,
    token: outcome.gross.asset.symbol,
    payment_mode: outcome.mode,
    gross_amount_usdc: usd(outcome.gross),
    worker_net_usdc: usd(outcome.payout),
    platform_fee_usdc: usd(outcome.fee),
    rating_status: outcome.rating,
  }
}

/** The release order to sign, as both challenges hand it out. */
export function presentRelease(release: ReleaseChallenge) {
  return {
    typed_data: presentTypedData(release.typedData),
    order: { action: 'release' as const, deadline: release.deadline, nonce: release.nonce },
  }
}
