import * as Type from 'typebox'
import { listOfOwn, operation } from '../operation.ts'
import { disputeRecord, disputeStatement } from '../resources/work.ts'
import { ruled, ruling, signedOfRuling } from '../resources/ruling.ts'
import { closed, hex32, id, open, optional, page, paging, text, typedData, wallet } from '../schema.ts'
import { disputeStatuses, disputeVerdicts, limits } from '../vocabulary.ts'
import { actor, headers } from './admin.ts'

const section = 'disputes'
const dispute_id = id('The dispute.')
const task_id = id('The task.')

export const disputes = {
  'disputes.list': operation({
    section,
    summary: 'Disputes the caller is a party of, or those it may rule on; with the admin key, all.',
    access: { ...listOfOwn, admin: true },
    input: closed({
      status: optional(Type.Enum([...disputeStatuses])),
      task_id: optional(task_id),
      role: optional(
        Type.Enum(['party', 'arbiter'], {
          default: 'party',
          description: 'arbiter: the open disputes that the caller may rule on, never its own.',
        }),
      ),
      ...paging,
    }),
    output: open({ disputes: Type.Array(disputeRecord), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/disputes' }],
  }),
  'disputes.get': operation({
    section,
    summary: 'Read one dispute, with what both sides said.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ dispute_id }),
    output: Type.Intersect([disputeRecord, open({ evidence: Type.Array(disputeStatement) })]),
    success: 200,
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/disputes/{dispute_id}' }],
  }),
  'disputes.addEvidence': operation({
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
    resend: 'recovered',
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN', 'DISPUTE_NOT_OPEN'],
    rest: [{ method: 'POST', path: '/api/v1/disputes/{dispute_id}/evidence' }],
  }),
  'disputes.arbiters': operation({
    section,
    summary: 'The wallets that this deployment lets rule on disputes.',
    access: { by: 'anyone', session: true },
    input: closed({}),
    output: open({
      arbiters: Type.Array(wallet('May rule on any dispute of a task that names no other.')),
      appeal_hours: Type.Integer({ description: 'Hours after a ruling in which a party may appeal to the operator.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/arbiters' }],
  }),
  'disputes.rulingChallenge': operation({
    section,
    summary: 'The ruling to be signed by an arbiter: what it decides, why, and by which criteria.',
    access: { by: 'wallet', scope: null, unsigned: 403, session: true },
    input: closed({ dispute_id, ...ruled }),
    output: open({
      dispute_id,
      typed_data: typedData(),
      nonce: hex32('Single use.'),
      deadline: Type.Integer({ description: 'Unix seconds; hand it in before.' }),
    }),
    success: 200,
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN', 'ARBITER_UNKNOWN', 'ESCROW_NOT_RELEASABLE'],
    rest: [{ method: 'GET', path: '/api/v1/disputes/{dispute_id}/ruling/challenge' }],
  }),
  'disputes.rule': operation({
    section,
    summary: 'Hand in a signed ruling; it is carried out when nobody appeals within a day.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({ dispute_id, ...ruled, ...signedOfRuling }),
    output: ruling,
    success: 201,
    resend: 'recovered',
    errors: [
      'DISPUTE_NOT_FOUND',
      'FORBIDDEN',
      'ARBITER_UNKNOWN',
      'RULING_SIGNATURE_REQUIRED',
      'INVALID_SIGNATURE',
      'DISPUTE_NOT_OPEN',
      'ESCROW_NOT_RELEASABLE',
      'APPROVAL_IN_FLIGHT',
      'CHAIN_UNAVAILABLE',
    ],
    rest: [{ method: 'POST', path: '/api/v1/disputes/{dispute_id}/ruling' }],
  }),
  'disputes.ruling': operation({
    section,
    summary: 'The ruling on a dispute, with its signature, and whether it was appealed or carried out.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ dispute_id }),
    output: ruling,
    success: 200,
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN', 'RULING_NOT_FOUND'],
    rest: [{ method: 'GET', path: '/api/v1/disputes/{dispute_id}/ruling' }],
  }),
  'disputes.appeal': operation({
    section,
    summary: 'Take a ruling to the operator, within a day of it.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({ dispute_id, reason: text('Why.', limits.reasonMin, limits.reasonMax) }),
    output: ruling,
    success: 200,
    resend: 'recovered',
    errors: ['DISPUTE_NOT_FOUND', 'FORBIDDEN', 'RULING_NOT_FOUND', 'DISPUTE_NOT_OPEN'],
    rest: [{ method: 'POST', path: '/api/v1/disputes/{dispute_id}/appeal' }],
  }),
  'disputes.resolve': operation({
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
    resend: 'recovered',
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
}
