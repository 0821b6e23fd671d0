import { expect, test } from 'vitest'
import * as contract from '../src/index.ts'
import type { Operation } from '../src/index.ts'

/**
 * Everything a client can see, written out by hand and never imported from source.
 * Changing a line here is allowed; it is then a deliberate change of the wire.
 */

const routes = [
  'GET /api/v1/tasks  tasks.list  anyone',
  'GET /api/v1/tasks/available  tasks.available  anyone',
  'POST /api/v1/tasks  tasks.publish  wallet 401',
  'GET /api/v1/tasks/{task_id}  tasks.get  anyone',
  'PUT /api/v1/tasks/{task_id}  tasks.update  wallet 401',
  'POST /api/v1/tasks/{task_id}/cancel  tasks.cancel  wallet 401',
  'DELETE /api/v1/tasks/{task_id}  tasks.cancel  wallet 401',
  'POST /api/v1/tasks/{task_id}/apply  tasks.apply  wallet 401',
  'GET /api/v1/tasks/{task_id}/applications  tasks.applications  wallet 403',
  'GET /api/v1/tasks/{task_id}/assign/challenge  tasks.assignChallenge  wallet 403',
  'POST /api/v1/tasks/{task_id}/assign  tasks.assign  wallet 401',
  'POST /api/v1/tasks/{task_id}/submit  tasks.submit  wallet 401',
  'GET /api/v1/tasks/{task_id}/submissions  tasks.submissions  wallet 403',
  'GET /api/v1/tasks/{task_id}/escrow  tasks.escrow  anyone',
  'GET /api/v1/escrow/{task_id}  tasks.escrow  anyone',
  'POST /api/v1/tasks/{task_id}/approve  tasks.approve  wallet 401',
  'POST /api/v1/tasks/{task_id}/reject  tasks.reject  wallet 401',
  'GET /api/v1/submissions/{submission_id}  submissions.get  wallet 403',
  'GET /api/v1/submissions/{submission_id}/approve/challenge  submissions.approveChallenge  wallet 403',
  'POST /api/v1/submissions/{submission_id}/approve  submissions.approve  wallet 401',
  'POST /api/v1/submissions/{submission_id}/reject  submissions.reject  wallet 401',
  'POST /api/v1/submissions/{submission_id}/request-changes  submissions.requestChanges  wallet 401',
  'POST /api/v1/workers/register  workers.register  wallet 401',
  'GET /api/v1/workers/{executor_id}  workers.get  anyone',
  'GET /api/v1/escrow/health  escrow.health  anyone',
  'POST /api/v1/escrow/{task_id}/refund  escrow.refund  wallet 401',
  'GET /api/v1/escrow/task/{task_id}/reclaim  escrow.reclaim  wallet 403',
  'GET /api/v1/escrow/task/{task_id}/lifecycle-challenge  escrow.lifecycleChallenge  wallet 403',
  'GET /api/v1/payments/{task_id}  payments.get  anyone',
  'GET /api/v1/payments/events/{task_id}  payments.events  anyone',
  'GET /api/v1/payments/networks  payments.networks  anyone',
  'GET /api/v1/payments/fees  payments.fees  anyone',
  'POST /api/v1/reputation/relay/prepare  reputation.prepare  wallet 401',
  'POST /api/v1/reputation/relay/submit  reputation.submit  wallet 401',
  'POST /api/v1/reputation/register  reputation.register  wallet 401',
  'GET /api/v1/reputation/agents/{agent_id}  reputation.agent  anyone',
  'GET /api/v1/reputation/identity/wallet/{wallet}  reputation.identity  anyone',
  'GET /api/v1/reputation/feedback/{task_id}  reputation.feedback  anyone',
  'GET /api/v1/reputation/networks  reputation.networks  anyone',
  'GET /api/v1/health  service.health  anyone',
  'GET /api/v1/health/payments  service.healthPayments  anyone',
  'GET /api/v1/config  service.config  anyone',
  'GET /api/v1/auth/nonce  auth.nonce  anyone',
  'GET /api/v1/auth/erc8128/info  auth.signingPolicy  anyone',
  'GET /api/v1/auth/info  auth.info  anyone',
  'GET /api/v1/evidence/presign-upload  evidence.presignUpload  wallet 403',
  'GET /api/v1/workers  workers.list  anyone',
  'PUT /api/v1/workers/{executor_id}  workers.update  wallet 401',
  'GET /api/v1/workers/{executor_id}/tasks  workers.tasks  anyone',
  'GET /api/v1/workers/{executor_id}/earnings  workers.earnings  wallet 403',
  'GET /api/v1/workers/{executor_id}/reputation  workers.reputation  anyone',
  'GET /api/v1/submissions  submissions.list  anyone',
  'GET /api/v1/submissions/{submission_id}/evidence  submissions.evidence  wallet 403',
  'GET /api/v1/reputation/leaderboard  reputation.leaderboard  anyone',
  'GET /api/v1/reputation/publishers/{publisher_key}  reputation.publisher  anyone',
  'GET /api/v1/reputation/em  reputation.platform  anyone',
  'GET /api/v1/reputation/agents/{agent_id}/identity  reputation.agentIdentity  anyone',
  'GET /api/v1/reputation/wallet/{wallet}/cross-chain  reputation.crossChain  anyone',
  'GET /api/v1/agents/directory  agents.directory  anyone',
  'GET /api/v1/health/identity  service.healthIdentity  anyone',
  'GET /api/v1/health/networks  service.healthNetworks  anyone',
  'GET /api/v1/agent-info  service.agentInfo  anyone',
  'GET /api/v1/skills  service.skills  anyone',
  'GET /.well-known/agent.json  service.agentCard  anyone',
]

