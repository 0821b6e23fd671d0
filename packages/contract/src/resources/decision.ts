import * as Type from 'typebox'
import { id, open, optional, score, text } from '../schema.ts'
import { limits, taskStatuses } from '../vocabulary.ts'
import { dispute, lifecycleOrder } from './work.ts'

const directPayment = optional(
  text(
    'Direct payment (x402 exact payload) as raw JSON; mode fase1. On Solana the envelope of the challenge with its signed transaction.',
    2,
    limits.paymentAuthMax,
  ),
)

/**
 * Fields of a decision to pay. `settlement_auth_*` are asked for in mode fase1 only, `lifecycle_order` in the escrow
 * modes.
 */
export const approveFields = {
  rating: optional(score('Rating of the worker.')),
  feedback: optional(text('Comment of the rating; the worker reads it.', 0, limits.commentMax)),
  lifecycle_order: optional(lifecycleOrder),
  settlement_auth_worker: directPayment,
  settlement_auth_fee: directPayment,
  approval: optional(
    text('ReleaseApproval as JSON; asked of callers that did not sign the request.', 2, limits.paymentAuthMax),
  ),
}

export const approveErrors = [
  'FORBIDDEN',
  'GAS_BUDGET_SPENT',
  'SUBMISSION_NOT_REVIEWABLE',
  'DISPUTE_NOT_OPEN',
  'APPROVAL_IN_FLIGHT',
  'ESCROW_NOT_RELEASABLE',
  'AUTHORIZATION_EXPIRED',
  'WORKER_WALLET_MISSING',
  'WORKER_WALLET_INVALID',
  'SELF_PAYMENT_BLOCKED',
  'PAYMENT_AUTH_MISSING',
  'NO_PAYEE_RESOLVED',
  'ESCROW_STATE_MISSING',
  'no_channel_bound',
  'PAYOUT_NON_POSITIVE',
  'SDK_UNAVAILABLE',
  'TX_HASH_MISSING',
  'LIFECYCLE_ORDER_REQUIRED',
  'LIFECYCLE_ORDER_INVALID',
  'APPROVAL_INVALID',
  'SETTLEMENT_FAILED',
  'INSUFFICIENT_FUNDS',
  'INVALID_SIGNATURE',
  'INVALID_PAYMENT_AUTH',
  'FORBIDDEN_RECEIVER',
  'AMOUNT_MISMATCH',
  'CHAIN_UNAVAILABLE',
] as const

/** What a delegated token meets that approves (spec §7). */
export const cappedApprovalErrors = [
  'approval_amount_over_limit',
  'approval_count_exhausted',
  'approval_budget_missing',
  'approval_amount_unknown',
  'approval_budget_unavailable',
] as const

export const rejectFields = {
  reason: text('Why.', limits.reasonMin, limits.reasonMax),
  criteria: optional(
    Type.Array(text('An evidence item or acceptance criterion that is not met.', 1, 200), {
      maxItems: limits.criteriaMax,
    }),
  ),
}

export const rejection = open({
  submission_id: id('The submission.'),
  task_id: id('The task.'),
  status: Type.Enum(['rejected']),
  task_status: Type.Enum([...taskStatuses]),
  dispute,
})
