import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { Movement } from '../escrow/movement.ts'
import type { Found } from '../ports/rail.ts'
import type { AuthorizeOrder } from '../settlements/order.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { authorize, charge, heldTask, moved, placeOn, settlementOf } from '../testing/scripted-money.ts'
import { watchRefused } from './watch.ts'

const now = scriptedNow
const ago = (ms: number): Date => new Date(now.getTime() - ms)
const later = (ms: number): Date => new Date(now.getTime() + ms)
const seconds = now.getTime() / 1_000

type Given = {
  readonly settlement: Settlement
  readonly watchUntil?: Date
  readonly found?: Found | null
  readonly collected?: boolean | null
  readonly movements?: readonly Movement[] | null
  readonly task?: Partial<Task>
  readonly script?: Script
}
const unread = (): Promise<never> => Promise.reject(new MarketError('CHAIN_UNAVAILABLE'))

async function watched(given: Given) {
  const {
    settlement,
    watchUntil = later(600_000),
    found = { state: 'absent' },
    collected = false,
    movements = [],
  } = given
  const one = placeOn(heldTask(), {
    leaseWatched: [{ ...settlement, watchUntil }],
    lockTask: heldTask({ status: 'cancelled', escrowStatus: 'none', ...given.task }),
    lockSettlement: { ...settlement, status: 'refused' },
    claimSettlement: true,
    confirmRefused: false,
    ...given.script,
  })
  const rail = {
    ...one.chain.rail,
    find: () => (found === null ? unread() : Promise.resolve(found)),
    escrowState: () => (collected === null ? unread() : Promise.resolve({ collected, capturable: 0n, refundable: 0n })),
    movements: () => (movements === null ? unread() : Promise.resolve(movements)),
    send: () => Promise.resolve({ outcome: 'unknown' }),
  }
  const ended = await watchRefused({ ...one.deps, rails: () => rail } as unknown as typeof one.deps)
  return { ended, lines: linesOf(one.asked) }
}

const lock = settlementOf('lock', authorize, { submissionId: null, createdAt: ago(40_000) })
// The order of a lock, as it is made.
const { authorization, ...ordered } = authorize as AuthorizeOrder
const ranOut = { ...authorization, validBefore: BigInt(seconds - 301) }
const dead = settlementOf('lock', { ...ordered, authorization: ranOut }, { submissionId: null, createdAt: ago(40_000) })
const payout = settlementOf('payout', charge(), { createdAt: ago(40_000) })
const deadPayout = settlementOf('payout', charge({ validBefore: BigInt(seconds - 301) }), { createdAt: ago(40_000) })
const held = [moved('authorized', 10_000_000n, { logIndex: 1 })]

