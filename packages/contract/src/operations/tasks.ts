import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { approveErrors, approveFields, cappedApprovalErrors, rejectFields, rejection } from '../resources/decision.ts'
import { taskDeadline } from '../resources/deadline.ts'
import { policyAnswer, policyFields } from '../resources/policy.ts'
import { task } from '../resources/task.ts'
import { allParties, openTaskFilter, words } from '../resources/task-filter.ts'
import { application, approval, escrow, evidence, submission } from '../resources/work.ts'
import {
  closed,
  decimalPattern,
  id,
  idempotencyKey,
  instant,
  networkName,
  nullable,
  open,
  optional,
  page,
  paging,
  shortSlice,
  sliced,
  target,
  text,
  tokenSymbol,
  txHash,
  typedData,
  usd,
  wallet,
} from '../schema.ts'
import { categories, evidenceTypes, headerNames, limits, meterUnits, taskOrders, taskStatuses } from '../vocabulary.ts'

const section = 'tasks'
const task_id = id('The task.')
const policyPath = '/api/v1/tasks/{task_id}/policy'
const deadlinePath = '/api/v1/tasks/{task_id}/deadline'
const locationPath = '/api/v1/tasks/{task_id}/location'
const lat = Type.Number({ minimum: -90, maximum: 90, description: 'Degrees (WGS 84).' })
const lng = Type.Number({ minimum: -180, maximum: 180, description: 'Degrees (WGS 84).' })
const location = open({
  task_id,
  precision: Type.Enum(['exact', 'area'], {
    description: '`exact` to the publisher and the assigned worker; everybody else gets the area around it.',
  }),
  lat,
  lng,
  radius_m: Type.Integer({ description: 'exact: what counts as being there. area: how far the place is at the most.' }),
})
/** An exact amount of dollars. */
export const decimalText = (description: string) => Type.String({ pattern: decimalPattern, maxLength: 16, description })
const evidenceList = (description: string, minItems: number) =>
  Type.Array(Type.Enum([...evidenceTypes]), { minItems, maxItems: limits.evidenceMax, uniqueItems: true, description })
const paymentStreaming = closed({
  rail: Type.Enum(['solana_channel']),
  unit: optional(Type.Enum([...meterUnits], { default: 'observation' })),
  price_per_unit: decimalText('Price of one unit, decimal.'),
  cap_usd: decimalText('The most the publisher can lose, decimal.'),
})
/** Field names are the specification's and nothing else is accepted (decision 0008). */
const taskFields = {
  title: text('Title.', limits.titleMin, limits.titleMax),
  instructions: text('What to do and what counts as done.', limits.instructionsMin, limits.instructionsMax),
  category: Type.Enum([...categories]),
  bounty_usd: usd('Gross bounty in US dollars, at most six decimals; 0.01 at least, 100 at most with escrow.', {
    maximum: limits.bountyMaxUsd,
  }),
  deadline_hours: optional(
    Type.Integer({
      minimum: limits.deadlineHoursMin,
      maximum: limits.deadlineHoursMax,
      default: limits.deadlineHoursDefault,
    }),
  ),
  evidence_required: evidenceList('Evidence the worker must submit.', 1),
  evidence_optional: optional(evidenceList('Evidence the worker may add.', 0)),
  location_hint: optional(text('Area in words; public.', 0, limits.locationHintMax)),
  min_reputation: optional(
    Type.Number({ minimum: 0, maximum: 100, default: 0, description: 'Gate against the effective reputation score.' }),
  ),
  network: optional(networkName()),
  payment_network: optional(networkName()),
  payment_token: optional(tokenSymbol()),
  payment_streaming: optional(paymentStreaming),
  target_executor_type: optional(target()),
}
const paymentAuth = optional(
  Type.String({
    minLength: 2,
    maxLength: limits.paymentAuthMax,
    description: 'Escrow authorization as raw JSON, signed by the payer.',
  }),
)
const insist = optional(
  Type.Enum(['sell_intent'], {
    description: 'Publish although the words read like an offer to sell: the caller knows that it pays.',
  }),
)

