import type { Category, EventName } from '@ergon/contract'
import { tamed } from '@ergon/contract/facts'
import { cutText } from '../cut-text.ts'
import type { RecordedEvent } from '../events/event.ts'

/** What never changes of a task, as far as rooms and notices need it; the title may, until work begins. */
export type TaskFacts = {
  readonly taskId: string
  readonly title: string
  readonly category: Category
  readonly publisherWallet: string
}

export type NoticeKind =
  | 'ordered'
  | 'assigned'
  | 'not_chosen'
  | 'approved'
  | 'rejected'
  | 'changes_requested'
  | 'dispute_opened'
  | 'dispute_resolved'
  | 'paid'
  | 'message'
  | 'answered'
  | 'more_time'

/**
 * What a worker is told, in plain words, beside the event itself. The same event makes the same notice, under the same
 * id.
 */
export type Notice = {
  readonly id: string
  readonly kind: NoticeKind
  readonly wallet: string
  readonly taskId: string
  readonly title: string
  readonly message: string
  readonly at: Date
}

type Saying = {
  readonly kind: NoticeKind
  readonly title: string
  readonly says: (task: string, data: Readonly<Record<string, unknown>>) => string
  /** Whether it tells the worker anything; absent: it does. */
  readonly only?: (data: Readonly<Record<string, unknown>>) => boolean
}

const sayings: Readonly<Partial<Record<EventName, Saying>>> = {
  'worker.applied': {
    kind: 'ordered',
    title: 'Your service was ordered',
    says: (task) => `Your service was ordered: ${task}. You can begin when the buyer has locked the bounty.`,
    // Whoever applied itself knows.
    only: (data) => data['listing_id'] !== undefined,
  },
  'task.assigned': {
    kind: 'assigned',
    title: 'You were assigned',
    says: (task) => `You were assigned to ${task}. You can begin.`,
  },
  'worker.not_chosen': {
    kind: 'not_chosen',
    title: 'You were not chosen',
    says: (task, data) =>
      data['reason'] === 'task_ended'
        ? `${task} ended before anybody was assigned.`
        : `Another worker was assigned to ${task}. Should that one step down, your application still counts.`,
  },
  'worker.deadline_moved': {
    kind: 'more_time',
    title: 'There is more time',
    says: (task, data) => `The publisher of ${task} gave it more time: until ${minute(data['deadline'])}.`,
  },
  'submission.approved': {
    kind: 'approved',
    title: 'Your work was approved',
    says: (task) => `Your work on ${task} was approved.`,
  },
  'submission.rejected': {
    kind: 'rejected',
    title: 'Your work was rejected',
    says: (task, data) => `Your work on ${task} was rejected${because(data)}.`,
  },
  'submission.revision_requested': {
    kind: 'changes_requested',
    title: 'Changes were requested',
    says: (task, data) => `The publisher of ${task} asks for changes${because(data)}.`,
  },
  'dispute.opened': {
    kind: 'dispute_opened',
    title: 'A dispute was opened',
    says: (task) => `A dispute over ${task} was opened. You can add a statement.`,
  },
  'dispute.resolved': {
    kind: 'dispute_resolved',
    title: 'A dispute was resolved',
    says: (task) => `The dispute over ${task} was resolved.`,
  },
  'payment.released': {
    kind: 'paid',
    title: 'You were paid',
    says: (task, data) => `You were paid${amount(data)} for ${task}.`,
  },
  'message.sent': {
    kind: 'message',
    title: 'The publisher wrote to you',
    says: (task) => `The publisher of ${task} wrote to you. Read it with the task.`,
    only: (data) => data['by'] === 'publisher',
  },
  'question.answered': {
    kind: 'answered',
    title: 'Your question was answered',
    says: (task) => `The publisher of ${task} answered your question. Read it with the task.`,
  },
}

export function makesNotice(type: EventName): boolean {
  return sayings[type] !== undefined
}

/** Null for events that tell the worker nothing, and where there is no worker (spec §6: workers are notified). */
export function noticeOf(event: RecordedEvent, task: TaskFacts): Notice | null {
  const saying = sayings[event.type]
  const wallet = event.wallets.find((one) => one !== task.publisherWallet)
  if (saying === undefined || wallet === undefined) return null
  if (saying.only?.(event.data) === false) return null
  return {
    id: `${event.id}:notice`,
    kind: saying.kind,
    wallet,
    taskId: task.taskId,
    title: saying.title,
    message: saying.says(`“${shortened(task.title)}”`, event.data),
    at: event.at,
  }
}

const longest = 300

/** One line of what a party wrote: no breaks, no control characters, no end of it out of sight. */
function shortened(text: string): string {
  const line = tamed(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+/g, ' ')
    .trim()
  return line.length > longest ? `${cutText(line, longest - 1)}…` : line
}

function because(data: Readonly<Record<string, unknown>>): string {
  const reason = data['reason']
  return typeof reason === 'string' && reason !== '' ? `: ${shortened(reason).replace(/[.!?]$/, '')}` : ''
}

/** An instant as people read it, to the minute. */
function minute(at: unknown): string {
  return typeof at === 'string' ? `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` : 'a later time'
}

function amount(data: Readonly<Record<string, unknown>>): string {
  const paid = data['worker_amount']
  return typeof paid === 'number' ? ` ${String(paid)} US dollars` : ''
}