test('the route table, and who may call each route, stands as written', () => {
  const actual = Object.entries<Operation>(contract.operations).flatMap(([name, { access, rest }]) =>
    rest.map(({ method, path }) => `${method} ${path}  ${name}  ${access.by}${access.by === 'wallet' ? ` ${String(access.unsigned)}` : ''}`),
  )
  expect(actual).toEqual(routes)
})

const codes = {
  MALFORMED_BODY: '400 terminal',
  INVALID_PAYMENT_AUTH: '400 terminal',
  NETWORK_MISMATCH: '400 terminal',
  UNSUPPORTED_MEDIA_TYPE: '415 terminal',
  request_body_too_large: '413 terminal',
  VALIDATION_FAILED: '422 terminal',
  UNKNOWN_FIELD: '422 terminal',
  INVALID_BOUNTY: '422 terminal',
  sell_intent_rejected: '422 terminal',
  NETWORK_NO_ESCROW: '422 terminal',
  NETWORK_NOT_ACCEPTED: '422 terminal',
  TOKEN_NOT_ACCEPTED: '422 terminal',
  INVALID_REPUTATION_NETWORK: '422 terminal',
  EVIDENCE_MISSING: '422 terminal',
  EVIDENCE_INVALID: '422 terminal',
  IDEMPOTENCY_KEY_REUSED: '422 terminal',
  METHOD_NOT_ALLOWED: '404 terminal',
  UNAUTHORIZED: '401 terminal',
  INVALID_SIGNATURE_HEADERS: '401 terminal',
  authority_not_allowed: '401 terminal',
  SIGNATURE_EXPIRED: '401 terminal',
  SIGNATURE_REPLAYED: '401 terminal',
  API_KEY_REFUSED: '403 terminal',
  INVALID_API_KEY: '401 terminal',
  FORBIDDEN: '403 terminal',
  SIGNATURE_REQUIRED: '403 terminal',
  identity_required: '403 terminal',
  PARTY_MISMATCH: '403 terminal',
  REPUTATION_TOO_LOW: '403 terminal',
  WALLET_BLOCKED: '403 terminal',
  identity_check_unavailable: '503 retryable',
  nonce_store_unavailable: '503 retryable',
  RATE_LIMITED: '429 retryable',
  NOT_FOUND: '404 terminal',
  TASK_NOT_FOUND: '404 terminal',
  SUBMISSION_NOT_FOUND: '404 terminal',
  WORKER_NOT_FOUND: '404 terminal',
  ESCROW_NOT_FOUND: '404 terminal',
  FEEDBACK_NOT_FOUND: '404 terminal',
  IDENTITY_NOT_FOUND: '404 terminal',
  TASK_GONE: '410 terminal',
  already_applied: '409 terminal',
  TASK_NOT_OPEN: '409 terminal',
  TASK_NOT_ASSIGNABLE: '409 terminal',
  WORKER_NOT_APPLIED: '409 terminal',
  ESCROW_NOT_ASSIGNABLE: '409 retryable',
  TASK_NOT_SUBMITTABLE: '409 terminal',
  DEADLINE_PASSED: '409 terminal',
  SUBMISSION_NOT_REVIEWABLE: '409 terminal',
  APPROVAL_IN_FLIGHT: '409 retryable',
  TASK_NOT_CANCELLABLE: '409 terminal',
  TASK_NOT_EDITABLE: '409 terminal',
  ALREADY_RATED: '409 terminal',
  TASK_NOT_RATEABLE: '409 terminal',
  escrow_signature_required: '402 retryable',
  INSUFFICIENT_FUNDS: '402 retryable',
  LOCK_REVERTED: '402 retryable',
  INVALID_SIGNATURE: '402 terminal',
  OPERATOR_MISMATCH: '402 terminal',
  FORBIDDEN_RECEIVER: '402 terminal',
  AMOUNT_MISMATCH: '402 terminal',
  SELF_PAYMENT_BLOCKED: '409 terminal',
  ESCROW_NOT_RELEASABLE: '409 terminal',
  ESCROW_NOT_REFUNDABLE: '409 terminal',
  AUTHORIZATION_EXPIRED: '409 terminal',
  WORKER_WALLET_MISSING: '409 terminal',
  WORKER_WALLET_INVALID: '409 terminal',
  PAYMENT_AUTH_MISSING: '409 terminal',
  ESCROW_STATE_MISSING: '409 terminal',
  PAYOUT_NON_POSITIVE: '409 terminal',
  LIFECYCLE_ORDER_REQUIRED: '409 retryable',
  LIFECYCLE_ORDER_INVALID: '409 retryable',
  APPROVAL_INVALID: '409 retryable',
  SDK_UNAVAILABLE: '502 retryable',
  TX_HASH_MISSING: '502 retryable',
  SETTLEMENT_FAILED: '502 retryable',
  REFUND_FAILED: '502 retryable',
  RATING_REFUSED: '409 terminal',
  RATING_UNAVAILABLE: '503 retryable',
  REGISTRATION_FAILED: '502 retryable',
  CHAIN_UNAVAILABLE: '503 retryable',
  UPLOAD_NOT_ALLOWED: '403 terminal',
  UPLOAD_TYPE_REFUSED: '422 terminal',
  FEATURE_DISABLED: '404 terminal',
  NOT_WIRED: '501 terminal',
  SERVICE_BUSY: '503 retryable',
  INTERNAL: '500 retryable',
}

