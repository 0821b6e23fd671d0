import { describe, expect, test } from 'vitest'
import type { AdminCaller, WalletCaller } from '../caller.ts'
import type { Said } from '../messages/message.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script, walletOf } from '../testing/scripted-deps.ts'
import { view } from '../testing/scripted-disputes.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { messages, sendMessage } from './messages.ts'

const now = scriptedNow
const ago = (ms: number): Date => new Date(now.getTime() - ms)
const dayMs = 86_400_000
const said = (change: Partial<Said> = {}): Said => ({ inThread: 0, inDay: 0, dayBegan: null, ...change })

function stage(script: Script = {}, task: Partial<Task> = {}) {
  const own = heldTask({ status: 'accepted', ...task })
  const one = placeOn(own, {
    task: own,
    lockTask: own,
    worker: { id: 'executor', wallet: 'receiver' },
    workerByWallet: null,
    said: said(),
    messages: (asked: object) => ({ rows: [asked], total: 0 }),
    disputes: { rows: [] },
    ...script,
  })
  return { ...one, deps: { ...one.deps, settings: { ...one.deps.settings, arbiters: ['arbiter'] } } }
}
const send = ({ deps }: ReturnType<typeof stage>, wallet = 'payer') =>
  sendMessage(deps, walletOf(wallet), 'task', 'Where is the gate?')

describe('the two sides of a task write to one another', () => {
  test.each([
    ['payer', 'publisher'],
    ['receiver', 'worker'],
  ])('%s, as the %s', async (author, side) => {
    const one = stage()
    const message =
      `id:#1,taskId:task,audience:parties,executorId:executor,side:${side},author:${author},` +
      'text:Where is the gate?,answers:null,createdAt:now'
    const sent = await send(one, author)
    expect(linesOf([['sent', sent]])).toEqual([`sent {${message}}`])
    expect(linesOf(one.asked)).toEqual([
      'task task',
      'worker executor',
      'transaction',
      'lockTask task',
      `said {${message}} ${ago(dayMs).toISOString()}`,
      `insertMessage {${message}}`,
      'addEvent {id:#2,type:message.sent,taskId:task,at:now,' +
        `data:{task_id:task,message_id:#1,executor_id:executor,by:${side}}}`,
    ])
  })

  const closed = (status: string) => ['TASK_NOT_OPEN', { task_id: 'task', status }]
  test.each<[string, string, Script, Partial<Task>, unknown]>([
    ['and no other', 'stranger', {}, {}, ['FORBIDDEN', { task_id: 'task' }]],
    ['not before there are two', 'payer', {}, { executorId: null, status: 'published' }, closed('published')],
    ['not when it is over', 'payer', {}, { status: 'completed' }, closed('completed')],
    ['not when it is gone', 'payer', { lockTask: null }, {}, closed('accepted')],
    ['not to whom it replaced', 'payer', { lockTask: heldTask({ executorId: 'other' }) }, {}, closed('verifying')],
    ['not when it just ended', 'payer', { lockTask: heldTask({ status: 'expired' }) }, {}, closed('expired')],
  ])('%s', async (_what, wallet, script, task, refused) => {
    const one = stage(script, task)
    expect(await refusalOf(() => send(one, wallet))).toEqual(refused)
    expect(one.of('insertMessage')).toEqual([])
  })
  test('from its assignment to its end, as they are told', async () => {
    await expect(send(stage({}, { status: 'completed' }))).rejects.toThrow(
      'The two sides of a task write to one another from its assignment to its end.',
    )
  })

  const spent = (resetAt: Date, seconds: number) => [
    'RATE_LIMITED',
    { limit: 300, remaining: 0, reset_at: resetAt.toISOString(), retry_after_sec: seconds },
  ]
  test.each<[string, Partial<Said>, unknown]>([
    ['199 in a thread', { inThread: 199 }, null],
    ['200 in a thread', { inThread: 200 }, ['TASK_NOT_OPEN', { task_id: 'task', messages_max: 200 }]],
    ['299 in a day', { inDay: 299, dayBegan: ago(1) }, null],
    ['300 in a day', { inDay: 300, dayBegan: ago(dayMs - 2_500) }, spent(new Date(now.getTime() + 2_500), 3)],
    ['300 in a day that ends', { inDay: 300, dayBegan: ago(dayMs) }, spent(now, 1)],
    ['300 in a day that began now', { inDay: 300 }, spent(new Date(now.getTime() + dayMs), 86_400)],
  ])('%s', async (_what, taken, refused) => {
    expect(await refusalOf(() => send(stage({ said: said(taken) })))).toEqual(refused)
  })
  test('and are told where to go on when a thread is full', async () => {
    await expect(send(stage({ said: said({ inThread: 200 }) }))).rejects.toThrow(
      'This thread is full. What has to be said beyond it belongs in a dispute.',
    )
  })
})

