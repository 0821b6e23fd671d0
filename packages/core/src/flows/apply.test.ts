import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import { readPolicy } from '../policy/policy.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, refusalOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { heldTask, placeOn } from '../testing/scripted-money.ts'
import { apply, type ApplyInput } from './apply.ts'

const now = scriptedNow
const caller = (change: Partial<WalletCaller> = {}): WalletCaller => ({
  kind: 'wallet',
  wallet: 'worker',
  agentId: 7,
  via: 'signature',
  ...change,
})
const reputation = { effective: 50, onchain: null, completed: 3 }
const worker = { id: 'own', wallet: 'worker', displayName: 'W', picture: 'p', party: 'agent', agentId: 5, reputation }
const open = { status: 'published', escrowStatus: 'pending_assignment', executorId: null } as const
const taskOf = (change: Partial<Task> = {}): Task => heldTask({ ...open, ...change })

function stage(script: Script = {}, task: Partial<Task> = {}) {
  const one = placeOn(heldTask(), {
    task: taskOf(task),
    lockTask: taskOf(task),
    putWorker: worker,
    workerByWallet: null,
    areApart: false,
    isBanned: false,
    isParticipant: false,
    application: null,
    orderedSeller: null,
    countPending: 0,
    insertApplication: true,
    ...script,
  })
  const taken: unknown[] = []
  const identified = (who: WalletCaller): Promise<WalletCaller> => {
    one.asked.push(['identified', who.wallet])
    return Promise.resolve(who)
  }
  const take = (_who: WalletCaller, count: number): Promise<void> => Promise.resolve(void taken.push(count))
  return { ...one, deps: { ...one.deps, identified, payments: { take } } as unknown as typeof one.deps, taken }
}
const input = (change: Partial<ApplyInput> = {}): ApplyInput => ({ executorId: null, message: 'I am near.', ...change })

const looked: Lines = [
  'task task',
  'isParticipant task worker',
  'putWorker {id:#1,wallet:worker,party:agent,at:now}',
  'areApart payer worker',
  'isBanned payer',
]
const locked: Lines = ['transaction', 'lockTask task', 'application task own', 'orderedSeller task']
const written: Lines = [
  'insertApplication {id:#2,taskId:task,executorId:own,status:pending,message:I am near.,createdAt:now}',
  'addEvent {id:#3,type:worker.applied,taskId:task,at:now,' + 'data:{task_id:task,application_id:#2,executor_id:own}}',
]

describe('a worker applies', () => {
  test('by signing, as an agent, and its publisher hears of it', async () => {
    const { deps, asked, taken } = stage()
    expect(await apply(deps, caller(), 'task', input())).toEqual({
      id: '01950000-0000-7000-8000-0000000f4242',
      taskId: 'task',
      executorId: 'own',
      status: 'pending',
      message: 'I am near.',
      createdAt: now,
      wallet: 'worker',
      displayName: 'W',
      picture: 'p',
      party: 'agent',
      agentId: 7,
      reputation,
    })
    expect(linesOf(asked)).toEqual([...looked, 'identified worker', ...locked, ...written])
    expect(taken).toEqual([])
  })
  test('over a session, as a person that is known already', async () => {
    const { deps, asked } = stage({ workerByWallet: { ...worker, party: 'human' } })
    const applied = await apply(deps, caller({ via: 'session', agentId: null }), 'task', input())
    expect(applied.agentId).toBe(5)
    expect(linesOf(asked).filter((line) => line.startsWith('putWorker'))).toEqual([])
  })
  test('over a session, as a person from now on', async () => {
    const { deps, asked } = stage({ putWorker: { ...worker, party: 'human' } })
    await apply(deps, caller({ via: 'session' }), 'task', input({ executorId: 'own' }))
    expect(linesOf(asked)).toContain('putWorker {id:#1,wallet:worker,party:human,at:now}')
  })
  test.each([null, { status: 'withdrawn' }])('again, after it took back %j', async (application) => {
    expect(await refusalOf(() => apply(stage({ application }).deps, caller(), 'task', input()))).toBe(null)
  })
  test('and takes what is paid directly, for what software published', async () => {
    const { deps, asked, taken } = stage({}, { escrowStatus: 'none', publisherType: 'agent' })
    const applied = await apply(deps, caller(), 'task', input({ selfAccept: true }))
    expect([applied.status, taken]).toEqual(['accepted', [2]])
    expect(linesOf(asked).slice(-4)).toEqual([
      'moveTask task accepted now {executorId:own}',
      'acceptApplication task own',
      'pendingApplications task 500',
      'addEvent {id:#4,type:task.assigned,taskId:task,at:now,data:{task_id:task,executor_id:own,' +
        'worker_wallet:worker,bounty_usd:10,escrow_tx:null}}',
    ])
  })
  test.each<[string, Partial<Task>, boolean]>([
    ['that a person published', { escrowStatus: 'none', publisherType: 'human' }, true],
    ['whose bounty is to be locked', {}, true],
    ['that it only applies for', { escrowStatus: 'none' }, false],
  ])('and waits, for a task %s', async (_what, task, selfAccept) => {
    const { deps, taken, of } = stage({}, task)
    expect((await apply(deps, caller(), 'task', input({ selfAccept }))).status).toBe('pending')
    expect([taken, of('moveTask')]).toEqual([[], []])
  })
})

