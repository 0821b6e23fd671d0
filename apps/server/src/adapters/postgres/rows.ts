import type {
  ApplicationView,
  Asset,
  Check,
  Dispute,
  KeptTask,
  Payment,
  PaymentEvent,
  Rating,
  Settlement,
  Submission,
  TakenDown,
  Task,
  TaskView,
  WorkerView,
} from '@ergon/core'
import { executorReputation } from '@ergon/core'
import { fromRowJson } from './json.ts'

/**
 * Rows as the driver gives them. A text column holds only words this service wrote, so the row types name the
 * domain's words; the check is made where they are written.
 */
export type TaskRow = {
  id: string
  status: Task['status']
  title: string
  instructions: string
  category: Task['category']
  bounty_atomic: bigint
  token: string
  network: string
  decimals: number
  deadline: Date
  publisher_wallet: string
  publisher_type: Task['publisherType']
  publisher_agent_id: bigint | null
  target: Task['target']
  executor_id: string | null
  evidence_required: Task['evidenceRequired']
  evidence_optional: Task['evidenceOptional']
  location_hint: string | null
  min_reputation: number
  policy: Task['policy']
  review_until: Date | null
  start_by: Date | null
  turn: Task['turn']
  escrow_status: Task['escrowStatus']
  escrow_tx: string | null
  payment_tx: string | null
  fee_tx: string | null
  refund_tx: string | null
  payment_auth: string | null
  captured_atomic: bigint | null
  created_at: Date
  updated_at: Date
  area_lat: number | null
  area_lng: number | null
  area_radius_m: number | null
}
/** A task with the scores of both sides beside it. */
export type TaskViewRow = TaskRow & {
  p_avg: number | null
  p_count: number | null
  w_score: number | null
  w_completed: number | null
  p_name: string | null
  p_picture: string | null
  w_name: string | null
  w_picture: string | null
  is_paying: boolean
  applicants?: number
}

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value))

export function toTask(row: TaskRow): KeptTask {
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    instructions: row.instructions,
    category: row.category,
    bounty: { atomic: row.bounty_atomic, asset: { symbol: row.token, network: row.network, decimals: row.decimals } },
    deadline: row.deadline,
    publisherWallet: row.publisher_wallet,
    publisherType: row.publisher_type,
    publisherAgentId: numberOrNull(row.publisher_agent_id),
    target: row.target,
    executorId: row.executor_id,
    evidenceRequired: row.evidence_required,
    evidenceOptional: row.evidence_optional,
    locationHint: row.location_hint,
    area:
      row.area_lat === null || row.area_lng === null || row.area_radius_m === null
        ? null
        : { lat: row.area_lat, lng: row.area_lng, radiusM: row.area_radius_m },
    minReputation: row.min_reputation,
    policy: row.policy,
    reviewUntil: row.review_until,
    startBy: row.start_by,
    turn: row.turn,
    escrowStatus: row.escrow_status,
    escrowTx: row.escrow_tx,
    paymentTx: row.payment_tx,
    refundTx: row.refund_tx,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    paymentAuth: row.payment_auth,
    feeTx: row.fee_tx,
    captured: row.captured_atomic,
  }
}

export function toTaskView(row: TaskViewRow): TaskView {
  return Object.assign(toTask(row), {
    publisherName: row.p_name,
    publisherPicture: row.p_picture,
    executorName: row.w_name,
    executorPicture: row.w_picture,
    publisherReputation: row.p_count === null ? null : { avgScore: row.p_avg, ratingCount: row.p_count },
    executorReputation:
      row.w_completed === null ? null : executorReputation({ onchain: row.w_score, tasksCompleted: row.w_completed }),
    applicants: row.applicants ?? null,
    isPaying: row.is_paying,
  })
}

export type WorkerRow = {
  id: string
  wallet: string
  display_name: string | null
  picture: string | null
  party: WorkerView['party']
  agent_id: bigint | null
  tasks_completed: number
  onchain_score: number | null
  created_at: Date
}

export function toWorker(row: WorkerRow): WorkerView {
  return {
    id: row.id,
    wallet: row.wallet,
    displayName: row.display_name,
    picture: row.picture,
    party: row.party,
    agentId: numberOrNull(row.agent_id),
    createdAt: row.created_at,
    reputation: executorReputation({ onchain: row.onchain_score, tasksCompleted: row.tasks_completed }),
  }
}

export type ApplicationRow = {
  id: string
  task_id: string
  executor_id: string
  status: ApplicationView['status']
  message: string | null
  created_at: Date
}

export function toApplication(
  row: ApplicationRow,
): Omit<ApplicationView, 'wallet' | 'displayName' | 'picture' | 'party' | 'agentId' | 'reputation'> {
  return {
    id: row.id,
    taskId: row.task_id,
    executorId: row.executor_id,
    status: row.status,
    message: row.message,
    createdAt: row.created_at,
  }
}

export type SubmissionRow = {
  id: string
  task_id: string
  executor_id: string
  status: Submission['status']
  submitted_at: Date
  evidence: Submission['evidence']
  notes: string | null
  verified_at: Date | null
  checks: readonly (Pick<Check, 'name' | 'result' | 'reason'> & Partial<Check>)[]
  pre_check_score: number | null
  coverage: number | null
  rejection_reason: string | null
  payment_tx: string | null
  decided_at: Date | null
  evidence_accessed_at: Date | null
} & TakenDownRow

