import { expect, test } from 'vitest'
import * as contract from '../src/index.ts'

/** As in pins.test.ts: written out by hand, and a line that changes is a deliberate change of the wire. */

const words: Record<string, string> = {
  categories:
    'physical_presence knowledge_access human_authority simple_action digital_physical location_based verification social_proof data_collection sensory social proxy bureaucratic emergency creative data_processing api_integration content_generation code_execution research multi_step_workflow',
  evidenceTypes:
    'photo photo_geo gps video document receipt signature notarized timestamp_proof text_response measurement screenshot json_response api_response code_output file_artifact url_reference structured_data text_report',
  parties: 'human agent robot',
  targets: 'any human agent robot',
  taskStates: 'published accepted in_progress submitted verifying completed disputed cancelled expired',
  taskStatuses:
    'published accepted in_progress submitted verifying completed disputed cancelled expired draft assigning',
  submissionStatuses: 'pending_review approved rejected',
  applicationStatuses: 'pending accepted rejected withdrawn',
  disputeStatuses: 'open resolving resolved expired',
  checkReasonCodes:
    'evidence_complete no_place no_position within_radius outside_radius edge_of_radius position_by_picture_only accuracy_untold accuracy_useless accuracy_made_up accuracy_beyond_radius accuracy_plausible fixes_too_few fixes_stand_still fixes_at_one_pace fixes_wander position_copied position_not_copied position_unknown_to_device no_earlier_position earlier_positions_too_poor journey_possible journey_doubtful journey_impossible no_hasty_repeat hasty_repeat no_capture_time captured_in_time captured_before_assignment captured_too_late captured_before_assignment_by_wrong_clock captured_too_late_by_wrong_clock clock_untold clock_off zone_off clock_fits no_file files_seen_before files_not_looked_for files_new no_picture picture_like_earlier picture_somewhat_like_earlier pictures_not_opened pictures_new pictures_not_comparable pictures_silent pictures_without_place picture_taken_elsewhere pictures_taken_there picture_generated pictures_not_generated no_photo photo_like_screen photos_not_like_screen no_reviewer reviewer_silent reviewer_addressed reviewer_says_no reviewer_says_yes reviewer_unsure',
  disputeVerdicts: 'release refund split',
  escrowStatuses: 'none pending_assignment authorizing authorized releasing released refunding refunded',
  listingAvailabilities: 'active paused',
  reportTargets: 'task submission worker listing',
  reportReasons: 'spam fraud harassment illegal unsafe other',
  agentTiers: 'free starter growth enterprise',
  listingSorts: 'recent reputation price',
  paymentModes: 'fase1 fase2 fase5',
  webhookStatuses: 'unverified active paused disabled',
  webhookDisabledReasons: 'gone failing',
  webhookDeliveryStatuses: 'pending delivered failed',
  webhookDeliveryKinds: 'event replay test challenge',
  keyStates: 'not_seen in_flight done in_doubt',
  paymentEventTypes: 'verify store_auth settle disburse_worker disburse_fee refund',
  oauthScopes:
    'task:read task:write task:cancel worker:apply agent:publish agent:approve worker:submit worker:withdraw reputation:rate',
  basicScopes: 'task:read task:write task:cancel worker:apply agent:publish',
}

test.each(Object.entries(words))('the words of %s stand as written', (name, expected) => {
  expect(Reflect.get(contract, name)).toEqual(expected.split(' '))
})

test('the limits of spec §8 stand as written', () => {
  expect(contract.limits).toMatchObject({
    bodyBytes: 1_048_576,
    bountyMinUsd: 0.01,
    escrowBountyMaxUsd: 100,
    deadlineHoursMin: 1,
    deadlineHoursMax: 720,
    deadlineHoursDefault: 24,
    coverNoteMax: 499,
    commentMax: 1_000,
    feeBps: 1_300,
    pageDefault: 20,
    pageMax: 100,
  })
})

