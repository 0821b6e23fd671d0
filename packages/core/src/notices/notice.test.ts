import type { EventName } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { makesNotice, noticeOf, type TaskFacts } from './notice.ts'

const [publisher, worker] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const task: TaskFacts = {
  taskId: 't',
  title: 'Photograph the gate',
  category: 'simple_action',
  publisherWallet: publisher,
}
const at = new Date('2026-11-21T12:00:00Z')
const eventOf = (type: EventName, data: Readonly<Record<string, unknown>> = {}, wallets = [publisher, worker]) => ({
  id: 'e',
  type,
  taskId: 't',
  at,
  data,
  place: '1',
  wallets,
})
const told = (type: EventName, data?: Readonly<Record<string, unknown>>, title = task.title): string => {
  const notice = noticeOf(eventOf(type, data), { ...task, title })
  return `${String(notice?.kind)}: ${String(notice?.title)}: ${String(notice?.message)}`
}

describe('a worker is told (spec §6)', () => {
  test.each([
    ['task.assigned', {}, 'assigned: You were assigned: You were assigned to “Photograph the gate”. You can begin.'],
    [
      'worker.applied',
      { listing_id: 'l' },
      'ordered: Your service was ordered: Your service was ordered: “Photograph the gate”. ' +
        'You can begin when the buyer has locked the bounty.',
    ],
    [
      'worker.not_chosen',
      { reason: 'task_ended' },
      'not_chosen: You were not chosen: “Photograph the gate” ended before anybody was assigned.',
    ],
    [
      'worker.not_chosen',
      { reason: 'another_worker' },
      'not_chosen: You were not chosen: Another worker was assigned to “Photograph the gate”. ' +
        'Should that one step down, your application still counts.',
    ],
    ['submission.approved', {}, 'approved: Your work was approved: Your work on “Photograph the gate” was approved.'],
    [
      'submission.rejected',
      { reason: 'Too dark!' },
      'rejected: Your work was rejected: Your work on “Photograph the gate” was rejected: Too dark.',
    ],
    [
      'submission.rejected',
      { reason: '' },
      'rejected: Your work was rejected: Your work on “Photograph the gate” was rejected.',
    ],
    [
      'submission.revision_requested',
      { reason: 'Go nearer' },
      'changes_requested: Changes were requested: The publisher of “Photograph the gate” asks for changes: Go nearer.',
    ],
    [
      'dispute.opened',
      {},
      'dispute_opened: A dispute was opened: A dispute over “Photograph the gate” was opened. You can add a statement.',
    ],
    [
      'worker.deadline_moved',
      { deadline: '2026-12-01T18:30:00.000Z' },
      'more_time: There is more time: The publisher of “Photograph the gate” gave it more time: until 2026-12-01 18:30 UTC.',
    ],
    [
      'message.sent',
      { by: 'publisher' },
      'message: The publisher wrote to you: The publisher of “Photograph the gate” wrote to you. Read it with the task.',
    ],
    [
      'question.answered',
      {},
      'answered: Your question was answered: The publisher of “Photograph the gate” answered your question. Read it with the task.',
    ],
    [
      'dispute.resolved',
      {},
      'dispute_resolved: A dispute was resolved: The dispute over “Photograph the gate” was resolved.',
    ],
    [
      'payment.released',
      { worker_amount: 8.7 },
      'paid: You were paid: You were paid 8.7 US dollars for “Photograph the gate”.',
    ],
    ['payment.released', {}, 'paid: You were paid: You were paid for “Photograph the gate”.'],
  ] as const)('of %s with %j', (type, data, expected) => {
    expect(told(type, data)).toBe(expected)
    expect(makesNotice(type)).toBe(true)
  })

  test('as the party that is not the publisher, under an id made of the event', () => {
    expect(noticeOf(eventOf('task.assigned'), task)).toMatchObject({ id: 'e:notice', wallet: worker, taskId: 't', at })
    expect(noticeOf(eventOf('task.assigned', {}, [publisher]), task)).toBeNull()
  })

  test.each([
    ['worker.applied', {}],
    ['message.sent', { by: 'worker' }],
  ] as const)('nothing of what it did itself: %s', (type, data) => {
    expect(noticeOf(eventOf(type, data), task)).toBeNull()
  })

  test('nothing of what concerns it less', () => {
    expect(noticeOf(eventOf('task.created'), task)).toBeNull()
    expect(makesNotice('task.created')).toBe(false)
  })

  test('in one line, without control characters, cut after 300 characters', () => {
    expect(told('dispute.resolved', {}, ' Two\r\n\u202elines\u0000 ')).toContain('over “Two lines” was')
    expect(told('dispute.resolved', {}, 'x'.repeat(300))).toContain(`“${'x'.repeat(300)}”`)
    expect(told('dispute.resolved', {}, 'x'.repeat(301))).toContain(`“${'x'.repeat(299)}…”`)
  })
})
