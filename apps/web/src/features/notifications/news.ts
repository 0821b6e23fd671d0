import type { EventName } from '@ergon/contract'
import type { MarketEvent } from '@ergon/sdk'
import type { LinkProps } from '@tanstack/react-router'

export type Part = 'publisher' | 'worker'
export type NewsEvent = Pick<MarketEvent, 'id' | 'created_at'> & {
  readonly type: EventName
  readonly data: Readonly<Record<string, unknown>>
}

export const newsKinds = ['task', 'application', 'work', 'money', 'dispute', 'rating', 'webhook'] as const
export type NewsKind = (typeof newsKinds)[number]

type Row = {
  readonly kind: NewsKind
  /** Whoever did not do it; what another event of the same moment says better is news to nobody. */
  readonly newsTo: Part | 'both' | 'nobody'
}

/** What each event is about, and to whom it is news. */
export const newsTable: Readonly<Record<EventName, Row>> = {
  'task.created': { kind: 'task', newsTo: 'nobody' },
  'task.updated': { kind: 'task', newsTo: 'worker' },
  'task.assigned': { kind: 'application', newsTo: 'worker' },
  'task.assign_failed': { kind: 'application', newsTo: 'both' },
  'task.submitted': { kind: 'work', newsTo: 'nobody' },
  'task.completed': { kind: 'task', newsTo: 'nobody' },
  'task.cancelled': { kind: 'task', newsTo: 'worker' },
  'task.expired': { kind: 'task', newsTo: 'both' },
  'worker.applied': { kind: 'application', newsTo: 'publisher' },
  'worker.not_chosen': { kind: 'application', newsTo: 'worker' },
  'submission.received': { kind: 'work', newsTo: 'publisher' },
  'submission.verified': { kind: 'work', newsTo: 'both' },
  'submission.approved': { kind: 'work', newsTo: 'worker' },
  'submission.rejected': { kind: 'work', newsTo: 'worker' },
  'submission.revision_requested': { kind: 'work', newsTo: 'worker' },
  'dispute.opened': { kind: 'dispute', newsTo: 'both' },
  'dispute.evidence_submitted': { kind: 'dispute', newsTo: 'both' },
  'dispute.resolved': { kind: 'dispute', newsTo: 'both' },
  'dispute.ruled': { kind: 'dispute', newsTo: 'both' },
  'dispute.appealed': { kind: 'dispute', newsTo: 'both' },
  'settlement.offered': { kind: 'task', newsTo: 'both' },
  'settlement.accepted': { kind: 'task', newsTo: 'both' },
  'settlement.closed': { kind: 'task', newsTo: 'both' },
  'task.withdrawn': { kind: 'application', newsTo: 'publisher' },
  'task.handed_on': { kind: 'application', newsTo: 'publisher' },
  'task.deadline_moved': { kind: 'task', newsTo: 'nobody' },
  'review.reminder': { kind: 'work', newsTo: 'publisher' },
  'review.lapsed': { kind: 'work', newsTo: 'both' },
  'payment.escrowed': { kind: 'money', newsTo: 'nobody' },
  'payment.released': { kind: 'money', newsTo: 'worker' },
  'payment.refunded': { kind: 'money', newsTo: 'publisher' },
  'payment.failed': { kind: 'money', newsTo: 'both' },
  'reputation.updated': { kind: 'rating', newsTo: 'both' },
  'endpoint.disabled': { kind: 'webhook', newsTo: 'both' },
}

/** Which side of its task the reader is on, for the tasks of the reader; a side that is not known is not guessed. */
export type Sides = {
  readonly workerId: string | null
  readonly published: ReadonlySet<string>
  readonly worked: ReadonlySet<string>
}

export function partIn({ data }: NewsEvent, { workerId, published, worked }: Sides): Part | undefined {
  // Without any work there is only the other side.
  if (workerId === null) return 'publisher'
  const taskId = data['task_id']
  if (typeof taskId === 'string' && published.has(taskId)) return 'publisher'
  if (data['executor_id'] === workerId || (typeof taskId === 'string' && worked.has(taskId))) return 'worker'
  return undefined
}

/** Whether somebody else did it. Where the side is not known it counts: rather once too often than missed. */
export function isNews(event: NewsEvent, part: Part | undefined): boolean {
  const { newsTo } = newsTable[event.type] ?? { newsTo: 'nobody' }
  if (event.type === 'dispute.evidence_submitted' && part !== undefined) return event.data['side'] !== part
  return newsTo === 'both' || (newsTo !== 'nobody' && (part === undefined || newsTo === part))
}

type Target = Pick<LinkProps, 'to' | 'params'>

/** Where it can be seen and dealt with; undefined when it is about nothing that has an address. */
export function targetOf({ type, data }: NewsEvent, part: Part | undefined): Target | undefined {
  const idOf = (name: string): string | undefined => {
    const value = data[name]
    return typeof value === 'string' ? value : undefined
  }
  const [taskId, submissionId, disputeId, webhookId] = [
    idOf('task_id'),
    idOf('submission_id'),
    idOf('dispute_id'),
    idOf('webhook_id'),
  ]
  if (webhookId !== undefined) return { to: '/webhooks/$webhookId', params: { webhookId } }
  if (disputeId !== undefined) return { to: '/disputes/$disputeId', params: { disputeId } }
  if (submissionId !== undefined && part === 'worker')
    return { to: '/submissions/$submissionId', params: { submissionId } }
  if (taskId === undefined) return undefined
  if (part !== 'publisher') return { to: '/tasks/$taskId', params: { taskId } }
  const isToReview = type === 'submission.received' || type === 'submission.verified'
  return { to: isToReview ? '/my/tasks/$taskId/review' : '/my/tasks/$taskId', params: { taskId } }
}
