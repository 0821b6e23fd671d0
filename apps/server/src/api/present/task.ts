import type { Operations, OutputOf } from '@ergon/contract'
import {
  splitFee,
  type Assignment,
  type Cancellation,
  type ShownPlace,
  type Task,
  type TaskRead,
  type SeenTask,
  type Withdrawal,
} from '@ergon/core'
import { done, inFlight, type AnswerOf } from '../../dispatch/handlers.ts'
import { instant } from './instant.ts'
import { usd } from './money.ts'
import { pictureUrl } from './picture.ts'
import { presentNextAction, presentPolicy } from './policy.ts'

type WireTask = OutputOf<Operations['tasks.update']>

/** The task record of spec §2. */
export function presentTask(task: SeenTask): WireTask {
  const publisher = task.publisherReputation
  const executor = task.executorReputation
  return {
    id: task.id,
    status: task.status,
    title: task.title,
    instructions: task.instructions,
    category: task.category,
    bounty_usd: usd(task.bounty),
    deadline: instant(task.deadline),
    created_at: instant(task.createdAt),
    updated_at: instant(task.updatedAt),
    agent_id: task.publisherWallet,
    publisher_name: task.publisherName,
    publisher_picture_url: pictureUrl(task.publisherPicture),
    publisher_type: task.publisherType,
    erc8004_agent_id: task.publisherAgentId,
    target_executor_type: task.target,
    executor_id: task.executorId,
    executor_name: task.executorName,
    executor_picture_url: pictureUrl(task.executorPicture),
    evidence_required: [...task.evidenceRequired],
    evidence_optional: [...task.evidenceOptional],
    location_hint: task.locationHint,
    area: task.area === null ? null : { lat: task.area.lat, lng: task.area.lng, radius_m: task.area.radiusM },
    min_reputation: task.minReputation,
    policy: task.policy === null ? null : presentPolicy(task.policy),
    next_action: presentNextAction(task),
    review_until: task.status !== 'verifying' || task.reviewUntil === null ? null : instant(task.reviewUntil),
    payment_network: task.bounty.asset.network,
    payment_token: task.bounty.asset.symbol,
    escrow_status: task.escrowStatus,
    escrow_tx: task.escrowTx,
    payment_tx: task.paymentTx,
    refund_tx: task.refundTx,
    publisher_reputation:
      publisher === null ? null : { avg_score: publisher.avgScore, rating_count: publisher.ratingCount },
    ...(task.applicants === null ? {} : { applications_count: task.applicants }),
    executor_reputation:
      executor === null
        ? null
        : {
            effective_reputation_score: executor.effective,
            onchain_reputation_score: executor.onchain,
            reputation_score: executor.heuristic,
            tasks_completed: executor.tasksCompleted,
            avg_rating: executor.avgRating,
          },
  }
}

/** One task with what was written with its moves, as far as this reader may know. */
export function presentTaskRead(task: TaskRead): WireTask {
  const { assign, cancel, withdraw, approve } = task.words
  return {
    ...presentTask(task),
    ...(assign === null ? {} : { assign_notes: assign }),
    ...(cancel === null ? {} : { cancel_reason: cancel }),
    ...(withdraw === null ? {} : { withdraw_reason: withdraw }),
    ...(approve === null ? {} : { approve_feedback: approve }),
  }
}

/** What a publish answers. */
export function presentPublished(task: Task): OutputOf<Operations['tasks.publish']> {
  return {
    id: task.id,
    status: 'published',
    bounty_usd: usd(task.bounty),
    created_at: instant(task.createdAt),
    deadline: instant(task.deadline),
    erc8004_agent_id: task.publisherAgentId,
    payment_network: task.bounty.asset.network,
    payment_token: task.bounty.asset.symbol,
  }
}

/** What a person is told who published. */
export function presentPublishedByPerson(task: Task): OutputOf<Operations['h2a.publish']> {
  return {
    ...presentPublished(task),
    publisher_type: task.publisherType,
    target_executor_type: task.target,
    fee_usd: usd(splitFee(task.bounty).fee),
    total_required_usd: usd(task.bounty),
  }
}

export function answerAssignment({
  state,
  task,
  executorId,
  workerWallet,
}: Omit<Assignment, 'task'> & { readonly task: Pick<Task, 'id' | 'escrowTx' | 'escrowStatus'> }): AnswerOf<
  Operations['tasks.assign']
> {
  const body = {
    task_id: task.id,
    executor_id: executorId,
    status: state,
    worker_wallet: workerWallet,
    escrow_tx: task.escrowTx,
    escrow_status: task.escrowStatus,
  }
  return state === 'assigning' ? inFlight(body) : done(body)
}

export function answerCancellation({
  state,
  taskId,
  status,
  refundTx,
}: Cancellation): AnswerOf<Operations['tasks.cancel']> {
  const body = { id: taskId, status, refund_tx: refundTx }
  return state === 'cancelling' ? inFlight(body) : done(body)
}

export function answerWithdrawal({
  state,
  taskId,
  status,
  refundTx,
}: Withdrawal): AnswerOf<Operations['tasks.withdraw']> {
  const body = { task_id: taskId, status, state, refund_tx: refundTx }
  return state === 'withdrawing' ? inFlight(body) : done(body)
}

export function presentPlace(
  taskId: string,
  { precision, lat, lng, radiusM }: ShownPlace,
): OutputOf<Operations['tasks.location']> {
  return { task_id: taskId, precision, lat, lng, radius_m: radiusM }
}
