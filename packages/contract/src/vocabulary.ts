/**
 * Every closed list of words the service speaks, as it is on the wire.
 * The domain borrows these as types, so a new word fails to compile wherever it is not yet handled.
 */

import { cashOutMinUsd } from './facts/cash-out-limits.ts'
import { evidenceLimits } from './facts/evidence-kinds.ts'
import { feeBps } from './facts/fee.ts'
import { pictureBytesMax } from './facts/picture-limits.ts'

export { evidenceTypes, type EvidenceType } from './facts/evidence-kinds.ts'
export { evidenceContentTypes } from './facts/file-kinds.ts'

/** Task categories (spec §2). */
export const categories = [
  'physical_presence',
  'knowledge_access',
  'human_authority',
  'simple_action',
  'digital_physical',
  'location_based',
  'verification',
  'social_proof',
  'data_collection',
  'sensory',
  'social',
  'proxy',
  'bureaucratic',
  'emergency',
  'creative',
  'data_processing',
  'api_integration',
  'content_generation',
  'code_execution',
  'research',
  'multi_step_workflow',
] as const
export type Category = (typeof categories)[number]

/** The three kinds of party (spec §1.1). */
export const parties = ['human', 'agent', 'robot'] as const
export type Party = (typeof parties)[number]

/** Whom a task is meant for; `any` admits every party (spec §1.3). */
export const targets = ['any', ...parties] as const
export type Target = (typeof targets)[number]

/** The nine task states of spec §3. */
export const taskStates = [
  'published',
  'accepted',
  'in_progress',
  'submitted',
  'verifying',
  'completed',
  'disputed',
  'cancelled',
  'expired',
] as const
export type TaskState = (typeof taskStates)[number]

/**
 * What `status` may be for a task: its state, `draft` to its owner, or `assigning` while an escrow
 * lock is in flight. A poller that got 202 waits while it reads `assigning`; `accepted` then means
 * locked and `published` means the lock failed (spec §3).
 */
