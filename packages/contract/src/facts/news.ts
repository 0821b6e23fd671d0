/** What an event is about, to whoever chooses what to be told of. */
export const newsKinds = [
  'task',
  'application',
  'work',
  'money',
  'dispute',
  'message',
  'rating',
  'webhook',
  'invitation',
  'search',
  'portfolio',
] as const
export type NewsKind = (typeof newsKinds)[number]

export type NewsRow = {
  readonly kind: NewsKind
  /** Whoever did not do it; what another event of the same moment says better is news to nobody. */
  readonly newsTo: 'publisher' | 'worker' | 'both' | 'nobody'
  /** The field that names the side which did it; that side has no news. */
  readonly by?: 'by' | 'side'
}

/** What each event is about, and to whom it is news. */
export const newsTable = {
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
  'worker.application_withdrawn': { kind: 'application', newsTo: 'publisher' },
  'worker.invited': { kind: 'invitation', newsTo: 'worker' },
  'submission.received': { kind: 'work', newsTo: 'publisher' },
  'submission.verified': { kind: 'work', newsTo: 'both' },
  'submission.approved': { kind: 'work', newsTo: 'worker' },
  'submission.rejected': { kind: 'work', newsTo: 'worker' },
  'submission.revision_requested': { kind: 'work', newsTo: 'worker' },
  'dispute.opened': { kind: 'dispute', newsTo: 'both' },
  'dispute.evidence_submitted': { kind: 'dispute', newsTo: 'both', by: 'side' },
  'dispute.resolved': { kind: 'dispute', newsTo: 'both' },
  'dispute.ruled': { kind: 'dispute', newsTo: 'both' },
  'dispute.appealed': { kind: 'dispute', newsTo: 'both' },
  'settlement.offered': { kind: 'task', newsTo: 'both' },
  'settlement.accepted': { kind: 'task', newsTo: 'both' },
  'settlement.closed': { kind: 'task', newsTo: 'both' },
  'message.sent': { kind: 'message', newsTo: 'both', by: 'by' },
  'question.asked': { kind: 'message', newsTo: 'publisher' },
  'question.answered': { kind: 'message', newsTo: 'worker' },
  'task.withdrawn': { kind: 'application', newsTo: 'publisher' },
  'task.handed_on': { kind: 'application', newsTo: 'publisher' },
  'task.deadline_moved': { kind: 'task', newsTo: 'nobody' },
  'worker.deadline_moved': { kind: 'task', newsTo: 'worker' },
  'review.reminder': { kind: 'work', newsTo: 'publisher' },
  'review.lapsed': { kind: 'work', newsTo: 'both' },
  'payment.escrowed': { kind: 'money', newsTo: 'nobody' },
  'payment.released': { kind: 'money', newsTo: 'worker' },
  'payment.refunded': { kind: 'money', newsTo: 'publisher' },
  'payment.failed': { kind: 'money', newsTo: 'both' },
  'cash_out.sent': { kind: 'money', newsTo: 'both' },
  'cash_out.failed': { kind: 'money', newsTo: 'both' },
  'reputation.updated': { kind: 'rating', newsTo: 'both' },
  'portfolio.asked': { kind: 'portfolio', newsTo: 'publisher' },
  'portfolio.answered': { kind: 'portfolio', newsTo: 'worker' },
  'search.found': { kind: 'search', newsTo: 'both' },
  'endpoint.disabled': { kind: 'webhook', newsTo: 'both' },
} as const satisfies Readonly<Record<string, NewsRow>>

/** Whether an event is news to one side of its task. */
export function isNewsTo(type: keyof typeof newsTable, data: Readonly<Record<string, unknown>>, side: Side): boolean {
  const { newsTo, by }: NewsRow = newsTable[type]
  if (by !== undefined) return data[by] !== side
  return newsTo === 'both' || newsTo === side
}

type Side = 'publisher' | 'worker'
