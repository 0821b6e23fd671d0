import { errorCatalogue } from '@ergon/contract'
import { askedFor, cutText, type RailAnswer, type RailOrder } from '@ergon/core'
import { spentForSec, type FacilitatorAnswer } from '../facilitator/facilitator-client.ts'

type Refused = Extract<FacilitatorAnswer, { readonly kind: 'refused' }>
type Code = Extract<RailAnswer, { readonly outcome: 'refused' }>['code']
type Kind = RailOrder['kind']

const parties: Readonly<Record<string, Code>> = {
  self_payment: 'SELF_PAYMENT_BLOCKED',
  forbidden_receiver: 'FORBIDDEN_RECEIVER',
  address_blocked: 'WALLET_BLOCKED',
  operator_not_registered: 'OPERATOR_MISMATCH',
  UnsupportedNetwork: 'NETWORK_NO_ESCROW',
  order_expired: 'SETTLEMENT_FAILED',
  gas_budget_spent: 'GAS_BUDGET_SPENT',
}
const payer: Readonly<Record<string, Code>> = {
  insufficient_balance: 'INSUFFICIENT_FUNDS',
  invalid_signature: 'INVALID_SIGNATURE',
}

const byKind: Readonly<Record<Kind, Readonly<Record<string, Code>>>> = {
  authorize: { ...parties, ...payer },
  capture: {
    ...parties,
    expired_authorization: 'AUTHORIZATION_EXPIRED',
    LifecycleAuthRejected: 'LIFECYCLE_ORDER_INVALID',
  },
  // The payer is no party to the order of a refund, so what is wrong with it is ours.
  void: { address_blocked: 'WALLET_BLOCKED', gas_budget_spent: 'GAS_BUDGET_SPENT' },
  charge: {
    ...parties,
    ...payer,
    UnsupportedNetwork: 'NETWORK_NOT_ACCEPTED',
    invalid_exact_evm_recipient_mismatch: 'FORBIDDEN_RECEIVER',
    invalid_exact_evm_payload_authorization_value_mismatch: 'AMOUNT_MISMATCH',
    invalid_exact_evm_network_mismatch: 'NETWORK_MISMATCH',
  },
}
const otherwise: Readonly<Record<Kind, Code>> = {
  authorize: 'LOCK_REVERTED',
  capture: 'SETTLEMENT_FAILED',
  void: 'REFUND_FAILED',
  charge: 'SETTLEMENT_FAILED',
}

const spent = "The facilitator has spent today's gas budget for payments of this wallet. No money has moved."

/** Reverts of the escrow that mean: there is nothing of this payment left to move. */
const nothingHeld = /InsufficientAuthorization|ZeroAuthorization|PartialVoidExceedsCapturable/

/** The catalogue's code for a facilitator's verdict on an order (spec §7). */
export function refusalOf(order: RailOrder, verdict: Refused): Extract<RailAnswer, { readonly outcome: 'refused' }> {
  const code = codeOf(order, verdict)
  const details = {
    facilitator_code: verdict.code === '' ? `http_${String(verdict.status)}` : cutText(verdict.code, 64),
    ...(code === 'GAS_BUDGET_SPENT' ? { retry_after_sec: spentForSec(verdict.body) } : {}),
  }
  const { final, at } = verdict
  return {
    outcome: 'refused',
    code,
    details: errorCatalogue[code].status === 402 ? { ...details, ...required(order) } : details,
    ...(code === 'GAS_BUDGET_SPENT' ? { message: spent } : {}),
    final,
    at,
  }
}

function codeOf(order: RailOrder, { code, reason, body }: Refused): Code {
  if (order.kind === 'capture' && nothingHeld.test(reason)) return 'ESCROW_NOT_RELEASABLE'
  if (order.kind === 'void' && nothingHeld.test(reason)) return 'ESCROW_NOT_REFUNDABLE'
  if (order.kind === 'capture' && code === 'LifecycleAuthRejected' && body['category'] === 'missing')
    return 'LIFECYCLE_ORDER_REQUIRED'
  return byKind[order.kind][code] ?? otherwise[order.kind]
}

const required = (order: RailOrder): ReturnType<typeof askedFor> =>
  askedFor(
    order.kind === 'charge' ? order.transfer.amount : { atomic: order.payment.maxAmount, asset: order.payment.asset },
  )

/** Verdicts that say the order, or another in its place, was carried out: then only the chain can tell which. */
export function saysDone({ code, body }: Refused): boolean {
  return (
    code === 'nonce_already_used' ||
    code === 'idempotency_key_conflict' ||
    (code === 'LifecycleAuthRejected' && body['category'] === 'replayed')
  )
}
