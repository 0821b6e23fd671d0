import type { Operations, OutputOf } from '@ergon/contract'
import type { Task, TaskRead, TaskView } from '@ergon/core'
import { instant } from './instant.ts'
import { usd } from './money.ts'

type WireTask = OutputOf<Operations['tasks.update']>

/** The task record of spec §2. */
export function presentTask(task: TaskView): WireTask {
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
    publisher_type: task.publisherType,
    erc8004_agent_id: task.publisherAgentId,
    target_executor_type: task.target,
    executor_id: task.executorId,
    evidence_required: [...task.evidenceRequired],
    evidence_optional: [...task.evidenceOptional],
    location_hint: task.locationHint,
    area: task.area === null ? null : { lat: task.area.lat, lng: task.area.lng, radius_m: task.area.radiusM },
    min_reputation: task.minReputation,
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
  const { assign, cancel, withdraw } = task.words
  return {
    ...presentTask(task),
    ...(assign === null ? {} : { assign_notes: assign }),
    ...(cancel === null ? {} : { cancel_reason: cancel }),
    ...(withdraw === null ? {} : { withdraw_reason: withdraw }),
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
