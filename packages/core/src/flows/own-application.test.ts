import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { refusalOf, type Script } from '../testing/scripted-deps.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { block, blocked, unblock } from './block.ts'
import { ownApplication } from './own-application.ts'

const caller: WalletCaller = { kind: 'wallet', wallet: 'wallet', agentId: null, via: 'signature' }
const waiting = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }))

function stage(script: Script = {}, task: Partial<Task> = {}) {
  const own = heldTask({ status: 'published', executorId: null, ...task })
  return placeOn(own, {
    task: own,
    isParticipant: false,
    workerByWallet: { id: 'executor' },
    application: { id: '2', status: 'pending' },
    countPending: 3,
    pendingApplications: waiting(3),
    ...script,
  })
}
const place = (one: ReturnType<typeof stage>) => ownApplication(one.deps, caller, 'task')

describe('an applicant knows its place, and of nobody else', () => {
  test('which counts from one', async () => {
    const one = stage()
    expect(await place(one)).toEqual({ id: '2', outcome: 'waiting', place: 3, waiting: 3, most: null })
    expect([one.of('application'), one.of('pendingApplications')]).toEqual([[['task', 'executor']], [['task', 500]]])
  })
  test('at the head of them', async () => {
    expect(await place(stage({ application: { id: '0', status: 'pending' } }))).toMatchObject({ place: 1 })
  })
  test('behind as many as are counted', async () => {
    const far = { application: { id: 'far', status: 'pending' }, countPending: 700, pendingApplications: waiting(500) }
    expect(await place(stage(far))).toMatchObject({ place: 700, waiting: 700 })
  })
  test('and how many may wait, where the policy says so', async () => {
    const policy = readPolicy({ applicationsMost: 4 })
    expect(await place(stage({}, { policy }))).toMatchObject({ most: 4 })
  })
  test.each([
    ['accepted', 'assigned'],
    ['rejected', 'not_chosen'],
    ['withdrawn', 'taken_back'],
  ])('and one that was %s reads %s, without a place', async (status, outcome) => {
    expect(await place(stage({ application: { id: '2', status } }))).toMatchObject({ outcome, place: null })
  })
  test.each<[string, Script, Partial<Task>, unknown]>([
    ['who did not apply', { application: null }, {}, ['WORKER_NOT_APPLIED', { task_id: 'task' }]],
    ['who never worked here', { workerByWallet: null }, {}, ['WORKER_NOT_APPLIED', { task_id: 'task' }]],
    ['of a task that is over', {}, { status: 'expired' }, ['TASK_GONE', { task_id: 'task', status: 'expired' }]],
  ])('but none %s', async (_who, script, task, refused) => {
    expect(await refusalOf(() => place(stage(script, task)))).toEqual(refused)
  })
})

describe('a wallet keeps another away', () => {
  const page = { limit: 5, offset: 0, cursor: null }
  test('and takes it back', async () => {
    const one = stage({ putBlock: (kept: object) => kept, removeBlock: true, blocksOf: 'a page' })
    expect(await block(one.deps, caller, 'other')).toMatchObject({ blocker: 'wallet', blocked: 'other' })
    expect(await unblock(one.deps, caller, 'other')).toBe(true)
    expect(await blocked(one.deps, caller, page)).toBe('a page')
    expect([one.of('removeBlock'), one.of('blocksOf')]).toEqual([[['wallet', 'other']], [['wallet', page]]])
  })
  test('but no more of them than it may', async () => {
    const one = stage({ putBlock: null })
    expect(await refusalOf(() => block(one.deps, caller, 'other'))).toEqual([
      'VALIDATION_FAILED',
      { field: 'wallet', constraint: 'at most 1000 blocked wallets: unblock one first', received: 'other' },
    ])
  })
  test('but not itself', async () => {
    const one = stage()
    expect(await refusalOf(() => block(one.deps, caller, 'wallet'))).toEqual([
      'VALIDATION_FAILED',
      { field: 'wallet', constraint: 'a wallet other than your own', received: 'wallet' },
    ])
    expect(one.of('putBlock')).toEqual([])
  })
  test('and nobody without a name has any', async () => {
    const one = stage()
    expect(await blocked(one.deps, { kind: 'anonymous' }, page)).toMatchObject({ rows: [] })
    expect(one.of('blocksOf')).toEqual([])
  })
})