export const tasks = {
  'tasks.list': operation({
    section,
    summary:
      'List tasks: the open marketplace, for callers who say who they are what their party may take; or all of one ' +
      'publisher when that publisher signs.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      status: optional(Type.Enum([...taskStatuses])),
      category: optional(Type.Enum([...categories])),
      network: optional(networkName()),
      publisher: optional(wallet('Tasks of this publisher.')),
      q: words,
      all_parties: allParties,
      ...paging,
    }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/tasks' }],
  }),
  'tasks.available': operation({
    section,
    summary:
      'The discovery feed of workers: published tasks that are open now and that the party of the caller may take, ' +
      'human-published ones included.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({
      ...openTaskFilter,
      q: words,
      sort: optional(
        Type.Enum([...taskOrders], {
          default: 'newest',
          description: 'What comes first: the newest, the highest bounty, or what ends soonest.',
        }),
      ),
      all_parties: allParties,
      ...paging,
    }),
    output: open({ tasks: Type.Array(task), ...page }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/tasks/available' }],
  }),
  'tasks.publish': operation({
    section,
    summary: 'Publish a task. The caller is the payer.',
    access: { by: 'wallet', scope: 'agent:publish', unsigned: 401, identity: true },
    spends: 'publish',
    input: closed({
      ...taskFields,
      listing_id: optional(
        id('Orders this listing at its price: the seller becomes the applicant, is told, and nobody else may apply.'),
      ),
      payment_auth: paymentAuth,
      insist,
      idempotency_key: optional(idempotencyKey()),
    }),
    output: open({
      id: task_id,
      status: Type.Enum(['published']),
      bounty_usd: usd('Gross bounty.'),
      created_at: instant('When it was published.'),
      deadline: instant('When it expires.'),
      erc8004_agent_id: nullable(Type.Integer()),
      payment_network: Type.String(),
      payment_token: Type.String(),
    }),
    success: 201,
    resend: 'kept',
    errors: [
      'INVALID_BOUNTY',
      'sell_intent_rejected',
      'NETWORK_NO_ESCROW',
      'NETWORK_NOT_ACCEPTED',
      'NETWORK_CLOSED',
      'TOKEN_NOT_ACCEPTED',
      'INVALID_PAYMENT_AUTH',
      'NETWORK_MISMATCH',
      'INSUFFICIENT_FUNDS',
      'FEE_UNPAID',
      'NOT_WIRED',
      'LISTING_NOT_FOUND',
      'LISTING_PAUSED',
      'OWN_LISTING',
      'PARTY_BLOCKED',
      'WORKER_BLOCKED',
      'price_mismatch',
      'FORBIDDEN_RECEIVER',
    ],
    rest: [
      {
        method: 'POST',
        path: '/api/v1/tasks',
        headers: {
          payment_auth: headerNames.paymentAuth,
          insist: headerNames.insist,
          idempotency_key: headerNames.idempotencyKey,
        },
      },
    ],
  }),
  'tasks.get': operation({
    section,
    summary: 'Read one task.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id, include_submissions: optional(Type.Boolean({ default: false })) }),
    output: Type.Intersect([task, open({ submissions: optional(Type.Array(submission)) })]),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}' }],
  }),
  'tasks.update': operation({
    section,
    summary:
      'Edit a published task that nobody has applied to, or open the order of a service to everybody: its seller stepped down, say.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401 },
    input: closed({
      task_id,
      title: optional(taskFields.title),
      instructions: optional(taskFields.instructions),
      location_hint: taskFields.location_hint,
      deadline_hours: optional(
        Type.Integer({
          minimum: limits.deadlineHoursMin,
          maximum: limits.deadlineHoursMax,
          description: 'Hours from now.',
        }),
      ),
      min_reputation: optional(Type.Number({ minimum: 0, maximum: 100 })),
      target_executor_type: optional(target()),
      open_to_all: optional(
        Type.Boolean({
          description:
            'true opens the order of a service to every worker; sent alone, it is possible after applications too.',
        }),
      ),
      insist,
    }),
    output: task,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE', 'sell_intent_rejected'],
    rest: [{ method: 'PUT', path: '/api/v1/tasks/{task_id}', headers: { insist: headerNames.insist } }],
  }),
  'tasks.cancel': operation({
    section,
    summary: 'Cancel a task; a locked escrow is refunded to the payer first.',
    access: { by: 'wallet', scope: 'task:cancel', unsigned: 401 },
    input: closed({ task_id, reason: optional(text('Why.', 0, 500)) }),
    output: open({ id: task_id, status: Type.Enum([...taskStatuses]), refund_tx: txHash('The refund.') }),
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'TASK_NOT_CANCELLABLE',
      'APPROVAL_IN_FLIGHT',
      'ESCROW_NOT_ASSIGNABLE',
      'REFUND_FAILED',
    ],
    rest: [
      { method: 'POST', path: '/api/v1/tasks/{task_id}/cancel' },
      { method: 'DELETE', path: '/api/v1/tasks/{task_id}' },
    ],
  }),
  'tasks.apply': operation({
    section,
    summary: 'Apply to a published task, or take it at once where there is no escrow.',
    access: { by: 'wallet', scope: 'worker:apply', unsigned: 401, identity: true, session: true },
    input: closed({
      task_id,
      executor_id: optional(id('The applying worker; must be the signer.')),
      message: optional(text('Cover note, under 500 characters.', 0, limits.coverNoteMax)),
      self_accept: optional(
        Type.Boolean({
          default: false,
          description: 'Take the task of an agent at once where it has no escrow; elsewhere this is an application.',
        }),
      ),
    }),
    output: open({
      application_id: id('The application.'),
      task_id,
      executor_id: id('The worker.'),
      status: Type.Enum(['pending', 'accepted'], {
        description: 'accepted: the task is yours, begin. pending: wait to be assigned.',
      }),
    }),
    success: 201,
    resend: 'recovered',
    errors: [
      'TASK_NOT_FOUND',
      'TASK_GONE',
      'TASK_NOT_OPEN',
      'already_applied',
      'PARTY_MISMATCH',
      'REPUTATION_TOO_LOW',
      'SELF_PAYMENT_BLOCKED',
      'PARTY_BLOCKED',
      'FORBIDDEN',
      'SESSION_NOT_FOR_PARTY',
      'DEADLINE_PASSED',
      'NETWORK_NOT_ACCEPTED',
      'GAS_BUDGET_SPENT',
    ],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/apply' }],
  }),
  'tasks.applications': operation({
    section,
    summary: 'Who applied.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true },
    input: closed({ task_id, ...paging }),
    output: open({ applications: Type.Array(application), ...page }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/applications' }],
  }),
  'tasks.assignChallenge': operation({
    section,
    summary: 'What the payer has to sign to assign this worker: a complete escrow authorization.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 403 },
    input: closed({ task_id, executor_id: id('The worker to assign.') }),
    output: open({
      task_id,
      executor_id: id('The worker.'),
      accepts: Type.Array(
        open({
          scheme: Type.String(),
          network: Type.String(),
          maxAmountRequired: Type.String(),
          asset: Type.String(),
          payTo: Type.String(),
          extra: open({
            typed_data: typedData(),
            envelope: Type.Record(Type.String(), Type.Unknown(), {
              description:
                'X-Payment-Auth with an empty signature: put yours in payload.signature and send it as JSON.',
            }),
            standing_order: optional(
              open(
                {
                  typed_data: typedData(),
                  order: Type.Record(Type.String(), Type.Unknown(), {
                    description: 'StandingOrder: add your signature and send it as JSON in standing_order.',
                  }),
                },
                'Sign this as well, and silence after a review pays the worker; without it silence is a dispute.',
              ),
            ),
          }),
        }),
      ),
      most_you_can_lose_usd: usd('The gross bounty.'),
      expires_at: instant('Sign and send before this.'),
      money_bound_until: instant('The end of the authorization: until then the money is bound at most.'),
    }),
    success: 200,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'WORKER_NOT_FOUND',
      'WORKER_NOT_APPLIED',
      'WORKER_BLOCKED',
      'TASK_NOT_ASSIGNABLE',
      'NETWORK_CLOSED',
      'NETWORK_NO_ESCROW',
      'SELF_PAYMENT_BLOCKED',
      'ESCROW_NOT_ASSIGNABLE',
      'DEADLINE_PASSED',
      'PARTY_MISMATCH',
      'REPUTATION_TOO_LOW',
    ],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/assign/challenge' }],
  }),
  'tasks.assign': operation({
    section,
    summary: 'Assign an applicant and lock the bounty in escrow.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401 },
    input: closed({
      task_id,
      executor_id: id('The worker to assign.'),
      notes: optional(text('Notes for the worker.', 0, 500)),
      payment_auth: paymentAuth,
      payment_worker: optional(wallet('Payout destination; must be the receiver that was signed.')),
      payment_fee: optional(wallet('Fee destination; must be the fee receiver that was signed.')),
      standing_order: optional(
        Type.String({
          minLength: 2,
          maxLength: limits.paymentAuthMax,
          description: 'The signed StandingOrder of the challenge as raw JSON: silence after a review pays the worker.',
        }),
      ),
    }),
    output: open({
      task_id,
      executor_id: id('The worker.'),
      status: Type.Enum(['accepted', 'assigning']),
      worker_wallet: wallet('Who will be paid.'),
      escrow_tx: txHash('The lock.'),
      escrow_status: Type.String(),
    }),
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'TASK_NOT_ASSIGNABLE',
      'NETWORK_CLOSED',
      'WORKER_NOT_FOUND',
      'WORKER_NOT_APPLIED',
      'WORKER_BLOCKED',
      'PARTY_MISMATCH',
      'REPUTATION_TOO_LOW',
      'NO_PAYEE_RESOLVED',
      'ESCROW_NOT_ASSIGNABLE',
      'SELF_PAYMENT_BLOCKED',
      'INVALID_PAYMENT_AUTH',
      'PAYMENT_AUTH_USED',
      'NETWORK_MISMATCH',
      'escrow_signature_required',
      'INSUFFICIENT_FUNDS',
      'LOCK_REVERTED',
      'LIFECYCLE_ORDER_INVALID',
      'INVALID_SIGNATURE',
      'OPERATOR_MISMATCH',
      'FORBIDDEN_RECEIVER',
      'AMOUNT_MISMATCH',
      'DEADLINE_PASSED',
      'AUTHORIZATION_EXPIRED',
      'CHAIN_UNAVAILABLE',
      'SETTLEMENT_FAILED',
      'GAS_BUDGET_SPENT',
    ],
    rest: [
      {
        method: 'POST',
        path: '/api/v1/tasks/{task_id}/assign',
        headers: {
          payment_auth: headerNames.paymentAuth,
          payment_worker: headerNames.paymentWorker,
          payment_fee: headerNames.paymentFee,
        },
      },
    ],
  }),
  'tasks.begin': operation({
    section,
    summary:
      'The assigned worker says that it has begun: where the policy asks for it, the task is not handed on then.',
    access: { by: 'wallet', scope: 'worker:submit', unsigned: 401, session: true },
    input: closed({ task_id }),
    output: task,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'TASK_NOT_SUBMITTABLE'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/begin' }],
  }),
  'tasks.application': operation({
    section,
    summary: 'Your own application: your place among those who wait, and what became of it.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true },
    input: closed({ task_id }),
    output: open({
      task_id,
      application_id: id('The application.'),
      outcome: Type.Enum(['waiting', 'assigned', 'not_chosen', 'taken_back'], {
        description: 'waiting: also while another works; should that one step down or not begin, you are next in line.',
      }),
      place: nullable(
        Type.Integer({ description: 'Among those who wait, the first is 1; null when you do not wait.' }),
      ),
      waiting: Type.Integer({ description: 'How many wait.' }),
      applications_max: nullable(Type.Integer({ description: 'How many may; null: any number.' })),
    }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'WORKER_NOT_APPLIED'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/application' }],
  }),
  'tasks.submit': operation({
    section,
    summary: 'Submit evidence.',
    access: { by: 'wallet', scope: 'worker:submit', unsigned: 401, identity: true, session: true },
    input: closed({
      task_id,
      executor_id: optional(id('The submitting worker; must be the signer.')),
      evidence,
      notes: optional(text('Notes.', 0, 1_000)),
      device_metadata: optional(
        closed({
          clock: optional(instant('What the clock of the device says; the checks compare it.')),
          utc_offset_minutes: optional(
            Type.Integer({ minimum: -840, maximum: 840, description: 'How far the device is ahead of UTC.' }),
          ),
        }),
      ),
    }),
    output: open({
      submission_id: id('The submission.'),
      task_id,
      status: Type.Enum(['pending_review']),
      task_status: Type.Enum([...taskStatuses]),
      submitted_at: instant('When it was submitted.'),
    }),
    success: 201,
    resend: 'recovered',
    sameWordsAnew: true,
    errors: [
      'TASK_NOT_FOUND',
      'TASK_GONE',
      'FORBIDDEN',
      'TASK_NOT_SUBMITTABLE',
      'DEADLINE_PASSED',
      'EVIDENCE_MISSING',
      'EVIDENCE_INVALID',
    ],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/submit' }],
  }),
  'tasks.submissions': operation({
    section,
    summary: 'The submissions of a task. Reading stamps evidence_accessed_at.',
    marks: true,
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true },
    input: closed({ task_id, ...shortSlice }),
    output: open({ submissions: Type.Array(submission), ...sliced }),
    success: 200,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN'],
    rest: [{ method: 'GET', path: '/api/v1/tasks/{task_id}/submissions' }],
  }),
  'tasks.escrow': operation({
    section,
    summary: 'The state of the bounty of a task, compared with the chain.',
    access: { by: 'anyone', scope: 'task:read', session: true, banned: 'admitted' },
    input: closed({ task_id }),
    output: escrow,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED', 'ESCROW_NOT_FOUND', 'CHAIN_UNAVAILABLE'],
    rest: [
      { method: 'GET', path: '/api/v1/tasks/{task_id}/escrow' },
      { method: 'GET', path: '/api/v1/escrow/{task_id}' },
    ],
  }),
  'tasks.approve': operation({
    section,
    summary: 'Approve the pending submission of a task: the worker is paid.',
    access: { by: 'wallet', scope: 'agent:approve', unsigned: 401 },
    input: closed({ task_id, ...approveFields }),
    output: approval,
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: ['TASK_NOT_FOUND', 'SUBMISSION_NOT_FOUND', ...approveErrors, ...cappedApprovalErrors],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/approve', headers: { approval: headerNames.approval } }],
  }),
  'tasks.reject': operation({
    section,
    summary: 'Reject the pending submission of a task: a dispute opens.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401 },
    input: closed({ task_id, ...rejectFields }),
    output: rejection,
    success: 200,
    resend: 'recovered',
    errors: ['TASK_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'FORBIDDEN', 'SUBMISSION_NOT_REVIEWABLE', 'APPROVAL_IN_FLIGHT'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/reject' }],
  }),
  'tasks.withdraw': operation({
    section: 'tasks',
    summary:
      'An applicant takes its application back; a worker steps down: what is held goes back to the payer, then the ' +
      'task is open again.',
    access: { by: 'wallet', scope: null, unsigned: 401, session: true },
    input: closed({ task_id, reason: optional(text('Why.', 0, 500)) }),
    output: open({
      task_id,
      status: Type.Enum([...taskStatuses]),
      state: Type.Enum(['withdrawn', 'withdrawing']),
      refund_tx: txHash('The refund.'),
    }),
    success: 200,
    resend: 'recovered',
    inFlight: true,
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_WITHDRAWABLE', 'APPROVAL_IN_FLIGHT', 'REFUND_FAILED'],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/withdraw' }],
  }),
  'tasks.setLocation': operation({
    section,
    summary: 'Say where the task has to be done; while nobody has applied.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({
      task_id,
      lat,
      lng,
      radius_m: optional(
        Type.Integer({
          minimum: limits.radiusMinM,
          maximum: limits.radiusMaxM,
          description: 'Metres; 500, or 1000 for simple_action, when left out.',
        }),
      ),
    }),
    output: location,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE'],
    rest: [{ method: 'PUT', path: locationPath }],
  }),
  'tasks.location': operation({
    section,
    summary: 'Where a task has to be done: the point and its radius, or the area.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id }),
    output: location,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED', 'LOCATION_NOT_FOUND'],
    rest: [{ method: 'GET', path: locationPath }],
  }),
  'tasks.removeLocation': operation({
    section,
    summary: 'Take the place of a task back; while nobody has applied.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({ task_id }),
    output: open({ task_id }),
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE'],
    rest: [{ method: 'DELETE', path: locationPath }],
  }),
  'tasks.setPolicy': operation({
    section,
    summary: 'Give a task its policy: review, dispute, revisions, and what silence does; while nobody has applied.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({ task_id, ...policyFields }),
    output: policyAnswer,
    success: 200,
    resend: 'again',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE', 'ARBITER_UNKNOWN'],
    rest: [{ method: 'PUT', path: policyPath }],
  }),
  'tasks.policy': operation({
    section,
    summary: 'What can be relied on once work is handed in, and until when the money is bound.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id }),
    output: policyAnswer,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: policyPath }],
  }),
  'tasks.invite': operation({
    section,
    summary: 'Ask a worker to look at an open task of yours; once for a worker and a task, and nothing is promised.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({
      task_id,
      worker: Type.String({
        pattern: '^(0x[0-9a-fA-F]{40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$',
        maxLength: 42,
        description: 'The worker, by executor id or wallet.',
      }),
    }),
    output: open({
      task_id,
      executor_id: id('The worker.'),
      created_at: instant('When it was invited.'),
    }),
    success: 201,
    resend: 'again',
    errors: [
      'TASK_NOT_FOUND',
      'FORBIDDEN',
      'WORKER_NOT_FOUND',
      'WORKER_BLOCKED',
      'PARTY_BLOCKED',
      'TASK_NOT_OPEN',
      'DEADLINE_PASSED',
      'SELF_PAYMENT_BLOCKED',
      'PARTY_MISMATCH',
      'REPUTATION_TOO_LOW',
      'already_applied',
    ],
    rest: [{ method: 'POST', path: '/api/v1/tasks/{task_id}/invitations' }],
  }),
  'tasks.extend': operation({
    section,
    summary: 'Put the deadline of a task of yours off, never back: while it is open or worked on.',
    access: { by: 'wallet', scope: 'task:write', unsigned: 401, session: true },
    input: closed({ task_id, deadline: instant('The new deadline; see `latest` for how far it can go.') }),
    output: taskDeadline,
    success: 200,
    resend: 'recovered',
    errors: ['TASK_NOT_FOUND', 'FORBIDDEN', 'TASK_NOT_EDITABLE', 'DEADLINE_PASSED'],
    rest: [{ method: 'POST', path: deadlinePath }],
  }),
  'tasks.deadline': operation({
    section,
    summary: 'The deadline of a task, and how far its publisher can still put it off.',
    access: { by: 'anyone', scope: 'task:read', session: true },
    input: closed({ task_id }),
    output: taskDeadline,
    success: 200,
    errors: ['TASK_NOT_FOUND', 'TASK_GONE', 'FORBIDDEN', 'SIGNATURE_REQUIRED'],
    rest: [{ method: 'GET', path: deadlinePath }],
  }),
}
