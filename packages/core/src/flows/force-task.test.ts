import type { TaskStatus } from '@ergon/contract'
import { describe, expect, test } from 'vitest'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { aTask } from '../testing/factories.ts'
import { refusalOf, scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { elapse } from './elapse.ts'
import { forceTask } from './force-task.ts'

const now = scriptedNow
const act = { actor: 'operator', reason: 'It was asked for.', requestId: 'request' }
const task = aTask({ id: 'task', deadline: new Date(now.getTime() + 1), refundTx: '0xback' })
const id = (count: number): string => `01950000-0000-7000-8000-0000000f424${String(count)}`
const viewed = { id: 'task', escrowStatus: 'none' }
/** No dispute waits. */
const seen = { ...viewed, deciders: null }

function stage(of: Partial<Task> | null, script: Script = {}) {
  return scriptedDeps({
    lockTask: of === null ? null : { ...task, ...of },
    hasOpenSettlement: false,
    pendingApplications: [],
    pendingSubmission: 'submission',
    taskView: viewed,
    ...script,
  })
}
const audited = (before: object, after: object, action = 'task.force') => [
  'addAudit',
  { ...act, id: id(1), at: now, action, subject: 'task', before, after },
]
const event = (count: number, type: string, data: object) => [
  'addEvent',
  { id: id(count), type, taskId: 'task', at: now, data: { task_id: 'task', ...data } },
]

describe('the operator puts a task into a status', () => {
  test('cancelled: whoever waits is told, and the line of the audit log comes first', async () => {
    const { deps, asked } = stage({}, { pendingApplications: [{ id: 'application', executorId: 'executor' }] })
    expect(await forceTask(deps, 'task', 'cancelled', act)).toEqual({ state: 'forced', task: seen })
    expect(asked).toEqual([
      ['transaction'],
      ['lockTask', 'task'],
      ['hasOpenSettlement', 'task'],
      audited({ status: 'published', escrow_status: 'pending_assignment' }, { status: 'cancelled', refund: false }),
      ['pendingApplications', 'task', 500],
      [
        'addEvents',
        [
          {
            id: id(2),
            type: 'worker.not_chosen',
            taskId: 'task',
            at: now,
            data: {
              task_id: 'task',
              application_id: 'application',
              executor_id: 'executor',
              reason: 'task_ended',
            },
          },
        ],
      ],
      ['moveTask', 'task', 'cancelled', now],
      event(3, 'task.cancelled', { refund_tx: '0xback' }),
      ['taskView', 'task'],
    ])
  })
  test('expired: its disputes end, and a worker who is there is not told that it was not chosen', async () => {
    const { deps, asked } = stage({ status: 'accepted', executorId: 'executor' })
    await forceTask(deps, 'task', 'expired', act)
    expect(asked.slice(4)).toEqual([
      ['moveTask', 'task', 'expired', now],
      ['expireDisputes', 'task', now],
      event(2, 'task.expired', {}),
      ['taskView', 'task'],
    ])
  })
  test('published: the world is told of it', async () => {
    const { deps, asked } = stage({ status: 'draft' })
    await forceTask(deps, 'task', 'published', act)
    expect(asked.slice(4)).toEqual([
      ['moveTask', 'task', 'published', now],
      event(2, 'task.created', {
        title: 'Photograph the gate',
        category: 'simple_action',
        bounty_usd: 10,
        network: 'localnet',
      }),
      ['taskView', 'task'],
    ])
  })
  test('disputed: by the word of the operator, for as long as its policy says', async () => {
    const policy = readPolicy({ disputeHours: 24 })
    const { deps, asked } = stage({ status: 'verifying', escrowStatus: 'none', policy })
    expect(await forceTask(deps, 'task', 'disputed', act)).toEqual({ state: 'forced', task: seen })
    const deadline = new Date(now.getTime() + 86_400_000)
    expect(asked.slice(4)).toEqual([
      ['pendingSubmission', 'task'],
      ['moveTask', 'task', 'disputed', now],
      [
        'insertDispute',
        {
          id: id(2),
          taskId: 'task',
          submissionId: 'submission',
          status: 'open',
          openedBy: 'admin',
          reason: 'other',
          description: 'It was asked for.',
          criteria: [],
          resolution: null,
          resolvedAt: null,
          createdAt: now,
        },
      ],
      event(3, 'dispute.opened', { submission_id: 'submission', dispute_id: id(2) }),
      ['changeTask', 'task', { deadline }, now],
      event(4, 'task.deadline_moved', {
        deadline: deadline.toISOString(),
        was: task.deadline.toISOString(),
        reason: 'disputed',
      }),
      ['taskView', 'task'],
    ])
  })

  test.each<[string, Partial<Task>, TaskStatus, string]>([
    ['is in it already', { status: 'cancelled' }, 'cancelled', 'unchanged'],
    ['goes there, for its money is on the way back', { escrowStatus: 'refunding' }, 'cancelled', 'moving'],
    [
      'is there, and its money is on the way back',
      { status: 'expired', escrowStatus: 'refunding' },
      'expired',
      'moving',
    ],
  ])('and nothing is written where it %s', async (_what, of, to, state) => {
    const { deps, asked } = stage(of)
    expect(await forceTask(deps, 'task', to, act)).toEqual({ state, task: seen })
    expect(asked.map(([name]) => name)).toEqual(['transaction', 'lockTask', 'taskView'])
  })

  const refused = (of: Partial<Task>, asked: TaskStatus) => [
    'TASK_STATE_NOT_FORCEABLE',
    {
      task_id: 'task',
      status: of.status ?? 'published',
      escrow_status: of.escrowStatus ?? 'pending_assignment',
      asked,
    },
  ]
  test.each<[string, Partial<Task> | null, TaskStatus, Script, unknown]>([
    ['there is none', null, 'cancelled', {}, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['nothing of it happened', {}, 'completed', {}, refused({}, 'completed')],
    [
      'its money is on the way back, for another status',
      { escrowStatus: 'refunding' },
      'expired',
      {},
      refused({ escrowStatus: 'refunding' }, 'expired'),
    ],
    ['money is under way', {}, 'cancelled', { hasOpenSettlement: true }, ['APPROVAL_IN_FLIGHT', { task_id: 'task' }]],
    [
      'money is under way, whatever is asked',
      {},
      'completed',
      { hasOpenSettlement: true },
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'its time is over, to publish it',
      { status: 'draft', deadline: now },
      'published',
      {},
      ['DEADLINE_PASSED', { task_id: 'task' }],
    ],
    [
      'nothing was handed in that could be disputed',
      { status: 'verifying' },
      'disputed',
      { pendingSubmission: null },
      ['TASK_STATE_NOT_FORCEABLE', { task_id: 'task', status: 'verifying', asked: 'disputed' }],
    ],
    ['it is gone when it is read again', {}, 'cancelled', { taskView: null }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
  ])('but not where %s', async (_what, of, to, script, code) => {
    const { deps } = stage(of, script)
    expect(await refusalOf(() => forceTask(deps, 'task', to, act))).toEqual(code)
  })
})

describe('what is held goes back first', () => {
  const payment = {
    network: 'localnet',
    asset: task.bounty.asset,
    payer: 'payer',
    receiver: 'receiver',
    maxAmount: 10_000_000n,
    authorizationExpiry: 0,
    refundExpiry: 0,
    hash: 'hash',
  }
  function held(to: TaskStatus, escrowStatus: string, isLocked = true) {
    const end: unknown[] = []
    const script: Script = {
      escrowPayment: payment,
      ledgerBalance: payment.maxAmount,
      claimSettlement: true,
      movements: [],
      taskView: { id: 'task', escrowStatus },
      lockSettlement: null,
      endSettlement: (...of: unknown[]) => end.push(of),
    }
    const one = stage({ status: 'accepted', executorId: 'executor', escrowStatus: 'authorized' }, script)
    if (isLocked) {
      one.chain.fund('payer', payment.maxAmount)
      one.chain.authorize(payment, payment.maxAmount)
    }
    const woken: string[] = []
    const during = (_settlement: unknown, work: () => unknown): unknown => work()
    const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
    const deps = { ...one.deps, held: { during } as never, wakeup }
    return { ...one, woken, run: () => forceTask(deps, 'task', to, act) }
  }
  test.each<[TaskStatus, boolean]>([
    ['cancelled', false],
    ['expired', true],
  ])('%s: the task is there at once: %s', async (to, isAtOnce) => {
    const { run, of, woken, chain } = held(to, 'refunding')
    expect(await run()).toEqual({ state: 'moving', task: { ...seen, escrowStatus: 'refunding' } })
    expect(of('moveTask')).toEqual(isAtOnce ? [['task', to, now]] : [])
    expect(of('addAudit')[0]?.[0]).toMatchObject({ after: { status: to, refund: true } })
    expect(of('claimSettlement')[0]?.[0]).toMatchObject({ purpose: 'refund', mustLand: true, subject: 'hash' })
    expect(of('changeTask')).toEqual([['task', { escrowStatus: 'refunding' }, now]])
    expect(chain.balance('payer')).toBe(payment.maxAmount)
    expect(woken).toEqual(['settlements'])
  })
  test('and it is forced when the money is back', async () => {
    expect((await held('cancelled', 'refunded').run()).state).toBe('forced')
  })
})

describe("the operator's clock", () => {
  const networks = [{ ...scriptedDeps().deps.networks[0], name: 'localnet', isLocal: true }] as never
  const turn = { kind: 'ruling', untilMs: 10 * 3_600_000 } as never
  test('brings the task closer to its end, with the end of a ruling', async () => {
    const { deps, asked } = stage({ turn })
    expect(await elapse({ ...deps, networks }, 'task', 2, act)).toEqual(seen)
    const [was, is] = [task.deadline, new Date(task.deadline.getTime() - 7_200_000)].map((at) => at.toISOString())
    expect(asked).toEqual([
      ['transaction'],
      ['lockTask', 'task'],
      ['elapseTask', 'task', 7_200_000, now],
      ['changeTask', 'task', { turn: { kind: 'ruling', untilMs: 8 * 3_600_000 } }, now],
      audited({ deadline: was }, { deadline: is, hours: 2 }, 'task.elapse'),
      ['taskView', 'task'],
    ])
  })
  test.each([null, { kind: 'owed' }])('and leaves any other turn: %j', async (other) => {
    const { deps, of } = stage({ turn: other as never })
    await elapse({ ...deps, networks }, 'task', 2, act)
    expect(of('changeTask')).toEqual([])
  })
  test.each<[string, Partial<Task> | null, boolean, Script, unknown]>([
    ['where there is none', null, true, {}, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['where money is real', {}, false, {}, ['FEATURE_DISABLED', { network: 'localnet' }]],
    [
      'where it is over',
      { status: 'expired' },
      true,
      {},
      ['TASK_STATE_NOT_FORCEABLE', { task_id: 'task', status: 'expired' }],
    ],
    ['where it is gone afterwards', {}, true, { taskView: null }, ['TASK_NOT_FOUND', { task_id: 'task' }]],
  ])('moves no task %s', async (_what, of, isLocal, script, refused) => {
    const { deps } = stage(of, script)
    expect(await refusalOf(() => elapse(isLocal ? { ...deps, networks } : deps, 'task', 2, act))).toEqual(refused)
  })
})
