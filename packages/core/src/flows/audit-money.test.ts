import { describe, expect, test } from 'vitest'
import type { EscrowBooks } from '../audit/compare-escrow.ts'
import { MarketError } from '../errors.ts'
import { ago, audited, books, told, type AuditGiven } from '../testing/scripted-audit.ts'
import { scriptedDeps, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { authorize, capture, charge, heldTask, payment, settlementOf } from '../testing/scripted-money.ts'
import { auditMoney, inTurns } from './audit-money.ts'

const now = scriptedNow

describe('a round of the comparison', () => {
  test('looks at a bounded share, and says for each what it found', async () => {
    expect(await audited({})).toEqual([
      'leaseAudit now 2026-11-21T12:01:00.000Z 2026-11-21T12:10:00.000Z',
      'leaseEscrowAudits localnet now 2026-11-21T12:01:00.000Z 100',
      'leaseProofs localnet now 2026-11-21T12:01:00.000Z 2026-11-21T11:59:00.000Z 100',
      'ledgerDrift',
      'stuckSettlements 2026-11-21T11:55:00.000Z 1000',
      'unnamedPayments 2026-11-21T11:00:00.000Z 1000',
      'followings',
      'reportFindings [ledger,settlements,names,following] [] now',
    ])
  })
  test('is one for all processes', async () => {
    expect(await audited({ script: { leaseAudit: null } })).toEqual([
      'leaseAudit now 2026-11-21T12:01:00.000Z 2026-11-21T12:10:00.000Z',
    ])
  })
  test('tells what waits, what drifts, what has no name, and which chain is behind', async () => {
    const followed = {
      network: 'localnet',
      first: 1n,
      followed: { number: 1n, at: ago(3_600_000) },
      head: { number: 9n, at: now },
      readAt: ago(3_600_000),
    }
    const stuck = { ...settlementOf('release', capture()), createdAt: ago(600_000), attempts: 4 }
    const lock = { ...settlementOf('lock', authorize), id: 'lock' }
    const payout = { ...settlementOf('payout', charge()), id: 'payout' }
    const script = {
      stuckSettlements: [stuck, lock, payout],
      ledgerDrift: [{ asset: payment.asset, figure: 'held', atomic: 5n }],
      unnamedPayments: [
        { settlementId: null, taskId: 'task', network: 'localnet', detail: 'no name' },
        { settlementId: 'settlement', taskId: 'task', network: 'localnet', detail: 'no name' },
      ],
      followings: [followed],
    }
    expect((await audited({ script })).at(-1)).toEqual(
      'reportFindings [ledger,settlements,names,following] [{kind:mismatch,subject:ledger:localnet:USDC:held,taskId:null,settlementId:null,network:localnet,asset:USDC,atomic:5n,detail:the running total held of the ledger is not the sum of its lines,scope:ledger},{kind:stuck,subject:settlement,taskId:task,settlementId:settlement,network:localnet,asset:USDC,atomic:10000000n,detail:the release is claimed since 2026-11-21T11:50:00.000Z, after 4 attempts,scope:settlements},{kind:stuck,subject:lock,taskId:task,settlementId:lock,network:localnet,asset:USDC,atomic:10000000n,detail:the lock is claimed since now, after 0 attempts,scope:settlements},{kind:stuck,subject:payout,taskId:task,settlementId:payout,network:localnet,asset:USDC,atomic:8700000n,detail:the payout is claimed since now, after 0 attempts,scope:settlements},{kind:unnamed,subject:task,settlementId:null,taskId:task,network:localnet,detail:no name,asset:null,atomic:null,scope:names},{kind:unnamed,subject:settlement,settlementId:settlement,taskId:task,network:localnet,detail:no name,asset:null,atomic:null,scope:names},{kind:behind,subject:localnet,taskId:null,settlementId:null,network:localnet,asset:null,atomic:null,detail:followed up to block 1, 8 behind, last read 2026-11-21T11:00:00.000Z,scope:following}] now',
    )
  })
})

test('a chain that answers nothing is asked no more in this round, after one turn of escrows and one of proofs', async () => {
  const many = Array.from({ length: 40 }, () => books())
  const proofs = many.map(() => ({ ...settlementOf('release', capture()), txHash: '0xpaid' }))
  let asked = 0
  const unread = async (): Promise<never> => {
    asked += 1
    throw new MarketError('CHAIN_UNAVAILABLE')
  }
  const { deps } = scriptedDeps({
    ...{ leaseAudit: { sums: false }, leaseEscrowAudits: many, leaseProofs: proofs },
    ...{ ledgerDrift: [], stuckSettlements: [], unnamedPayments: [], followings: [] },
  })
  await auditMoney({ ...deps, rails: () => ({ escrowState: unread, proof: unread }) as never })
  expect(asked).toBe(16)
})

describe('a payment is held against its books', () => {
  const due = (one: EscrowBooks, again: EscrowBooks | null = one): Script => ({
    leaseEscrowAudits: [one],
    escrowBooks: again,
  })
  const over = books({ status: 'completed', escrowStatus: 'released', held: 0n, captured: payment.maxAmount })
  const paid = { collected: true, capturable: 0n, refundable: payment.maxAmount }
  const differs = { collected: true, capturable: 1n, refundable: 0n }
  const release = settlementOf('release', capture())
  test.each<[string, AuditGiven, readonly string[]]>([
    [
      'and agrees',
      { script: due(books()) },
      ['reportFindings [escrow:task,ledger,settlements,names,following] [] now'],
    ],
    [
      'and agrees for good',
      { script: due(over), state: paid },
      [
        'auditEscrowAt [task] 2026-11-28T12:00:00.000Z',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'and differs',
      { script: due(books()), state: differs },
      [
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [{kind:mismatch,subject:hash,taskId:task,settlementId:null,network:localnet,asset:USDC,atomic:9999999n,detail:the ledger says 10000000 is held, the chain 1,scope:escrow:task}] now',
      ],
    ],
    [
      'and cannot be read',
      { script: due(books()), state: null },
      ['reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: what it holds',
      { script: due(books(), books({ held: 1n })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: what was paid',
      { script: due(books(), books({ captured: 1n })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: how it is',
      { script: due(books(), books({ escrowStatus: 'releasing' })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: its task',
      { script: due(books(), books({ status: 'verifying' })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: its payment',
      { script: due(books(), books({ payment: { ...payment, hash: 'other' } })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and moved meanwhile: what is under way',
      { script: due(books(), books({ open: release })), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and is gone',
      { script: due(books(), null), state: differs },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and its order has landed',
      {
        script: { ...due(books({ open: release, escrowStatus: 'releasing' })), lockSettlement: release },
        found: { state: 'landed', txHash: '0xlanded', blockNumber: 7n, logIndex: 1 },
      },
      [
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'endSettlement settlement {status:confirmed,txHash:0xlanded,blockNumber:7n} now',
        'addMovement {network:localnet,txHash:0xlanded,blockNumber:7n,logIndex:1,hash:hash,kind:captured,atomic:10000000n,feeBps:1300} {taskId:task,settlementId:settlement}',
        'post {id:#1,taskId:task,asset:USDC,at:now,postings:[{account:escrow:hash,atomic:-10000000n},{account:wallet:receiver,atomic:8700000n},{account:operator,atomic:1300000n}]}',
        'addPaymentEvent {id:#2,taskId:task,status:success,amount:10000000n USDC,asset:USDC,txHash:0xlanded,at:now,type:settle,from:payer,to:null}',
        'addPaymentEvent {id:#3,taskId:task,status:success,amount:8700000n USDC,asset:USDC,txHash:0xlanded,at:now,type:disburse_worker,from:payer,to:receiver}',
        'moveTask task completed now {escrowStatus:released,paymentTx:0xlanded,paymentBlock:7n}',
        'decideSubmission submission {status:approved,at:now,paymentTx:0xlanded}',
        'countCompleted executor',
        'lockSubmission submission',
        'countDecision payer approved 4',
        'addEvent {id:#4,taskId:task,at:now,type:submission.approved,data:{task_id:task,submission_id:submission,payment_tx:0xlanded}}',
        'addEvent {id:#5,taskId:task,at:now,type:payment.released,data:{task_id:task,worker_amount:8.7,platform_fee:1.3,payment:{chain:localnet,token:USDC,tx_hash:0xlanded}}}',
        'addEvent {id:#6,taskId:task,at:now,type:task.completed,data:{task_id:task,executor_id:executor,bounty_usd:10,payment:{chain:localnet,token:USDC,tx_hash:0xlanded}}}',
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'and its order is under way',
      { script: due(books({ open: release, escrowStatus: 'releasing' })) },
      ['escrowBooks task', 'reportFindings [escrow:task,ledger,settlements,names,following] [] now'],
    ],
    [
      'and its order is under way, and its books are gone',
      { script: due(books({ open: release, escrowStatus: 'releasing' }), null) },
      ['escrowBooks task', 'reportFindings [ledger,settlements,names,following] [] now'],
    ],
    [
      'and its refund is claimed, which nobody did',
      {
        script: {
          ...due(books({ status: 'expired' })),
          lockTask: heldTask({ status: 'expired', escrowStatus: 'authorized' }),
        },
      },
      [
        'transaction',
        'lockTask task',
        'hasOpenSettlement task',
        'escrowPayment task',
        'ledgerBalance USDC escrow:hash',
        'claimSettlement {submissionId:null,executorId:executor,mustLand:true,rating:null,offerId:null,taskId:task,purpose:refund,subject:hash,order:{kind:void,key:void:hash:#1,payment:hash,amount:10000000n USDC,issuedAt:1795262400},id:#1,status:claimed,txHash:null,attempts:0,sentUntil:2026-11-21T12:00:30.000Z,isWaiting:false,createdAt:now} 2026-11-21T12:00:08.000Z',
        'changeTask task {escrowStatus:refunding} now',
        'transaction',
        'lockSettlement #1',
        'endSettlement #1 {status:in_doubt,dueAt:2026-11-21T12:00:00.500Z} now',
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'and its refund is claimed by another',
      {
        script: {
          ...due(books({ status: 'expired' })),
          lockTask: heldTask({ status: 'expired', escrowStatus: 'authorized' }),
          hasOpenSettlement: true,
        },
      },
      [
        'transaction',
        'lockTask task',
        'hasOpenSettlement task',
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'and its refund went meanwhile',
      {
        script: {
          ...due(books({ status: 'expired' })),
          lockTask: heldTask({ status: 'expired', escrowStatus: 'refunded' }),
        },
      },
      [
        'transaction',
        'lockTask task',
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
    [
      'and its task went meanwhile',
      { script: { ...due(books({ status: 'expired' })), lockTask: null } },
      [
        'transaction',
        'lockTask task',
        'escrowBooks task',
        'reportFindings [escrow:task,ledger,settlements,names,following] [] now',
      ],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(told(await audited(given))).toEqual(lines)
  })
})

test('eight at once, in the order given', async () => {
  let running = 0
  let most = 0
  const answers = await inTurns(
    Array.from({ length: 20 }, (_, index) => index),
    async (index) => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      return index
    },
  )
  expect([most, answers]).toEqual([8, Array.from({ length: 20 }, (_, index) => index)])
})
