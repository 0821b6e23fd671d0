import { events, type EventName } from '@ergon/contract'
import { describe, expect, it } from 'vitest'
import { eventMessages } from '../../messages/event-words.ts'
import { newsMessages } from './messages.ts'
import { isNews, newsTable, partIn, targetOf, type NewsEvent } from './news.ts'

const types = Object.keys(events).sort()
const event = (type: EventName, data: Readonly<Record<string, unknown>> = { task_id: 't' }): NewsEvent => ({
  id: type,
  type,
  created_at: '2026-11-21T00:00:00Z',
  data,
})
const sides = { workerId: 'w', published: new Set(['mine']), worked: new Set(['done']) }

describe('What concerns a person', () => {
  it('is known, and said, for every event of the catalogue', () => {
    expect(Object.keys(newsTable).sort()).toEqual(types)
    expect(Object.keys(newsMessages.en).sort()).toEqual(types)
    expect(Object.keys(eventMessages.en).sort()).toEqual(types)
  })

  it.each([
    ['the publisher of a task', { task_id: 'mine' }, 'publisher'],
    ['the publisher, although the event names a worker', { task_id: 'mine', executor_id: 'w' }, 'publisher'],
    ['the worker the event names', { task_id: 'other', executor_id: 'w' }, 'worker'],
    ['the worker of a task', { task_id: 'done' }, 'worker'],
    ['nobody it could tell', { task_id: 'other' }, undefined],
  ] as const)('is seen from the side of %s', (_who, data, part) => {
    expect(partIn(event('task.updated', data), sides)).toBe(part)
  })

  it('is seen as a publisher by whoever never worked', () => {
    expect(partIn(event('worker.applied'), { ...sides, workerId: null })).toBe('publisher')
  })

  it.each([
    ['worker.applied', 'publisher', true],
    ['worker.applied', 'worker', false],
    ['worker.applied', undefined, true],
    ['submission.approved', 'worker', true],
    ['submission.approved', 'publisher', false],
    ['payment.released', 'worker', true],
    ['dispute.resolved', 'publisher', true],
    ['task.created', 'publisher', false],
    ['task.created', undefined, false],
  ] as const)('%s is news to the %s: %s', (type, part, is) => {
    expect(isNews(event(type), part)).toBe(is)
  })

  it('leaves out what oneself added to a dispute', () => {
    const added = event('dispute.evidence_submitted', { task_id: 't', dispute_id: 'd', side: 'worker' })
    expect([isNews(added, 'worker'), isNews(added, 'publisher')]).toEqual([false, true])
  })

  it('is no news when a newer service names what is not known here', () => {
    expect(isNews(event('task.haunted' as EventName), undefined)).toBe(false)
  })

  it.each([
    ['submission.received', 'publisher', { task_id: 't', submission_id: 's' }, '/my/tasks/$taskId/review'],
    ['submission.rejected', 'worker', { task_id: 't', submission_id: 's' }, '/submissions/$submissionId'],
    ['worker.applied', 'publisher', { task_id: 't' }, '/my/tasks/$taskId'],
    ['worker.applied', undefined, { task_id: 't' }, '/tasks/$taskId'],
    ['dispute.opened', 'worker', { task_id: 't', submission_id: 's', dispute_id: 'd' }, '/disputes/$disputeId'],
    ['endpoint.disabled', 'publisher', { webhook_id: 'h' }, '/webhooks/$webhookId'],
    ['cash_out.sent', 'worker', { nonce: '0x5e' }, '/earnings'],
    ['cash_out.failed', 'publisher', { nonce: '0x5e' }, '/earnings'],
  ] as const)('%s leads the %s to where it is dealt with', (type, part, data, to) => {
    expect(targetOf(event(type, data), part)?.to).toBe(to)
  })

  it('leads to what was asked and written, down the page', () => {
    const placeOf = (type: EventName) => targetOf(event(type, { task_id: 't' }), 'publisher')?.hash
    expect([placeOf('question.asked'), placeOf('question.answered'), placeOf('message.sent')]).toEqual([
      'questions',
      'questions',
      'talk',
    ])
    expect(placeOf('worker.applied')).toBeUndefined()
  })
})
