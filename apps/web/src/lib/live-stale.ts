import type { EventName, OperationName } from '@ergon/contract'
import { roomNames } from '@ergon/contract/wire'

const task = ['h2a.get', 'h2a.list', 'tasks.get', 'tasks.list', 'tasks.available', 'workers.tasks'] as const
const handedIn = [...task, 'submissions.list', 'submissions.get', 'h2a.submissions', 'tasks.submissions'] as const
const applied = [...task, 'h2a.applications', 'tasks.applications', 'tasks.application'] as const
const money = ['payments.events', 'payments.get', 'payments.balance', 'workers.earnings', 'tasks.escrow'] as const
const dispute = [...handedIn, 'disputes.list', 'disputes.get'] as const

/** What is read anew when something happened; what happened itself is always read anew. */
export const staleAfter: Readonly<Record<EventName, readonly OperationName[]>> = {
  'task.created': task,
  'task.updated': [...task, 'tasks.location', 'tasks.policy', 'tasks.deadline'],
  'task.assigned': [...applied, ...money],
  'task.assign_failed': [...applied, ...money],
  'task.submitted': handedIn,
  'task.completed': [...handedIn, ...money, 'workers.get', 'workers.reputation', 'reputation.publisher'],
  'task.cancelled': [...applied, ...money],
  'task.expired': [...applied, ...money],
  'worker.applied': [...applied, 'listings.get', 'listings.mine'],
  'worker.not_chosen': applied,
  'submission.received': handedIn,
  'submission.verified': handedIn,
  'submission.approved': [...handedIn, ...money],
  'submission.rejected': handedIn,
  'submission.revision_requested': handedIn,
  'dispute.opened': dispute,
  'dispute.evidence_submitted': dispute,
  'dispute.resolved': [...dispute, ...money],
  'dispute.ruled': [...dispute, 'disputes.ruling'],
  'dispute.appealed': [...dispute, 'disputes.ruling'],
  'settlement.offered': [...task, 'offers.list'],
  'settlement.accepted': [...dispute, ...money, 'offers.list'],
  'settlement.closed': [...task, 'offers.list'],
  'message.sent': ['messages.list'],
  'question.asked': ['questions.list'],
  'question.answered': ['questions.list'],
  'task.withdrawn': [...applied, ...money],
  'task.handed_on': applied,
  'task.deadline_moved': [...task, 'tasks.policy', 'tasks.deadline'],
  'worker.deadline_moved': task,
  'worker.application_withdrawn': [...applied, 'listings.get', 'listings.mine'],
  'worker.invited': task,
  'portfolio.asked': ['portfolio.read'],
  'portfolio.answered': ['portfolio.read', 'portfolio.list'],
  'review.reminder': task,
  'review.lapsed': dispute,
  'payment.escrowed': [...task, ...money],
  'payment.released': [...task, ...money],
  'payment.refunded': [...task, ...money],
  'payment.failed': [...task, ...money],
  'reputation.updated': [
    'workers.get',
    'workers.reputation',
    'reputation.publisher',
    'reputation.leaderboard',
    'reputation.feedback',
  ],
  'cash_out.sent': ['cashOuts.list', 'cashOuts.get', 'payments.balance'],
  'cash_out.failed': ['cashOuts.list', 'cashOuts.get', 'payments.balance'],
  'search.found': ['searches.list', 'tasks.available'],
  'endpoint.disabled': ['webhooks.list', 'webhooks.get'],
}

/** Everything that any event makes stale: after a gap of which nothing is known. */
export const staleAfterAnything: readonly OperationName[] = [
  ...new Set([...Object.values(staleAfter).flat(), 'events.list' as const]),
]

/**
 * The same by the name that rooms use, which several events may share: whichever of them it was, nothing stays old.
 * A newer service may name what is not known here; then everything is asked again.
 */
export function staleAfterRoom(name: string): readonly OperationName[] {
  // The keys of the catalogue are its event names.
  const types = (Object.keys(roomNames) as EventName[]).filter((type) => roomNames[type] === name)
  return types.length === 0
    ? staleAfterAnything
    : [...new Set([...types.flatMap((type) => staleAfter[type]), 'events.list' as const])]
}
