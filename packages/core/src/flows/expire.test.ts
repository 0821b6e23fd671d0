import { describe, expect, test } from 'vitest'
import type { TaskStatus } from '@ergon/contract'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { claimed, type Lines } from '../testing/scripted-lines.ts'
import { heldTask, payment, placeOn } from '../testing/scripted-money.ts'
import { expire, expireTask, hasDefault } from './expire.ts'

const now = scriptedNow
const later = new Date(now.getTime() + 1)
const policy = readPolicy({})

function stage(task: Partial<Task> | null, script: Script = {}) {
  const given = { status: 'published', escrowStatus: 'pending_assignment', executorId: null, deadline: now } as const
  const one = placeOn(heldTask(), {
    dueTasks: ['task'],
    lockTask: task === null ? null : heldTask({ ...given, ...task }),
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  return one
}

const locked: Lines = ['transaction', 'lockTask task', 'hasOpenSettlement task']
const ended: Lines = [
  'moveTask task expired now',
  'expireDisputes task now',
  'addEvent {id:#1,type:task.expired,taskId:task,at:now,data:{task_id:task}}',
]

describe('a task expires at its deadline', () => {
  test('and whoever waits hears that it will not be', async () => {
    const { deps, asked } = stage({})
    expect(await expireTask(deps, 'task')).toBe(true)
    expect(linesOf(asked)).toEqual([...locked, 'pendingApplications task 500', ...ended])
  })
  test('without a word to those who were not chosen before', async () => {
    const { deps, asked } = stage({ status: 'accepted', executorId: 'executor', escrowStatus: 'none' })
    expect(await expireTask(deps, 'task')).toBe(true)
    expect(linesOf(asked)).toEqual([...locked, ...ended])
  })
  test('and what is held goes back, and has to arrive', async () => {
    const { deps, asked, chain } = stage({ status: 'accepted', executorId: 'executor', escrowStatus: 'authorized' })
    expect(await expireTask(deps, 'task')).toBe(true)
    const order = 'kind:void,key:void:hash:#2,payment:hash,amount:10000000n USDC,issuedAt:1795262400'
    expect(linesOf(asked).slice(0, 10)).toEqual([
      ...locked,
      ...ended,
      'escrowPayment task',
      'ledgerBalance USDC escrow:hash',
      claimed(2, { purpose: 'refund', submissionId: null, mustLand: true, order }),
      'changeTask task {escrowStatus:refunding} now',
    ])
    expect(chain.balance('payer')).toBe(payment.maxAmount)
  })
  test.each<[string, Partial<Task> | null, Script]>([
    ['before it', { deadline: later }, {}],
    ['a second time', { status: 'expired' }, {}],
    ['while its lock is under way', { status: 'assigning' }, {}],
    ['under a payment', {}, { hasOpenSettlement: true }],
    ['where there is none', null, {}],
  ])('not %s', async (_what, task, script) => {
    const { deps, of } = stage(task, script)
    expect(await expireTask(deps, 'task')).toBe(false)
    expect(of('moveTask')).toEqual([])
  })
})

describe('what was handed in has a default', () => {
  const ruling = { kind: 'ruling', untilMs: 0 } as const
  const owed = { kind: 'owed' } as const
  test.each<[TaskStatus, boolean]>([
    ['published', false],
    ['assigning', false],
    ['accepted', false],
    ['in_progress', true],
    ['submitted', true],
    ['verifying', true],
    ['disputed', true],
    ['completed', false],
    ['cancelled', false],
    ['expired', false],
  ])('with a policy, %s: %s; without one: never', (status, isSo) => {
    expect(hasDefault({ policy, status, turn: null })).toBe(isSo)
    expect(hasDefault({ policy: null, status, turn: null })).toBe(false)
  })
  test('without a policy, while a ruling waits to be carried out', () => {
    expect(hasDefault({ policy: null, status: 'disputed', turn: ruling })).toBe(true)
    expect(hasDefault({ policy: null, status: 'disputed', turn: owed })).toBe(false)
    expect(hasDefault({ policy: null, status: 'verifying', turn: ruling })).toBe(false)
  })
})

describe('the round of those that are due', () => {
  const round = async (task: Partial<Task> | null, script: Script = {}) => {
    const one = stage(task, script)
    return { count: await expire(one.deps), lines: linesOf(one.asked) }
  }
  const looked: Lines = ['dueTasks localnet now 20', 'transaction', 'lockTask task']

  test('expires them', async () => {
    const { count, lines } = await round({})
    expect(count).toBe(1)
    expect(lines).toEqual([...looked, ...locked, 'pendingApplications task 500', ...ended])
  })
  test('and counts those that expired', async () => {
    expect((await round({}, { dueTasks: ['task', 'task'] })).count).toBe(2)
    expect((await round({}, { dueTasks: [] })).count).toBe(0)
    expect((await round({}, { hasOpenSettlement: true })).count).toBe(0)
  })
  test('but what was handed in waits for its default', async () => {
    const { count, lines } = await round({ status: 'disputed', policy })
    expect(count).toBe(0)
    expect(lines).toEqual([...looked, 'putTimer task outcome now'])
  })
  test.each<[string, Partial<Task> | null]>([
    ['it is not due any more', { status: 'disputed', policy, deadline: later }],
    ['it is gone', null],
  ])('and nothing is put off where %s', async (_where, task) => {
    const { count, lines } = await round(task)
    expect(count).toBe(0)
    expect(lines).toEqual([...looked, 'transaction', 'lockTask task'])
  })
})