describe('a signature that was given up', () => {
  test.each<[string, Given, number, readonly string[]]>([
    [
      'is looked at again soon',
      { settlement: lock },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:10:00.000Z,dueAt:2026-11-21T12:00:10.000Z} now',
      ],
    ],
    [
      'is looked at again at leisure, when it was refused long ago',
      { settlement: { ...lock, createdAt: ago(86_400_000) }, watchUntil: later(86_400_000) },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-22T12:00:00.000Z,dueAt:2026-11-21T13:00:00.000Z} now',
      ],
    ],
    [
      'is looked at again a fourth of its age later',
      { settlement: { ...lock, createdAt: ago(400_003) } },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:10:00.000Z,dueAt:2026-11-21T12:01:40.000Z} now',
      ],
    ],
    [
      'is looked at once when its watch is over',
      { settlement: { ...lock, createdAt: ago(86_400_000) }, watchUntil: later(100_000) },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:01:40.000Z,dueAt:2026-11-21T12:01:40.001Z} now',
      ],
    ],
    [
      'is looked at once more when its watch is over by now',
      { settlement: { ...lock, createdAt: ago(86_400_000) }, watchUntil: ago(1) },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T11:59:59.999Z,dueAt:2026-11-21T12:00:05.000Z} now',
      ],
    ],
    [
      'is watched no more once it can be used no more',
      { settlement: dead },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'movements localnet hash',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'is watched on where the books show that it was used',
      { settlement: dead, script: { movements: held } },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'movements localnet hash',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:10:00.000Z,dueAt:2026-11-21T12:00:10.000Z} now',
      ],
    ],
    [
      'was taken up meanwhile',
      { settlement: dead, script: { lockSettlement: { ...dead, status: 'claimed' } } },
      1,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20', 'transaction', 'lockSettlement settlement'],
    ],
    [
      'was taken up meanwhile, and may be used yet',
      { settlement: lock, script: { lockSettlement: null } },
      0,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20', 'transaction', 'lockSettlement settlement'],
    ],
    [
      'says nothing while its chain cannot be read',
      { settlement: dead, collected: null },
      0,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20'],
    ],
    [
      'says nothing while its logs cannot be read',
      { settlement: dead, collected: true, movements: null },
      0,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20'],
    ],
    [
      'says nothing while its logs are not there',
      { settlement: dead, collected: true },
      0,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20'],
    ],
    [
      'was used, and what it holds goes back',
      { settlement: lock, collected: true, movements: held },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'escrowPayment task',
        'addMovement {network:localnet,txHash:0xauthorized,blockNumber:7n,logIndex:1,hash:hash,kind:authorized,atomic:10000000n,feeBps:null} {taskId:task,settlementId:null}',
        'post {id:#1,taskId:task,asset:USDC,at:now,postings:[{account:wallet:payer,atomic:-10000000n},{account:escrow:hash,atomic:10000000n}]}',
        'addPaymentEvent {id:#2,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0xauthorized,at:now,type:settle,from:payer,to:null,note:by another hand on chain}',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:true,rating:null,offerId:null,taskId:task,purpose:stray,subject:hash,order:{key:stray:hash:#4,payment:hash,amount:10000000n USDC,issuedAt:1795262400,after:{blockNumber:7n,logIndex:1},kind:void},id:#4,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'endSettlement settlement {status:refused} now',
        'transaction',
        'lockSettlement #4',
      ],
    ],
    [
      'was used, and holds nothing',
      { settlement: lock, collected: true, movements: [...held, moved('voided', 10_000_000n, { logIndex: 2 })] },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'escrowPayment task',
        'addMovement {network:localnet,txHash:0xauthorized,blockNumber:7n,logIndex:1,hash:hash,kind:authorized,atomic:10000000n,feeBps:null} {taskId:task,settlementId:null}',
        'post {id:#1,taskId:task,asset:USDC,at:now,postings:[{account:wallet:payer,atomic:-10000000n},{account:escrow:hash,atomic:10000000n}]}',
        'addPaymentEvent {id:#2,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0xauthorized,at:now,type:settle,from:payer,to:null,note:by another hand on chain}',
        'addMovement {network:localnet,txHash:0xvoided,blockNumber:7n,logIndex:2,hash:hash,kind:voided,atomic:10000000n,feeBps:null} {taskId:task,settlementId:null}',
        'post {id:#4,taskId:task,asset:USDC,at:now,postings:[{account:escrow:hash,atomic:-10000000n},{account:wallet:payer,atomic:10000000n}]}',
        'addPaymentEvent {id:#5,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0xvoided,at:now,type:refund,from:null,to:payer,note:by another hand on chain}',
        'addEvent {id:#6,taskId:task,at:now,type:payment.refunded,data:{task_id:task,amount_usd:10,payment:{chain:localnet,token:USDC,tx_hash:0xvoided}}}',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'was used, and the task lives by it',
      { settlement: lock, collected: true, movements: held, task: { status: 'accepted', escrowStatus: 'authorized' } },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'escrowPayment task',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'was used, and another process sees to it',
      { settlement: lock, collected: true, movements: held, script: { claimSettlement: false } },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'escrowPayment task',
        'addMovement {network:localnet,txHash:0xauthorized,blockNumber:7n,logIndex:1,hash:hash,kind:authorized,atomic:10000000n,feeBps:null} {taskId:task,settlementId:null}',
        'post {id:#1,taskId:task,asset:USDC,at:now,postings:[{account:wallet:payer,atomic:-10000000n},{account:escrow:hash,atomic:10000000n}]}',
        'addPaymentEvent {id:#2,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0xauthorized,at:now,type:settle,from:payer,to:null,note:by another hand on chain}',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:true,rating:null,offerId:null,taskId:task,purpose:stray,subject:hash,order:{key:stray:hash:#4,payment:hash,amount:10000000n USDC,issuedAt:1795262400,after:{blockNumber:7n,logIndex:1},kind:void},id:#4,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'was used, and was taken up meanwhile',
      {
        settlement: lock,
        collected: true,
        movements: held,
        script: { lockSettlement: { ...lock, status: 'confirmed' } },
      },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
      ],
    ],
  ])('%s', async (_what, given, ended, lines) => {
    const done = await watched(given)
    expect(done.ended).toEqual(ended)
    expect(done.lines).toEqual(lines)
  })
})

describe('a direct payment that was given up', () => {
  const landed = { state: 'landed', txHash: '0xlate', blockNumber: 8n, logIndex: 1 } as const
  test.each<[string, Given, number, readonly string[]]>([
    [
      'is looked at again',
      { settlement: payout },
      0,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:10:00.000Z,dueAt:2026-11-21T12:00:10.000Z} now',
      ],
    ],
    [
      'is watched no more once it can be made no more',
      { settlement: deadPayout },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'is watched no more once its payer withdrew it',
      { settlement: payout, found: { state: 'absent', isDead: true } },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused} now',
      ],
    ],
    [
      'says nothing while its chain cannot be read',
      { settlement: deadPayout, found: null },
      0,
      ['leaseWatched localnet now 2026-11-21T12:00:05.000Z 20'],
    ],
    [
      'was made, and is booked',
      { settlement: payout, found: landed },
      1,
      [
        'leaseWatched localnet now 2026-11-21T12:00:05.000Z 20',
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'movements localnet nonce',
        'addMovement {network:localnet,txHash:0xlate,blockNumber:8n,logIndex:1,hash:nonce,kind:charged,atomic:8700000n,feeBps:null} {taskId:task,settlementId:settlement}',
        'addPaymentEvent {id:#1,taskId:task,type:settle,status:success,amount:8700000n USDC,asset:USDC,from:payer,to:receiver,txHash:0xlate,at:now}',
        'addPaymentEvent {id:#2,taskId:task,type:disburse_worker,status:success,amount:8700000n USDC,asset:USDC,from:payer,to:receiver,txHash:0xlate,at:now}',
        'post {id:#3,taskId:task,asset:USDC,at:now,postings:[{account:wallet:payer,atomic:-8700000n},{account:wallet:receiver,atomic:8700000n}]}',
        'transaction',
        'lockSettlement settlement',
        'endSettlement settlement {status:refused} now',
      ],
    ],
  ])('%s', async (_what, given, ended, lines) => {
    const done = await watched(given)
    expect(done.ended).toEqual(ended)
    expect(done.lines).toEqual(lines)
  })
})
