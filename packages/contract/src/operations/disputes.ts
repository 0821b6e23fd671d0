import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { actor, headers } from './admin.ts'
import { dispute, disputeRecord, disputeStatement } from '../resources/work.ts'
import { closed, id, open, optional, page, paging, text, txHash } from '../schema.ts'
import { disputeReasons, disputeStatuses, disputeVerdicts, limits, taskStatuses } from '../vocabulary.ts'

const section = 'disputes'
const dispute_id = id('The dispute.')
const task_id = id('The task.')

export const disputes = {
  open: operation({
    section: 'submissions',
    summary: 'Dispute a submission in review; either party may.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({
      submission_id: id('The submission.'),
      reason: Type.Enum([...disputeReasons]),
      description: text('What is wrong.', limits.reasonMin, limits.reasonMax),
    }),
    output: dispute,
    success: 201,
    errors: ['SUBMISSION_NOT_FOUND', 'FORBIDDEN', 'SUBMISSION_NOT_REVIEWABLE', 'APPROVAL_IN_FLIGHT'],
    rest: [{ method: 'POST', path: '/api/v1/submissions/{submission_id}/dispute' }],
  }),
  list: operation({
    section,
    summary: 'Disputes the caller is a party of; with the admin key, all.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ status: optional(Type.Enum([...disputeStatuses])), task_id: optional(task_id), ...paging }),
    output: open({ disputes: Type.Array(disputeRecord), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/disputes' }],
  }),
  get: operation({
    section,
    summary: 'Read one dispute, with what both sides said.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ dispute_id }),
    output: Type.Intersect([disputeRecord, open({ evidence: Type.Array(disputeStatement) })]),
    success: 200,
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/disputes/{dispute_id}' }],
  }),
  addEvidence: operation({
    section,
    summary: 'Add a statement to an open dispute.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({
      dispute_id,
      statement: text('What happened, as this side sees it.', limits.reasonMin, limits.reasonMax),
      links: optional(
        Type.Array(Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 }), {
          maxItems: limits.criteriaMax,
          description: 'Links to evidence.',
        }),
      ),
    }),
    output: disputeStatement,
    success: 201,
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN', 'DISPUTE_NOT_OPEN'],
    rest: [{ method: 'POST', path: '/api/v1/disputes/{dispute_id}/evidence' }],
  }),
  resolve: operation({
    section,
    summary: 'Decide a dispute and move the money: all to the worker, all back to the payer, or a share each.',
    access: { by: 'admin' },
    input: closed({
      dispute_id,
      verdict: Type.Enum([...disputeVerdicts]),
      split_pct: optional(
        Type.Integer({
          minimum: 1,
          maximum: 99,
          description: "The payer's share in percent; required with split, absent otherwise.",
        }),
      ),
      reason: text('Why.', limits.reasonMin, limits.reasonMax),
      actor,
    }),
    output: disputeRecord,
    success: 200,
    inFlight: true,
    errors: [
      'DISPUTE_NOT_FOUND',
      'FORBIDDEN',
      'DISPUTE_NOT_OPEN',
      'APPROVAL_IN_FLIGHT',
      'ESCROW_NOT_RELEASABLE',
      'ESCROW_NOT_REFUNDABLE',
      'AUTHORIZATION_EXPIRED',
      'PAYOUT_NON_POSITIVE',
      'LIFECYCLE_ORDER_INVALID',
      'SETTLEMENT_FAILED',
      'REFUND_FAILED',
    ],
    rest: [{ method: 'POST', path: '/api/v1/disputes/{dispute_id}/resolve', headers }],
  }),
  withdraw: operation({
    section: 'tasks',
    summary: 'The worker steps down: what is held goes back to the payer, then the task is open again.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({ task_id, reason: optional(text('Why.', 0, 500)) }),
    output: open({
      task_id,
      status: Type.Enum([...taskStatuses]),
      state: Type.Enum(['withdrawn', 'withdrawing']),
      refund_tx: txHash('The refund.'),
    }),
    success: 200,
    inFlight: true,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_WITHDRAWABLE', 'APPROVAL_IN_FLIGHT', 'REFUND_FAILED'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/withdraw' }],
  }),
}
