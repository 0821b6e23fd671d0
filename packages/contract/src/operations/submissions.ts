import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { approveErrors, approveFields, cappedApprovalErrors, rejectFields, rejection } from '../resources/decision.ts'
import { asked } from '../resources/offer.ts'
import { approval, dispute, orderToSign, submission, takenDown } from '../resources/work.ts'
import {
  closed,
  id,
  instant,
  nullable,
  open,
  optional,
  page,
  paging,
  shortSlice,
  sliced,
  text,
  typedData,
  usd,
} from '../schema.ts'
import { disputeReasons, headerNames, limits, paymentModes, submissionStatuses, taskStatuses } from '../vocabulary.ts'

const task_id = id('The task.')
const submission_id = id('The submission.')

const solanaPayer = Type.String({
  pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$',
  description: 'Of a task on Solana: the address whose key signs the transaction, and whose USDC it moves.',
})

export const submissions = {
  'submissions.get': operation({
    section: 'submissions',
    summary: 'Read one submission, with its evidence and its checks; with the admin key, of a disputed task.',
    marks: true,
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, admin: true, session: true },
    input: closed({ submission_id }),
    output: submission,
    success: 200,
    errors: ['SUBMISSION_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/submissions/{submission_id}' }],
  }),
  'submissions.approveChallenge': operation({
    section: 'submissions',
    summary:
      'What the payer has to sign to approve: the release order in the escrow modes, payout and fee in fase1, one transaction on Solana.',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 403 },
    input: closed({ submission_id, payer: optional(solanaPayer) }),
    output: open({
      submission_id,
      task_id,
      payment_mode: Type.Enum([...paymentModes]),
      gross_amount_usdc: usd('Gross.'),
      worker_net_usdc: usd('Payout.'),
      platform_fee_usdc: usd('Fee.'),
      release_approval: open({ typed_data: typedData() }),
      lifecycle_order: nullable(open({ typed_data: typedData(), order: orderToSign })),
      settlement_auth_worker: asked,
      settlement_auth_fee: asked,
      settlement_transaction: optional(
        nullable(
          open({
            payer: Type.String(),
            envelope: open(
              { paymentPayload: open({ payload: open({ transaction: Type.String({ description: 'In base64.' }) }) }) },
              'Sign the transaction in it and send the whole as JSON text.',
            ),
            last_valid_block_height: Type.Integer(),
          }),
        ),
      ),
      expires_at: instant('Sign and send before this.'),
    }),
    success: 200,
    errors: [
      'SUBMISSION_NOT_FOUND',
      'FORBIDDEN',
      'SUBMISSION_NOT_REVIEWABLE',
      'DISPUTE_NOT_OPEN',
      'APPROVAL_IN_FLIGHT',
      'ESCROW_NOT_RELEASABLE',
      'no_channel_bound',
      'PAYOUT_NON_POSITIVE',
      'NO_PAYEE_RESOLVED',
      'INVALID_PAYMENT_AUTH',
      'CHAIN_UNAVAILABLE',
    ],
    rest: [{ method: 'GET', path: '/api/v1/submissions/{submission_id}/approve/challenge' }],
  }),
  'submissions.approve': operation({
    section: 'submissions',
    summary: 'Approve a submission: the worker is paid.',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 401 },
    input: closed({ submission_id, ...approveFields }),
    output: approval,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: ['SUBMISSION_NOT_FOUND', ...approveErrors, ...cappedApprovalErrors],
    rest: [
      {
        method: 'POST',
        path: '/api/v1/submissions/{submission_id}/approve',
        headers: { approval: headerNames.approval },
      },
    ],
  }),
  'submissions.reject': operation({
    section: 'submissions',
    summary: 'Reject a submission: a dispute opens.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401 },
    input: closed({ submission_id, ...rejectFields }),
    output: rejection,
    success: 200,
    resend: 'recovered',
    errors: ['SUBMISSION_NOT_FOUND', 'FORBIDDEN', 'SUBMISSION_NOT_REVIEWABLE', 'APPROVAL_IN_FLIGHT'],
    rest: [{ method: 'POST', path: '/api/v1/submissions/{submission_id}/reject' }],
  }),
  'submissions.requestChanges': operation({
    section: 'submissions',
    summary: 'Ask the worker to submit again; the task is in progress until then.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401 },
    input: closed({ submission_id, reason: rejectFields.reason }),
    output: open({
      submission_id,
      task_id,
      status: Type.Enum(['rejected']),
      task_status: Type.Enum([...taskStatuses]),
    }),
    success: 200,
    resend: 'recovered',
    errors: ['SUBMISSION_NOT_FOUND', 'FORBIDDEN', 'SUBMISSION_NOT_REVIEWABLE', 'APPROVAL_IN_FLIGHT', 'DEADLINE_PASSED'],
    rest: [{ method: 'POST', path: '/api/v1/submissions/{submission_id}/request-changes' }],
  }),
  'submissions.dispute': operation({
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
    resend: 'recovered',
    errors: ['SUBMISSION_NOT_FOUND', 'FORBIDDEN', 'SUBMISSION_NOT_REVIEWABLE', 'APPROVAL_IN_FLIGHT'],
    rest: [{ method: 'POST', path: '/api/v1/submissions/{submission_id}/dispute' }],
  }),
  'submissions.list': operation({
    section: 'submissions',
    summary: 'Submissions the caller made or received; an unsigned caller owns none.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      status: optional(Type.Enum([...submissionStatuses])),
      task_id: optional(id('The task.')),
      ...paging,
    }),
    output: open({ submissions: Type.Array(submission), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/submissions' }],
  }),
  'submissions.evidence': operation({
    section: 'submissions',
    summary:
      'The evidence of a submission, one entry a type; files are short-lived links. With the admin key, of a disputed task.',
    access: { by: 'wallet', scope: null, unsigned: 403, admin: true, session: true },
    input: closed({ submission_id: id('The submission.'), ...shortSlice }),
    output: open({
      ...sliced,
      submission_id: id('The submission.'),
      task_id: id('The task.'),
      evidence: Type.Array(
        open({
          type: Type.String(),
          kind: Type.Enum(['file', 'value']),
          url: nullable(Type.String({ description: 'Where the file is, for a while.' })),
          value: Type.Unknown({ description: 'What was submitted; for a file its link.' }),
        }),
      ),
      taken_down: takenDown,
      evidence_accessed_at: nullable(instant('When the publisher first read it.')),
    }),
    success: 200,
    errors: ['SUBMISSION_NOT_FOUND', 'TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/submissions/{submission_id}/evidence' }],
  }),
}