export const taskStatuses = [...taskStates, 'draft', 'assigning'] as const
/** What comes first among the open tasks. */
export const taskOrders = ['newest', 'bounty', 'deadline'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export const submissionStatuses = ['pending_review', 'approved', 'rejected'] as const
export type SubmissionStatus = (typeof submissionStatuses)[number]

/** Whether a piece of work may be shown; only what is allowed is shown (decision 0256). */
export const portfolioStates = ['none', 'asked', 'allowed', 'declined', 'ended'] as const
export type PortfolioState = (typeof portfolioStates)[number]

/** Why a check of a submission answers as it does, for clients that say it in the language of their reader. */
export const checkReasonCodes = [
  'evidence_complete',
  'no_place',
  'no_position',
  'within_radius',
  'outside_radius',
  'edge_of_radius',
  'position_by_picture_only',
  'accuracy_untold',
  'accuracy_useless',
  'accuracy_made_up',
  'accuracy_beyond_radius',
  'accuracy_plausible',
  'fixes_too_few',
  'fixes_stand_still',
  'fixes_at_one_pace',
  'fixes_wander',
  'position_copied',
  'position_not_copied',
  'position_unknown_to_device',
  'no_earlier_position',
  'earlier_positions_too_poor',
  'journey_possible',
  'journey_doubtful',
  'journey_impossible',
  'no_hasty_repeat',
  'hasty_repeat',
  'no_capture_time',
  'captured_in_time',
  'captured_before_assignment',
  'captured_too_late',
  'captured_before_assignment_by_wrong_clock',
  'captured_too_late_by_wrong_clock',
  'clock_untold',
  'clock_off',
  'zone_off',
  'clock_fits',
  'no_file',
  'files_seen_before',
  'files_not_looked_for',
  'files_new',
  'no_picture',
  'picture_like_earlier',
  'picture_somewhat_like_earlier',
  'pictures_not_opened',
  'pictures_new',
  'pictures_not_comparable',
  'pictures_silent',
  'pictures_without_place',
  'picture_taken_elsewhere',
  'pictures_taken_there',
  'picture_generated',
  'pictures_not_generated',
  'no_photo',
  'photo_like_screen',
  'photos_not_like_screen',
  'no_reviewer',
  'reviewer_silent',
  'reviewer_addressed',
  'reviewer_says_no',
  'reviewer_says_yes',
  'reviewer_unsure',
] as const
export type CheckReasonCode = (typeof checkReasonCodes)[number]

export const applicationStatuses = ['pending', 'accepted', 'rejected', 'withdrawn'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

/** The state of the bounty; `none` for a task that pays in one step, whose payment is `releasing` on its way. */
export const escrowStatuses = [
  'none',
  'pending_assignment',
  'authorizing',
  'authorized',
  'releasing',
  'released',
  'refunding',
  'refunded',
] as const
export type EscrowStatus = (typeof escrowStatuses)[number]

/** A paused listing is not shown to buyers and leaves its seller room for another (spec §4). */
export const listingAvailabilities = ['active', 'paused'] as const
export type ListingAvailability = (typeof listingAvailabilities)[number]

/** What can be reported to the operator, and why. */
export const reportTargets = ['task', 'submission', 'worker', 'listing'] as const
export type ReportTarget = (typeof reportTargets)[number]
export const reportReasons = ['spam', 'fraud', 'harassment', 'illegal', 'unsafe', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]
/** What the operator does about a report, and what it is then: a note leaves it open. */
export const reportActions = ['note', 'dismiss', 'hide', 'show', 'ban', 'take_down'] as const
export type ReportAction = (typeof reportActions)[number]
export const reportStates = ['open', 'dismissed', 'hidden', 'banned', 'taken_down'] as const
export type ReportState = (typeof reportStates)[number]

/** Tiers of agent keys (spec §2). */
export const agentTiers = ['free', 'starter', 'growth', 'enterprise'] as const
export type AgentTier = (typeof agentTiers)[number]

/** Orders in which listings can be browsed. */
export const listingSorts = ['recent', 'reputation', 'price'] as const
export type ListingSort = (typeof listingSorts)[number]

/** Payment modes (spec §1.9). */
export const paymentModes = ['fase1', 'fase2', 'fase5'] as const
export type PaymentMode = (typeof paymentModes)[number]

/** What became of money that a wallet sends on without gas. */
export const cashOutStatuses = ['sending', 'sent', 'not_sent'] as const
export type CashOutStatus = (typeof cashOutStatuses)[number]

/** Entries of a task's payment audit log (spec §6). */
export const paymentEventTypes = [
  'verify',
  'store_auth',
  'settle',
  'disburse_worker',
  'disburse_fee',
  'refund',
] as const
export type PaymentEventType = (typeof paymentEventTypes)[number]

/** An entry without a named transaction says so instead of guessing (decision 0009). */
export const paymentEventStatuses = ['success', 'failed', 'in_doubt'] as const
export type PaymentEventStatus = (typeof paymentEventStatuses)[number]

export const disputeStatuses = ['open', 'resolving', 'resolved', 'expired'] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export const disputeVerdicts = ['release', 'refund', 'split'] as const
export type DisputeVerdict = (typeof disputeVerdicts)[number]

export const disputeReasons = [
  'incomplete_work',
  'poor_quality',
  'wrong_deliverable',
  'late_delivery',
  'fake_evidence',
  'no_response',
  'payment_issue',
  'unfair_rejection',
  'other',
] as const
export type DisputeReason = (typeof disputeReasons)[number]

export const ratingDirections = ['publisher_rates_executor', 'executor_rates_publisher'] as const
export type RatingDirection = (typeof ratingDirections)[number]

export const meterUnits = [
  'observation',
  'second',
  'minute',
  'hour',
  'scan',
  'token',
  'byte',
  'request',
  'item',
] as const
export type MeterUnit = (typeof meterUnits)[number]

/** How far a metered task and its channel have come; `unbound` before there is a channel. */
export const channelStates = ['unbound', 'open', 'closing', 'settling', 'settled', 'expired', 'errored'] as const
export type ChannelState = (typeof channelStates)[number]

/** Spec §5, OAuth 7. The last three are never carried by a bearer token. */
export const oauthScopes = [
  'task:read',
  'task:write',
  'task:cancel',
  'worker:apply',
  'agent:publish',
  'agent:approve',
  'worker:submit',
  'worker:withdraw',
  'reputation:rate',
] as const
export type OAuthScope = (typeof oauthScopes)[number]
export const basicScopes = [
  'task:read',
  'task:write',
  'task:cancel',
  'worker:apply',
  'agent:publish',
] as const satisfies readonly OAuthScope[]

/** What became of a call that came with an idempotency key (decision 0050). */
export const keyStates = ['not_seen', 'in_flight', 'done', 'in_doubt'] as const
export type KeyState = (typeof keyStates)[number]

/** Header names that are part of the contract. */
export const headerNames = {
  paymentAuth: 'X-Payment-Auth',
  approval: 'X-SVC-Approval',
  idempotencyKey: 'X-Idempotency-Key',
  paymentWorker: 'X-Payment-Worker',
  paymentFee: 'X-Payment-Fee',
  adminKey: 'X-Admin-Key',
  requestId: 'X-Request-Id',
  authSchemes: 'X-SVC-Auth-Schemes',
  insist: 'X-SVC-Insist',
} as const

/** Every fixed number a caller can meet (spec §8). */
export const limits = {
  bodyBytes: 1_048_576,
  bountyMinUsd: 0.01,
  cashOutMinUsd,
  escrowBountyMaxUsd: 100,
  bountyMaxUsd: 10_000,
  deadlineHoursMin: 1,
  deadlineHoursMax: 720,
  deadlineHoursDefault: 24,
  titleMin: 5,
  titleMax: 255,
  instructionsMin: 20,
  instructionsMax: 5_000,
  evidenceMax: 5,
  skillsMax: 20,
  skillMax: 50,
  networksMax: 20,
  orderInstructionsMax: 2_000,
  searchMin: 1,
  searchMax: 120,
  /** A search counts up to here. */
  searchCounted: 1_000,
  /** Of one wallet. */
  savedSearches: 5,
  searchNameMax: 60,
  /** Of one piece of work on a profile. */
  portfolioPictures: 4,
  locationHintMax: 255,
  coverNoteMax: 499,
  commentMax: 1_000,
  messageMax: 2_000,
  questionMax: 1_000,
  reasonMin: 3,
  reasonMax: 1_000,
  criteriaMax: 10,
  pageDefault: 20,
  pageMax: 100,
  offsetMax: 10_000,
  feeBps,
  evidenceBytes: 25 * 1_048_576,
  pictureBytes: pictureBytesMax,
  textResponseMax: evidenceLimits.text,
  positionSamplesMax: evidenceLimits.samples,
  idempotencyKeyMax: 128,
  paymentAuthMax: 8_192,
  orderMaxAheadSec: 900,
  radiusMinM: 10,
  radiusMaxM: 50_000,
  signInMessageMax: 2_000,
  actorMax: 100,
} as const
