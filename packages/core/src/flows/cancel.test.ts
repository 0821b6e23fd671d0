import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import { MarketError } from '../errors.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { linesOf, refusalOf, scriptedNow, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { heldTask, moved, payment, placeOn } from '../testing/scripted-money.ts'
import { cancel, reclaim, refundEscrow } from './cancel.ts'

const publisher: WalletCaller = { kind: 'wallet', wallet: 'payer', agentId: null, via: 'signature' }
const stranger: WalletCaller = { ...publisher, wallet: 'stranger' }

type Given = {
  readonly task?: Partial<Task>
  readonly current?: Partial<Task> | null
  readonly script?: Script
  readonly before?: (chain: FakeChain) => void
  readonly fault?: 'lost before' | 'refused' | 'none'
}

function stage({ task = {}, current = {}, script = {}, before = () => undefined, fault = 'none' }: Given = {}) {
  const own = heldTask({ status: 'published', escrowStatus: 'pending_assignment', executorId: null, ...task })
  const one = placeOn(own, {
    task: own,
    lockTask: current === null ? null : { ...own, ...current },
    ...keptClaims(),
    ledgerBalance: payment.maxAmount,
    lockChannel: null,
    escrowPayment: payment,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  one.chain.fault = (method) => (method === 'send' ? fault : 'none')
  before(one.chain)
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  return { ...one, deps: { ...one.deps, wakeup }, woken }
}

const told = (lines: readonly string[]): readonly string[] => {
  const begun = lines.indexOf('transaction') + 1
  const end = lines.indexOf('transaction', begun)
  return lines.slice(begun, end < 0 ? undefined : end)
}

describe('a task is cancelled', () => {
  const held = { status: 'accepted', escrowStatus: 'authorized', executorId: 'executor' } as const
  test.each<[string, Given, string, readonly string[]]>([
    [
      'at once while nothing is held, and who waits is told',
      { script: { pendingApplications: [{ id: 'application', executorId: 'other' }] } },
      'answer {state:cancelled,taskId:task,status:cancelled,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'pendingApplications task 500',
        'addEvents [{id:#1,type:worker.not_chosen,taskId:task,at:now,data:{task_id:task,application_id:application,executor_id:other,reason:task_ended}}]',
        'moveTask task cancelled now {refundTx:null}',
        'addEvent {id:#2,type:task.cancelled,taskId:task,at:now,data:{task_id:task,refund_tx:null}}',
      ],
    ],
    [
      'at once where a worker has it and nothing is held',
      { task: { status: 'accepted', escrowStatus: 'none', executorId: 'executor' } },
      'answer {state:cancelled,taskId:task,status:cancelled,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'lockChannel task',
        'moveTask task cancelled now {refundTx:null}',
        'addEvent {id:#1,type:task.cancelled,taskId:task,at:now,data:{task_id:task,refund_tx:null}}',
      ],
    ],
    [
      'with the refund that its channel paid',
      {
        task: { status: 'accepted', escrowStatus: 'none', executorId: 'executor' },
        script: { lockChannel: { status: 'settled', end: { txHash: '0xchannel' } } },
      },
      'answer {state:cancelled,taskId:task,status:cancelled,refundTx:0xchannel}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'lockChannel task',
        'moveTask task cancelled now {refundTx:0xchannel}',
        'addEvent {id:#1,type:task.cancelled,taskId:task,at:now,data:{task_id:task,refund_tx:0xchannel}}',
      ],
    ],
    [
      'once its money is back',
      { task: held },
      'answer {state:cancelled,taskId:task,status:accepted,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'escrowPayment task',
        'ledgerBalance USDC escrow:hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:refund,subject:hash,order:{kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'once its money is back, of which part had moved',
      {
        task: held,
        script: {
          ledgerBalance: 6_000_000n,
          movements: [moved('authorized'), moved('captured', 4_000_000n, { logIndex: 5 })],
        },
        before: (chain) => void chain.capture(payment.hash, 4_000_000n),
      },
      'answer {state:cancelled,taskId:task,status:accepted,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'escrowPayment task',
        'ledgerBalance USDC escrow:hash',
        'movements localnet hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:refund,subject:hash,order:{kind:void,key:void:hash:#1,payment:hash,amount:6000000n USDC,issuedAt:1795262400,after:{blockNumber:7n,logIndex:5}},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'once its money is back, of which the books know nothing',
      { task: held, script: { ledgerBalance: 0n } },
      'answer {state:cancelled,taskId:task,status:accepted,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'escrowPayment task',
        'ledgerBalance USDC escrow:hash',
        'movements localnet hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:refund,subject:hash,order:{kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'later, while nobody knows where its money is',
      { task: held, fault: 'lost before' },
      'answer {state:cancelling,taskId:task,status:accepted,refundTx:null}',
      [
        'lockTask task',
        'hasOpenSettlement task',
        'putTaskWords task {kind:cancel,author:payer,executorId:null,text: Not needed. ,at:now}',
        'escrowPayment task',
        'ledgerBalance USDC escrow:hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:false,rating:null,offerId:null,taskId:task,purpose:refund,subject:hash,order:{kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
  ])('%s', async (_what, given, answer, lines) => {
    const { deps, asked, woken } = stage(given)
    const done = await cancel(deps, publisher, 'task', ' Not needed. ')
    expect(linesOf([['answer', done]])[0]).toEqual(answer)
    expect(told(linesOf(asked))).toEqual(lines)
    expect(woken.length > 0).toBe(given.fault === 'lost before')
  })

  test.each<[string, Given, WalletCaller, unknown]>([
    ['by a stranger', {}, stranger, ['FORBIDDEN', { task_id: 'task' }]],
    ['that is not there', { script: { task: null } }, publisher, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    ['that went meanwhile', { current: null }, publisher, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    [
      'while it is assigned',
      { current: { status: 'assigning' } },
      publisher,
      ['ESCROW_NOT_ASSIGNABLE', { task_id: 'task' }],
    ],
    [
      'while money is under way',
      { script: { hasOpenSettlement: true } },
      publisher,
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'that is reviewed',
      { current: { status: 'verifying' } },
      publisher,
      ['TASK_NOT_CANCELLABLE', { task_id: 'task', status: 'verifying' }],
    ],
    [
      'whose payment no row names',
      { current: held, script: { escrowPayment: null } },
      publisher,
      ['ESCROW_STATE_MISSING', { task_id: 'task' }],
    ],
    [
      'whose money another claim moves',
      { current: held, script: { claimSettlement: false } },
      publisher,
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'whose money the chain does not give back',
      { current: held, fault: 'refused' },
      publisher,
      ['REFUND_FAILED', { cause: 'LOCK_REVERTED', task_id: 'task' }],
    ],
  ])('but not one %s', async (_what, given, caller, refused) => {
    expect(await refusalOf(() => cancel(stage(given).deps, caller, 'task', null))).toEqual(refused)
  })
})

describe('a task that is over still holds money', () => {
  const over = { status: 'expired', escrowStatus: 'authorized' } as const
  test('which goes back', async () => {
    const { deps, of, chain } = stage({ task: over })
    expect(linesOf([['answer', await refundEscrow(deps, publisher, 'task')]])[0]).toEqual(
      'answer {state:cancelled,taskId:task,status:expired,refundTx:null}',
    )
    expect(of('claimSettlement')[0]?.[0]).toMatchObject({ mustLand: true, purpose: 'refund', executorId: null })
    expect(chain.balance('payer')).toBe(payment.maxAmount)
  })
  test.each<[string, Given, WalletCaller, unknown]>([
    ['to a stranger', { task: over }, stranger, ['FORBIDDEN', { task_id: 'task' }]],
    [
      'where there is none',
      { task: over, script: { escrowPayment: null } },
      publisher,
      ['ESCROW_NOT_FOUND', { task_id: 'task' }],
    ],
    ['of one that went meanwhile', { task: over, current: null }, publisher, ['TASK_NOT_FOUND', { task_id: 'task' }]],
    [
      'while it is under way',
      { task: over, script: { hasOpenSettlement: true } },
      publisher,
      ['APPROVAL_IN_FLIGHT', { task_id: 'task' }],
    ],
    [
      'that is back',
      { task: over, current: { escrowStatus: 'refunded' } },
      publisher,
      ['ESCROW_NOT_REFUNDABLE', { task_id: 'task', escrow_status: 'refunded', status: 'expired' }],
    ],
    [
      'of one that goes on',
      { task: over, current: { status: 'accepted' } },
      publisher,
      ['ESCROW_NOT_REFUNDABLE', { task_id: 'task', escrow_status: 'authorized', status: 'accepted' }],
    ],
  ])('but not %s', async (_what, given, caller, refused) => {
    expect(await refusalOf(() => refundEscrow(stage(given).deps, caller, 'task'))).toEqual(refused)
  })
  test.each<[string, Partial<Task>, string]>([
    [
      'is held for a task that goes on',
      { status: 'accepted', escrowStatus: 'authorized' },
      'for a task that is not over',
    ],
    ['is back', { status: 'expired', escrowStatus: 'refunded' }, 'ESCROW_NOT_REFUNDABLE'],
  ])('what %s is not told of as the other', async (_what, task, words) => {
    await expect(refundEscrow(stage({ task }).deps, publisher, 'task')).rejects.toThrow(words)
  })
})

describe('the payer takes funds back itself', () => {
  test.each([
    [-1, false],
    [0, true],
  ])('%s s after the window closed: %s', async (after, eligible) => {
    const authorizationExpiry = scriptedNow.getTime() / 1_000 - after
    const { deps } = stage({ script: { escrowPayment: { ...payment, authorizationExpiry } } })
    expect(await reclaim(deps, publisher, 'task')).toEqual({
      taskId: 'task',
      escrow: 'escrow',
      chainId: 31_337,
      calldata: '0x',
      payer: 'payer',
      amount: { atomic: payment.maxAmount, asset: payment.asset },
      eligibleAt: new Date(authorizationExpiry * 1_000),
      eligible,
    })
  })
  test.each<[string, Given, WalletCaller, unknown]>([
    ['of another', {}, stranger, ['FORBIDDEN', { task_id: 'task' }]],
    ['where there are none', { script: { escrowPayment: null } }, publisher, ['ESCROW_NOT_FOUND', { task_id: 'task' }]],
    [
      'that are back',
      { before: (chain) => chain.reclaim(payment.hash) },
      publisher,
      ['ESCROW_NOT_REFUNDABLE', { task_id: 'task', escrow_status: 'pending_assignment', status: 'published' }],
    ],
  ])('but none %s', async (_what, given, caller, refused) => {
    expect(await refusalOf(() => reclaim(stage(given).deps, caller, 'task'))).toEqual(refused)
  })
  test('a chain that cannot be read is said so', async () => {
    const { deps, chain } = stage()
    chain.fault = () => 'unreadable'
    await expect(reclaim(deps, publisher, 'task')).rejects.toThrow(MarketError)
  })
})