test('the headers of the contract are named as the specification names them', () => {
  expect(contract.headerNames).toEqual({
    paymentAuth: 'X-Payment-Auth',
    insist: 'X-SVC-Insist',
    approval: 'X-SVC-Approval',
    idempotencyKey: 'X-Idempotency-Key',
    paymentWorker: 'X-Payment-Worker',
    paymentFee: 'X-Payment-Fee',
    adminKey: 'X-Admin-Key',
    requestId: 'X-Request-Id',
    authSchemes: 'X-SVC-Auth-Schemes',
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
  'worker.not_chosen': 'ApplicationNotChosen',
  'worker.application_withdrawn': 'TaskUpdated',
  'worker.invited': 'TaskUpdated',
  'portfolio.asked': 'TaskUpdated',
  'portfolio.answered': 'TaskUpdated',
  'submission.received': 'SubmissionReceived',
  'submission.verified': 'TaskUpdated',
  'submission.approved': 'SubmissionApproved',
  'submission.rejected': 'SubmissionRejected',
  'submission.revision_requested': 'SubmissionRevisionRequested',
  'dispute.opened': 'TaskUpdated',
  'dispute.evidence_submitted': 'TaskUpdated',
  'dispute.resolved': 'TaskUpdated',
  'dispute.ruled': 'TaskUpdated',
  'dispute.appealed': 'TaskUpdated',
  'settlement.offered': 'TaskUpdated',
  'settlement.accepted': 'TaskUpdated',
  'settlement.closed': 'TaskUpdated',
  'message.sent': 'TaskUpdated',
  'question.asked': 'TaskUpdated',
  'question.answered': 'TaskUpdated',
  'task.withdrawn': 'WorkerUnassigned',
  'task.handed_on': 'TaskUpdated',
  'task.deadline_moved': 'TaskUpdated',
  'worker.deadline_moved': 'TaskUpdated',
  'review.reminder': 'TaskUpdated',
  'review.lapsed': 'TaskUpdated',
  'payment.escrowed': 'PaymentEscrowed',
  'payment.released': 'PaymentReleased',
  'payment.refunded': 'PaymentRefunded',
  'payment.failed': 'PaymentFailed',
  'cash_out.sent': 'NotificationNew',
  'cash_out.failed': 'NotificationNew',
  'reputation.updated': 'NotificationNew',
  'search.found': 'NotificationNew',
  'endpoint.disabled': 'NotificationNew',
}

test('an event has one dotted name for webhooks and one CamelCase name for rooms', () => {
  expect(Object.fromEntries(Object.entries(contract.events).map(([name, { room }]) => [name, room]))).toEqual(
    eventNames,
  )
})

test('the methods, states and codes of the agent-to-agent protocol stand as written', () => {
  expect(Object.keys(contract.a2aMethods)).toEqual(
    'agent/info tasks/create tasks/approve tasks/get tasks/cancel message/send message/stream tasks/resubscribe tasks/pushNotificationConfig/set tasks/pushNotificationConfig/get tasks/pushNotificationConfig/list tasks/pushNotificationConfig/delete agent/getAuthenticatedExtendedCard'.split(
      ' ',
    ),
  )
  expect(contract.a2aTaskStates).toEqual(
    'submitted working input-required completed canceled failed rejected auth-required unknown'.split(' '),
  )
  expect(Object.values(contract.a2aErrors).map(({ code }) => code)).toEqual([
    -32700, -32600, -32601, -32602, -32603, -32001, -32002, -32003, -32004, -32005, -32006, -32007, -32009,
  ])
  const [publisher, other] = (['publisher', 'other'] as const).map((viewer) =>
    contract.taskStates.map((status) => contract.a2aStateOf(status, viewer)).join(' '),
  )
  expect(publisher).toBe(
    'submitted working working input-required input-required completed input-required canceled failed',
  )
  expect(other).toBe('submitted working working working working completed input-required canceled failed')
})