export type TakenDownRow = {
  taken_down_at: Date | null
  taken_down_hashes: TakenDown['hashes'] | null
  taken_down_keys: TakenDown['keys'] | null
}

export function toTakenDown(row: TakenDownRow): TakenDown | null {
  const { taken_down_at: at, taken_down_hashes: hashes, taken_down_keys: keys } = row
  return at === null ? null : { at, hashes: hashes ?? {}, keys: keys ?? [] }
}

export function toSubmission(row: SubmissionRow): Submission {
  return {
    id: row.id,
    taskId: row.task_id,
    executorId: row.executor_id,
    status: row.status,
    submittedAt: row.submitted_at,
    evidence: row.evidence,
    notes: row.notes,
    // What was checked before reasons had codes was written down without them.
    checks: row.checks.map((check) => ({ ...check, code: check.code ?? null, figures: check.figures ?? null })),
    preCheckScore: row.pre_check_score,
    coverage: row.coverage,
    verifiedAt: row.verified_at,
    rejectionReason: row.rejection_reason,
    paymentTx: row.payment_tx,
    decidedAt: row.decided_at,
    evidenceAccessedAt: row.evidence_accessed_at,
    takenDown: toTakenDown(row),
  }
}

export type SettlementRow = {
  id: string
  task_id: string
  submission_id: string | null
  executor_id: string | null
  purpose: Settlement['purpose']
  subject: string
  order_json: unknown
  status: Settlement['status']
  tx_hash: string | null
  attempts: number
  must_land: boolean
  rating: Settlement['rating']
  offer_id: string | null
  created_at: Date
  sent_until: Date | null
  code: string | null
}

export function toSettlement(row: SettlementRow): Settlement {
  return {
    id: row.id,
    taskId: row.task_id,
    submissionId: row.submission_id,
    executorId: row.executor_id,
    purpose: row.purpose,
    subject: row.subject,
    // This adapter wrote it from the same type.
    order: fromRowJson(row.order_json) as Settlement['order'],
    status: row.status,
    txHash: row.tx_hash,
    attempts: row.attempts,
    sentUntil: row.sent_until,
    // While it is open, a code is that of a verdict whose copies are waited out.
    isWaiting: row.status === 'in_doubt' && row.code !== null,
    mustLand: row.must_land,
    rating: row.rating,
    offerId: row.offer_id,
    createdAt: row.created_at,
  }
}

export type PaymentEventRow = {
  id: string
  task_id: string
  type: PaymentEvent['type']
  status: PaymentEvent['status']
  amount_atomic: bigint | null
  from_address: string | null
  to_address: string | null
  network: string
  token: string
  decimals: number
  tx_hash: string | null
  note: string | null
  at: Date
}

export function toPaymentEvent(row: PaymentEventRow): PaymentEvent {
  const asset: Asset = { symbol: row.token, network: row.network, decimals: row.decimals }
  return {
    id: row.id,
    taskId: row.task_id,
    type: row.type,
    status: row.status,
    amount: row.amount_atomic === null ? null : { atomic: row.amount_atomic, asset },
    from: row.from_address,
    to: row.to_address,
    network: row.network,
    token: row.token,
    txHash: row.tx_hash,
    note: row.note,
    at: row.at,
  }
}

export type RatingRow = {
  id: string
  task_id: string
  direction: Rating['direction']
  rater: string
  ratee: string
  terms: Rating['terms']
  comment: string | null
  document: Buffer
  status: Rating['status']
  tx_hash: string | null
  feedback_index: number | null
  attempts: number
}

export function toRating(row: RatingRow): Rating {
  return {
    id: row.id,
    taskId: row.task_id,
    direction: row.direction,
    rater: row.rater,
    ratee: row.ratee,
    terms: row.terms,
    comment: row.comment,
    document: row.document,
    status: row.status,
    txHash: row.tx_hash,
    feedbackIndex: row.feedback_index,
    attempts: row.attempts,
  }
}

export type DisputeRow = {
  id: string
  task_id: string
  submission_id: string
  status: Dispute['status']
  reason: Dispute['reason']
  description: string
  criteria: string[]
  created_at: Date
  opened_by: Dispute['openedBy']
  verdict: NonNullable<Dispute['resolution']>['verdict'] | null
  split_pct: number | null
  resolution_reason: string | null
  resolved_at: Date | null
}

export function toDispute(row: DisputeRow): Dispute {
  return {
    id: row.id,
    taskId: row.task_id,
    submissionId: row.submission_id,
    status: row.status,
    openedBy: row.opened_by,
    reason: row.reason,
    description: row.description,
    criteria: row.criteria,
    resolution:
      row.verdict === null
        ? null
        : { verdict: row.verdict, splitPct: row.split_pct, reason: row.resolution_reason ?? '' },
    resolvedAt: row.resolved_at,
    createdAt: row.created_at,
  }
}

// This adapter wrote it from the same type.
export const toPayment = (value: unknown): Payment => fromRowJson(value) as Payment
