import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { claimed, type Lines } from '../testing/scripted-lines.ts'
import { heldTask, payment, placeOn } from '../testing/scripted-money.ts'
import { withdraw } from './withdraw.ts'

const now = scriptedNow
const worker: WalletCaller = { kind: 'wallet', wallet: 'receiver', agentId: null, via: 'signature' }

type Given = {
  readonly task?: Partial<Task>
  readonly current?: Partial<Task> | null
  readonly script?: Script
  readonly fault?: 'lost before' | 'refused' | 'none'
}

/** A task whose worker, or whose applicant, goes. */
function stage({ task = {}, current = {}, script = {}, fault = 'none' }: Given = {}) {
  const own = heldTask({ status: 'accepted', escrowStatus: 'authorized', ...task })
  const one = placeOn(own, {
    task: own,
    workerByWallet: { id: 'executor', wallet: 'receiver' },
    lockTask: current === null ? null : { ...own, ...current },
    lockChannel: null,
    application: { status: 'pending' },
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  one.chain.fault = (method) => (method === 'send' ? fault : 'none')
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  return { ...one, deps: { ...one.deps, wakeup }, woken }
}
const leave = (one: ReturnType<typeof stage>, reason: string | null = 'I am ill.') =>
  withdraw(one.deps, worker, 'task', reason)

const locked: Lines = ['transaction', 'lockTask task', 'hasOpenSettlement task']
const words = (text: string | null, executorId = 'executor') =>
  `putTaskWords task {kind:withdraw,author:receiver,executorId:${executorId},text:${String(text)},at:now}`
const seen: Lines = ['task task', 'workerByWallet receiver']
const withdrawn = (executorId = 'executor') => `withdrawApplication task ${executorId}`

describe('a worker steps down', () => {
  const unheld = { escrowStatus: 'none' } as const

  test('at once where nothing is held, and the task is open again', async () => {
    const one = stage({ task: unheld, script: { lockChannel: null } })
    expect(await leave(one)).toEqual({ state: 'withdrawn', taskId: 'task', status: 'published', refundTx: null })
    expect(linesOf(one.asked)).toEqual([
      ...seen,
      ...locked,
      'lockChannel task',
      words('I am ill.'),
      'moveTask task published now {executorId:null,escrowStatus:none,escrowTx:null,startBy:null}',
      'clearEscrow task',
      withdrawn(),
      'taskWords task',
      'addEvent {id:#1,type:task.withdrawn,taskId:task,at:now,' +
        'data:{task_id:task,executor_id:executor,refund_tx:null}}',
    ])
  })
  test.each([null, ' '])('without a word, where it wrote %j', async (reason) => {
    const one = stage({ task: unheld })
    await leave(one, reason)
    expect(linesOf(one.asked)).toContain(words(null))
  })

  test('once what is held is back with its payer', async () => {
    const one = stage()
    expect(await leave(one)).toMatchObject({ state: 'withdrawn', taskId: 'task', status: 'accepted' })
    const order = 'kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400'
    expect(linesOf(one.asked).slice(0, 10)).toEqual([
      ...seen,
      ...locked,
      words('I am ill.'),
      'escrowPayment task',
      'ledgerBalance USDC escrow:hash',
      claimed(1, { purpose: 'stepdown', submissionId: null, mustLand: false, order }),
      'changeTask task {escrowStatus:refunding} now',
    ])
    expect([one.chain.balance('payer'), one.woken]).toEqual([payment.maxAmount, []])
  })
  test('and hears the transaction that brought it back', async () => {
    const one = stage()
    const { refundTx } = await leave(one)
    expect(refundTx).toEqual(one.chain.landings[0]?.txHash)
  })
  test('and is told that it waits, where no answer came', async () => {
    const one = stage({ fault: 'lost before' })
    expect(await leave(one)).toEqual({ state: 'withdrawing', taskId: 'task', status: 'accepted', refundTx: null })
    expect(one.woken).toEqual(['settlements'])
  })
  test('not, where it cannot be given back', async () => {
    const one = stage({ fault: 'refused' })
    expect(await refusalOf(() => leave(one))).toEqual([
      'REFUND_FAILED',
      expect.objectContaining({ task_id: 'task', cause: expect.any(String) as string }),
    ])
    expect(one.woken).toEqual([])
  })

  const not = (status: string, more: object = {}) => ['TASK_NOT_WITHDRAWABLE', { task_id: 'task', status, ...more }]
  const inFlight = ['APPROVAL_IN_FLIGHT', { task_id: 'task' }]
  test.each<[string, Given, unknown]>([
    ['that is no worker', { script: { workerByWallet: null } }, ['FORBIDDEN', { task_id: 'task' }]],
    ['of a task that is not there', { script: { task: null } }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['of a task that is gone', { current: null }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['that was replaced meanwhile', { current: { executorId: 'other' } }, ['FORBIDDEN', { task_id: 'task' }]],
    ['while money is under way', { script: { hasOpenSettlement: true } }, inFlight],
    ['while another claims the money', { script: { claimSettlement: false } }, inFlight],
    ['that handed in its work', { task: { status: 'verifying' } }, not('verifying')],
    ['of a session, which it stops', { task: { evidenceRequired: [] } }, not('accepted')],
    [
      'that a channel pays, which it closes',
      { task: unheld, script: { lockChannel: { status: 'open' } } },
      not('accepted', { has_channel: true }),
    ],
    ['whose payment is not known', { script: { escrowPayment: null } }, ['ESCROW_STATE_MISSING', { task_id: 'task' }]],
  ])('not one %s', async (_what, given, refused) => {
    const one = stage(given)
    expect(await refusalOf(() => leave(one))).toEqual(refused)
    expect([one.of('changeTask'), one.of('moveTask')]).toEqual([[], []])
  })
})

describe('an applicant takes its application back', () => {
  const applicant = {
    workerByWallet: { id: 'other', wallet: 'receiver' },
    application: { id: 'application', executorId: 'other', status: 'pending' },
  }
  const asked: Lines = [...seen, 'transaction', 'lockTask task', 'application task other', 'hasOpenSettlement task']
  const done = { state: 'withdrawn', taskId: 'task', status: 'published', refundTx: null }
  const open = { status: 'published', executorId: null, escrowStatus: 'pending_assignment' } as const

  const told = (reason: string) =>
    'addEvent {id:#1,type:worker.application_withdrawn,taskId:task,at:now,' +
    `data:{task_id:task,application_id:application,executor_id:other${reason}}}`

  test.each<[string | null, Lines]>([
    ['I am ill.', [words('I am ill.', 'other'), told(',reason:I am ill.')]],
    [null, [told('')]],
    [' ', [told('')]],
  ])('saying %j', async (reason, said) => {
    const one = stage({ task: open, script: applicant })
    expect(await leave(one, reason)).toEqual(done)
    expect(linesOf(one.asked)).toEqual([...asked, withdrawn('other'), ...said])
  })
  test('as often as it likes, and is heard once', async () => {
    const one = stage({ task: open, script: { ...applicant, application: { status: 'withdrawn' } } })
    expect(await leave(one)).toEqual(done)
    expect(one.of('addEvent')).toEqual([])
  })
  test('and the task goes on with the worker it has', async () => {
    const one = stage({ script: applicant })
    expect(await leave(one)).toEqual({ ...done, status: 'accepted' })
  })
  test.each<[string, Given, unknown]>([
    ['of a task that is gone', { current: null, script: applicant }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['where there is none', { script: { ...applicant, application: null } }, ['FORBIDDEN', { task_id: 'task' }]],
    [
      'while a lock may be for it',
      { script: { ...applicant, hasOpenSettlement: true } },
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'once it was accepted',
      { script: { ...applicant, application: { status: 'accepted' } } },
      ['TASK_NOT_WITHDRAWABLE', { task_id: 'task', status: 'accepted' }],
    ],
  ])('not %s', async (_what, given, refused) => {
    const one = stage(given)
    expect(await refusalOf(() => leave(one))).toEqual(refused)
    expect(one.of('withdrawApplication')).toEqual([])
  })
  test('at the time it does so', async () => {
    const one = stage({ task: open, script: applicant })
    await leave(one)
    expect(one.of('putTaskWords')[0]?.[1]).toMatchObject({ at: now })
  })
})
