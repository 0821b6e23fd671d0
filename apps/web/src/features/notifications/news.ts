import type { EventName } from '@ergon/contract'
import { isNewsTo, newsTable as newsOf, type NewsRow } from '@ergon/contract/facts'
import type { MarketEvent } from '@ergon/sdk'
import type { LinkProps } from '@tanstack/react-router'

export type Part = 'publisher' | 'worker'
export type NewsEvent = Pick<MarketEvent, 'id' | 'created_at'> & {
  readonly type: EventName
  readonly data: Readonly<Record<string, unknown>>
}

export { newsKinds, type NewsKind } from '@ergon/contract/facts'

/** What each event is about, and to whom it is news: every event of the contract has its row. */
export const newsTable: Readonly<Record<EventName, NewsRow>> = newsOf

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

/** Whether another side did it. Where the side is not known it counts: rather once too often than missed. */
export function isNews(event: NewsEvent, part: Part | undefined): boolean {
  // A newer service may name what is not known here.
  const row = Object.hasOwn(newsTable, event.type) ? newsTable[event.type] : undefined
  if (row === undefined || row.newsTo === 'nobody') return false
  return part === undefined || isNewsTo(event.type, event.data, part)
}

type Target = Pick<LinkProps, 'to' | 'params' | 'hash'>

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
  if (type === 'cash_out.sent' || type === 'cash_out.failed') return { to: '/earnings' }
  if (webhookId !== undefined) return { to: '/webhooks/$webhookId', params: { webhookId } }
  if (disputeId !== undefined) return { to: '/disputes/$disputeId', params: { disputeId } }
  if (submissionId !== undefined && part === 'worker')
    return { to: '/submissions/$submissionId', params: { submissionId } }
  if (taskId === undefined) return undefined
  const hash = placeOf(type)
  const there = { params: { taskId }, ...(hash === undefined ? {} : { hash }) }
  if (part !== 'publisher') return { to: '/tasks/$taskId', ...there }
  const isToReview = type === 'submission.received' || type === 'submission.verified'
  return { to: isToReview ? '/my/tasks/$taskId/review' : '/my/tasks/$taskId', ...there }
}

/** Where on a page that is longer than a phone shows. */
const placeOf = (type: EventName): string | undefined =>
  type === 'message.sent' ? 'talk' : type === 'question.asked' || type === 'question.answered' ? 'questions' : undefined
