import { describe, expect, test } from 'vitest'
import { hasNotBegun } from '../policy/start.ts'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { claimed, type Lines } from '../testing/scripted-lines.ts'
import { heldTask, payment, placeOn } from '../testing/scripted-money.ts'
import { handOn } from './hand-on.ts'

const now = scriptedNow
const timer = { taskId: 'task', kind: 'start_by', dueAt: now, attempts: 0 } as never
const dropped = 'dropTimer {taskId:task,kind:start_by,dueAt:now,attempts:0}'
const next = { id: 'application', executorId: 'next' }

type Given = {
  readonly task?: Partial<Task> | null
  readonly script?: Script
  readonly fault?: 'lost before' | 'refused' | 'none'
}

/** An assigned worker who was to begin by now, and one who waits. */
async function handedOn({ task = {}, script = {}, fault = 'none' }: Given) {
  const given = { status: 'accepted', escrowStatus: 'none', startBy: now, policy: readPolicy({}) } as const
  const one = placeOn(heldTask(), {
    lockTask: task === null ? null : heldTask({ ...given, ...task }),
    lockChannel: null,
    pendingApplications: [next],
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  one.chain.fault = (method) => (method === 'send' ? fault : 'none')
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  await handOn({ ...one.deps, wakeup }, timer)
  return { lines: linesOf(one.asked), woken }
}

const locked: Lines = ['transaction', 'lockTask task']
const looked: Lines = [...locked, 'hasOpenSettlement task']
const waited: Lines = [...looked, 'lockChannel task', 'pendingApplications task 1']
const handedTo = (challenge: string) =>
  'addEvent {id:#2,type:task.handed_on,taskId:task,at:now,data:{task_id:task,executor_id:next,' +
  `application_id:application,was:executor,challenge:${challenge}}}`

describe('a worker who has not begun in time', () => {
  test('makes room for the next who waits, where nothing is held', async () => {
    const { lines, woken } = await handedOn({})
    expect(lines).toEqual([
      ...waited,
      'moveTask task published now {executorId:null,escrowStatus:none,escrowTx:null,startBy:null}',
      'clearEscrow task',
      'withdrawApplication task executor',
      'taskWords task',
      'addEvent {id:#1,type:task.withdrawn,taskId:task,at:now,' +
        'data:{task_id:task,executor_id:executor,refund_tx:null}}',
      'pendingApplications task 1',
      handedTo('null'),
      dropped,
    ])
    expect(woken).toEqual([])
  })
  test('and what was held goes back to its payer first', async () => {
    const { lines, woken } = await handedOn({ task: { escrowStatus: 'authorized' } })
    const order = 'kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400'
    expect(lines.slice(0, 8)).toEqual([
      ...looked,
      'pendingApplications task 1',
      'escrowPayment task',
      'ledgerBalance USDC escrow:hash',
      claimed(1, { purpose: 'stepdown', submissionId: null, mustLand: false, order }),
      'changeTask task {escrowStatus:refunding} now',
    ])
    expect(woken).toEqual(['settlements'])
  })
  test.each([
    ['refused', []],
    ['lost before', ['settlements']],
  ] as const)('and goes on when that was %s', async (fault, woken) => {
    expect((await handedOn({ task: { escrowStatus: 'authorized' }, fault })).woken).toEqual(woken)
  })
  test.each<[string, Given, Lines]>([
    ['where nobody waits', { script: { pendingApplications: [] } }, waited],
    ['that a channel pays', { script: { lockChannel: { status: 'open' } } }, waited],
    ['that handed in its work', { task: { status: 'submitted' } }, locked],
    ['that said it began', { task: { startBy: null } }, locked],
    ['that is gone', { task: { executorId: null } }, locked],
    ['of a task that is gone', { task: null }, locked],
  ])('keeps the task: one %s', async (_who, given, lines) => {
    expect((await handedOn(given)).lines).toEqual([...lines, dropped])
  })
  test('has all of its time', async () => {
    const { lines } = await handedOn({ task: { startBy: new Date(now.getTime() + 1) } })
    expect(lines).toEqual([...locked, 'putTimer task start_by 2026-11-21T12:00:00.001Z'])
  })
  test('is left alone while money is under way', async () => {
    expect((await handedOn({ script: { hasOpenSettlement: true } })).lines).toEqual(looked)
  })
  test.each([
    ['accepted', now, 'executor', true],
    ['in_progress', now, 'executor', false],
    ['accepted', null, 'executor', false],
    ['accepted', now, null, false],
  ] as const)('is one of a task that is %s, to begin by %j, of %j: %j', (status, startBy, executorId, isOne) => {
    expect(hasNotBegun({ status, startBy, executorId })).toBe(isOne)
  })
})