describe('what they wrote is read', () => {
  const page = { limit: 5, offset: 0, cursor: null }
  const admin: AdminCaller = { kind: 'admin' }
  const disputed = { disputes: { rows: [view()] } }
  const thread = (executorId: string | null) => ({ taskId: 'task', audience: 'parties', executorId })
  const own = (id: string) => ({ workerByWallet: { id, wallet: 'receiver' } })
  const written = { messages: (asked: object) => ({ rows: [asked], total: 1 }) }
  const log = (actor: string, reason: string, requestId: string): Lines => [
    `addAudit {actor:${actor},reason:${reason},requestId:${requestId},id:#1,at:now,action:dispute.read,` +
      'subject:dispute,before:{},after:{what:messages,task_id:task}}',
  ]

  test.each<[string, WalletCaller | AdminCaller, Script, string | null, Lines]>([
    ['every thread by the publisher', walletOf('payer'), {}, null, []],
    ['its own by the worker, also while it is empty', walletOf('receiver'), own('executor'), 'executor', []],
    ['its own by a worker that stepped down', walletOf('receiver'), { ...own('before'), ...written }, 'before', []],
    [
      'every thread of a dispute by who may rule',
      walletOf('arbiter'),
      disputed,
      null,
      log('arbiter', 'an arbiter reads the messages', ''),
    ],
    [
      'every thread of a dispute by who may rule, and worked elsewhere',
      walletOf('arbiter'),
      { ...disputed, ...own('elsewhere') },
      null,
      log('arbiter', 'an arbiter reads the messages', ''),
    ],
    [
      'every thread of a dispute by the operator',
      admin,
      disputed,
      null,
      log('admin', 'the operator reads the messages', 'request'),
    ],
  ])('%s', async (_what, caller, script, executorId, logged) => {
    const { deps, asked } = stage(script)
    const { rows } = await messages(deps, caller, 'task', page, 'request')
    expect(rows).toEqual([thread(executorId)])
    expect(linesOf(asked).filter((line) => line.startsWith('addAudit'))).toEqual(logged)
  })
  test('without the id of a request, where there is none', async () => {
    const { deps, asked } = stage(disputed)
    await messages(deps, admin, 'task', page)
    expect(linesOf(asked)).toEqual([
      'task task',
      'disputes {status:null,taskId:task,wallet:null} {limit:1,offset:0,cursor:null}',
      'transaction',
      ...log('admin', 'the operator reads the messages', ''),
      'messages {taskId:task,audience:parties,executorId:null} {limit:5,offset:0,cursor:null}',
    ])
  })
  test.each<[string, WalletCaller | AdminCaller, Script]>([
    ['by no stranger', walletOf('stranger'), {}],
    ['by no stranger to its dispute', walletOf('stranger'), disputed],
    ['by no worker that never was one of its', walletOf('receiver'), own('elsewhere')],
    ['by no arbiter where nothing is disputed', walletOf('arbiter'), {}],
    ['not by the operator where nothing is disputed', admin, {}],
  ])('%s', async (_who, caller, script) => {
    const { deps, of } = stage(script)
    expect(await refusalOf(() => messages(deps, caller, 'task', page))).toEqual(['FORBIDDEN', { task_id: 'task' }])
    expect(of('addAudit')).toEqual([])
  })
})
