import * as Type from 'typebox'
import { id, instant, nullable, open, optional, party, target, tokenSymbol, txHash, usd, wallet } from '../schema.ts'
import { nextAction } from './next-action.ts'
import { pictureUrl } from './picture.ts'
import { policy } from './policy.ts'
import { categories, escrowStatuses, evidenceTypes, taskStatuses } from '../vocabulary.ts'

export const publisherReputation = open({
  avg_score: nullable(Type.Number({ description: '0-100, from what workers rated; null means unrated.' })),
  rating_count: Type.Integer(),
})

export const executorReputation = open({
  effective_reputation_score: nullable(Type.Number()),
  onchain_reputation_score: nullable(Type.Number()),
  reputation_score: nullable(Type.Number()),
  tasks_completed: Type.Integer(),
  avg_rating: nullable(Type.Number({ description: '0-5.' })),
})

/** The task record. Exact coordinates are no part of it (decision 0008). */
export const task = open({
  id: id('The task.'),
  status: Type.Enum([...taskStatuses]),
  title: Type.String(),
  instructions: Type.String(),
  category: Type.Enum([...categories]),
  bounty_usd: usd('Gross bounty: payout and fee together.'),
  deadline: instant('When the task expires.'),
  created_at: instant('When it was published.'),
  updated_at: instant('When it last changed.'),
  agent_id: wallet('The wallet of the publisher.'),
  publisher_name: nullable(Type.String({ description: 'What the publisher calls itself; no proof of who it is.' })),
  publisher_picture_url: pictureUrl('the publisher'),
  publisher_type: party('What the publisher is.'),
  erc8004_agent_id: nullable(Type.Integer({ description: 'ERC-8004 agent id of the publisher.' })),
  target_executor_type: target(),
  executor_id: nullable(id('The assigned worker.')),
  executor_name: nullable(Type.String({ description: 'What the assigned worker calls itself.' })),
  executor_picture_url: pictureUrl('the assigned worker'),
  evidence_required: Type.Array(Type.Enum([...evidenceTypes])),
  evidence_optional: Type.Array(Type.Enum([...evidenceTypes])),
  location_hint: nullable(Type.String()),
  area: nullable(
    open(
      { lat: Type.Number(), lng: Type.Number(), radius_m: Type.Integer() },
      'About where it has to be done; GET /api/v1/tasks/{task_id}/location says exactly, to those who may know.',
    ),
  ),
  min_reputation: Type.Number(),
  policy: nullable(policy),
  next_action: nullable(nextAction),
  review_until: nullable(instant('Until when the publisher may look at what was handed in.')),
  payment_network: Type.String(),
  payment_token: tokenSymbol(),
  escrow_status: Type.Enum([...escrowStatuses]),
  escrow_tx: txHash('The escrow lock.'),
  payment_tx: txHash('The payment to the worker.'),
  refund_tx: txHash('The refund to the publisher.'),
  publisher_reputation: nullable(publisherReputation),
  executor_reputation: nullable(executorReputation),
  assign_notes: optional(
    Type.String({ description: 'What the publisher wrote to the worker; to these two alone, where one task is read.' }),
  ),
  cancel_reason: optional(
    Type.String({ description: 'Why it was cancelled; to its publisher and who applied, where one task is read.' }),
  ),
  withdraw_reason: optional(
    Type.String({
      description: 'Why the last worker stepped down; to the publisher and that worker, where one task is read.',
    }),
  ),
  approve_feedback: optional(
    Type.String({
      description: 'What the publisher wrote when it approved; to these two alone, where one completed task is read.',
    }),
  ),
  applications_count: optional(Type.Integer({ description: 'Workers who wait to be chosen; to the publisher alone.' })),
})