const notOpen = (status: string) => ['TASK_NOT_OPEN', { task_id: 'task', status }]
const policy = readPolicy({ applicationsMost: 2 })

describe('an application is refused', () => {
  test.each<[string, unknown, Script, Partial<Task>]>([
    ['for a task that is not there', ['TASK_NOT_FOUND', { task_id: 'task' }], { task: null }, {}],
    ['for one that is gone under its lock', ['TASK_NOT_FOUND', { task_id: 'task' }], { lockTask: null }, {}],
    ['for what its publisher blocked', ['PARTY_BLOCKED', {}], { areApart: true }, {}],
    ['twice', ['already_applied', { task_id: 'task' }], { application: { status: 'pending' } }, {}],
    ['twice at once', ['already_applied', { task_id: 'task' }], { insertApplication: false }, {}],
    ['when another was assigned', notOpen('accepted'), { lockTask: taskOf({ status: 'accepted' }) }, {}],
    ['after the deadline', ['DEADLINE_PASSED', { task_id: 'task' }], {}, { deadline: now }],
    ['for what another was asked to do', notOpen('published'), { orderedSeller: 'seller' }, {}],
    [
      'when as many wait as may',
      ['TASK_NOT_OPEN', { task_id: 'task', status: 'published', applications_max: 2 }],
      { countPending: 2 },
      { policy },
    ],
    ['to its publisher', ['SELF_PAYMENT_BLOCKED', { task_id: 'task' }], {}, { publisherWallet: 'worker' }],
    [
      'to an agent, for a person',
      ['PARTY_MISMATCH', { target_executor_type: 'human', executor_type: 'agent' }],
      {},
      { target: 'human' },
    ],
    [
      'below the reputation that is asked for',
      ['REPUTATION_TOO_LOW', { min_reputation: 51, effective_reputation_score: 50 }],
      {},
      { minReputation: 51 },
    ],
  ])('%s', async (_what, refused, script, task) => {
    const { deps, of } = stage(script, task)
    expect(await refusalOf(() => apply(deps, caller(), 'task', input()))).toEqual(refused)
    expect(of('addEvent')).toEqual([])
  })
  test.each<[string, Script, Partial<Task>]>([
    ['to the seller whose order it is', { orderedSeller: 'own' }, {}],
    ['while fewer wait than may', { countPending: 1 }, { policy }],
    ['where any number may wait', { countPending: 900 }, { policy: readPolicy({}) }],
    ['to an agent, for an agent', {}, { target: 'agent' }],
    ['at the reputation that is asked for', {}, { minReputation: 50 }],
  ])('not %s', async (_what, script, task) => {
    expect(await refusalOf(() => apply(stage(script, task).deps, caller(), 'task', input()))).toBe(null)
  })

  test('on behalf of another worker', async () => {
    const refused = await refusalOf(() => apply(stage().deps, caller(), 'task', input({ executorId: 'other' })))
    expect(refused).toEqual(['FORBIDDEN', { executor_id: 'other' }])
  })
  test('over a session of an agent', async () => {
    const { deps } = stage({ workerByWallet: worker })
    const refused = await refusalOf(() => apply(deps, caller({ via: 'session' }), 'task', input()))
    expect(refused).toEqual(['SESSION_NOT_FOR_PARTY', { executor_type: 'agent' }])
  })
  test('to the account of a contract on another chain', async () => {
    const proof = 'contract@eip155:1'
    const refused = await refusalOf(() => apply(stage().deps, caller({ proof }), 'task', input()))
    expect(refused).toEqual(['NETWORK_NOT_ACCEPTED', { network: 'localnet', account: proof }])
  })
  test('before anybody is registered for it', async () => {
    const { deps, of } = stage({}, { deadline: now })
    const owing = caller({ owesIdentity: true })
    expect(await refusalOf(() => apply(deps, owing, 'task', input()))).toEqual(['DEADLINE_PASSED', { task_id: 'task' }])
    expect(of('identified')).toEqual([])
  })
  test('where no payment is left to whoever takes it at once', async () => {
    const { deps, of } = stage({}, { escrowStatus: 'none' })
    const take = (): Promise<void> => Promise.reject(new MarketError('RATE_LIMITED'))
    const taking = apply({ ...deps, payments: { take } }, caller(), 'task', input({ selfAccept: true }))
    await expect(taking).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(of('transaction')).toEqual([])
  })

  test.each<[string, Script, Partial<Task>]>([
    ['The publisher is banned from the service, so no new work can start.', { isBanned: true }, {}],
    ['This task is the order of a service: only its seller may take it.', { orderedSeller: 'seller' }, {}],
    ['As many have applied as this task takes.', { countPending: 2 }, { policy }],
  ])('with a reason: %s', async (reason, script, task) => {
    const refused = apply(stage(script, task).deps, caller(), 'task', input())
    await expect(refused).rejects.toMatchObject({
      code: 'TASK_NOT_OPEN',
      message: reason,
      details: { task_id: 'task' },
    })
  })
})
