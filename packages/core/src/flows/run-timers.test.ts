import { describe, expect, test } from 'vitest'
import { readPolicy } from '../policy/policy.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { createHeld } from './held.ts'
import { runTimers } from './run-timers.ts'

const now = scriptedNow
const timer = (kind: string) => ({ taskId: 'task', kind, dueAt: now, attempts: 0 })

async function ran(kind: string, task: Partial<Task> | null, script: Script = {}): Promise<readonly string[]> {
  const given = { status: 'verifying', policy: readPolicy({}), reviewUntil: now } as const
  const one = placeOn(heldTask(), {
    leaseTimers: [timer(kind)],
    lockTask: task === null ? null : heldTask({ ...given, ...task }),
    task: null,
    pendingSubmission: 'submission',
    ...script,
  })
  expect(await runTimers(one.deps)).toBe(1)
  return linesOf(one.asked)
}
const leased = 'leaseTimers localnet now 2026-11-21T12:00:30.000Z 20'
const dropped = (kind: string) => `dropTimer {taskId:task,kind:${kind},dueAt:now,attempts:0}`

describe('a review that runs out', () => {
  const reminded = (pct: number, otherwise = 'release') =>
    'addEvent {id:#1,type:review.reminder,taskId:task,at:now,data:{task_id:task,submission_id:submission,' +
    `elapsed_pct:${String(pct)},review_until:now,otherwise:${otherwise}}}`
  const looked: Lines = [leased, 'transaction', 'lockTask task']

  test.each([
    ['review_half', 50],
    ['review_late', 90],
  ])('is told at %s, and what happens then', async (kind, pct) => {
    expect(await ran(kind, {})).toEqual([...looked, 'pendingSubmission task', reminded(pct), dropped(kind)])
    const disputed = readPolicy({ onSilence: 'dispute' })
    expect(await ran(kind, { policy: disputed })).toContain(reminded(pct, 'dispute'))
  })
  test.each<[string, Partial<Task> | null, Script, Lines]>([
    ['where the task is gone', null, {}, []],
    ['that was decided', { status: 'completed' }, {}, []],
    ['of which nothing waits', {}, { pendingSubmission: null }, ['pendingSubmission task']],
    ['of a task without a policy', { policy: null }, {}, ['pendingSubmission task']],
    ['without an end', { reviewUntil: null }, {}, ['pendingSubmission task']],
  ])('is not told of one %s', async (_what, task, script, asked) => {
    expect(await ran('review_half', task, script)).toEqual([...looked, ...asked, dropped('review_half')])
  })
})

describe('what becomes due is done', () => {
  test.each<[string, Lines]>([
    ['review_end', ['escrowPayment task', 'standingOrder task', 'transaction', 'lockTask task', dropped('review_end')]],
    ['start_by', ['transaction', 'lockTask task', dropped('start_by')]],
    ['outcome', ['task task', 'transaction', dropped('outcome')]],
    ['offer_end', ['transaction', 'lockTask task', dropped('offer_end')]],
    ['ruling_end', ['transaction', 'lockTask task', dropped('ruling_end')]],
  ])('%s of a task that is gone', async (kind, lines) => {
    expect(await ran(kind, null, { escrowPayment: null, standingOrder: null })).toEqual([leased, ...lines])
  })
  test('and a fault of one holds up no other, but is told', async () => {
    const lockTask = (id: string) => {
      if (id === 'broken') throw new Error('down')
      return null
    }
    const due = [{ ...timer('review_half'), taskId: 'broken' }, timer('review_half')]
    const one = placeOn(heldTask(), { leaseTimers: due, lockTask })
    await expect(runTimers(one.deps)).rejects.toThrow('down')
    expect(one.of('dropTimer')).toEqual([[timer('review_half')]])
  })
})

describe('what a process works on', () => {
  const settlement = { id: 'settlement', attempts: 2 } as Settlement
  test('is known while it does, and no longer', async () => {
    const held = createHeld()
    const during = await held.during(settlement, () => Promise.resolve(held.list()))
    expect([during, held.list()]).toEqual([[{ id: 'settlement', attempts: 2 }], []])
  })
  test('and not after it failed', async () => {
    const held = createHeld()
    await expect(held.during(settlement, () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(held.list()).toEqual([])
  })
})