test('every error code keeps its status and whether it may be retried', () => {
  const actual = Object.fromEntries(Object.entries(contract.errorCatalogue).map(([code, { status, retryable }]) => [code, `${String(status)} ${retryable ? 'retryable' : 'terminal'}`]))
  expect(actual).toEqual(codes)
})

test('the headers of the contract are named as the specification names them', () => {
  expect(contract.headerNames).toEqual({
    paymentAuth: 'X-Payment-Auth',
    approval: 'X-SVC-Approval',
    idempotencyKey: 'X-Idempotency-Key',
    paymentWorker: 'X-Payment-Worker',
    paymentFee: 'X-Payment-Fee',
    adminKey: 'X-Admin-Key',
    requestId: 'X-Request-Id',
    authSchemes: 'X-SVC-Auth-Schemes'
  })
})

const words: Record<string, string> = {
  categories: 'physical_presence knowledge_access human_authority simple_action digital_physical location_based verification social_proof data_collection sensory social proxy bureaucratic emergency creative data_processing api_integration content_generation code_execution research multi_step_workflow',
  evidenceTypes: 'photo photo_geo gps video document receipt signature notarized timestamp_proof text_response measurement screenshot json_response api_response code_output file_artifact url_reference structured_data text_report',
  parties: 'human agent robot',
  targets: 'any human agent robot',
  taskStates: 'published accepted in_progress submitted verifying completed disputed cancelled expired',
  taskStatuses: 'published accepted in_progress submitted verifying completed disputed cancelled expired draft assigning',
  submissionStatuses: 'pending_review approved rejected',
  applicationStatuses: 'pending accepted rejected withdrawn',
  escrowStatuses: 'none pending_assignment authorizing authorized releasing released refunding refunded',
  paymentModes: 'fase1 fase2 fase5',
  paymentEventTypes: 'verify store_auth settle disburse_worker disburse_fee refund',
  scopes: 'task:read task:write task:cancel worker:apply agent:publish agent:approve worker:submit worker:withdraw reputation:rate',
}

test.each(Object.entries(words))('the words of %s stand as written', (name, expected) => {
  expect(Reflect.get(contract, name)).toEqual(expected.split(' '))
})

test('the limits of spec §8 stand as written', () => {
  expect(contract.limits).toMatchObject({
    bodyBytes: 1_048_576, bountyMinUsd: 0.01, escrowBountyMaxUsd: 100, deadlineHoursMin: 1, deadlineHoursMax: 720,
    deadlineHoursDefault: 24, coverNoteMax: 499, commentMax: 1_000, feeBps: 1_300, pageDefault: 20, pageMax: 100,
  })
})

const eventNames = {
  'task.created': 'TaskCreated',
  'task.updated': 'TaskUpdated',
  'task.assigned': 'WorkerAssigned',
  'task.assign_failed': 'WorkerUnassigned',
  'task.submitted': 'TaskUpdated',
  'task.completed': 'TaskCompleted',
  'task.cancelled': 'TaskCancelled',
  'task.expired': 'TaskExpired',
  'worker.applied': 'ApplicationReceived',
  'submission.received': 'SubmissionReceived',
  'submission.approved': 'SubmissionApproved',
  'submission.rejected': 'SubmissionRejected',
  'submission.revision_requested': 'SubmissionRevisionRequested',
  'dispute.opened': 'TaskUpdated',
  'payment.escrowed': 'PaymentEscrowed',
  'payment.released': 'PaymentReleased',
  'payment.refunded': 'PaymentRefunded',
  'payment.failed': 'PaymentFailed',
  'reputation.updated': 'NotificationNew',
}

test('an event has one dotted name for webhooks and one CamelCase name for rooms', () => {
  expect(Object.fromEntries(Object.entries(contract.events).map(([name, { room }]) => [name, room]))).toEqual(eventNames)
})
