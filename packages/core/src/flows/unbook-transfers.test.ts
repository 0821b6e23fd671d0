import { describe, expect, test } from 'vitest'
import { scriptedNow } from '../testing/scripted-deps.ts'
import { confirmedAt, failureTold, logged, posted, refused, type Lines } from '../testing/scripted-lines.ts'
import { booked, nothingUndone, spent, written, type Given } from '../testing/scripted-logs.ts'
import { charge, heldTask, settlementOf } from '../testing/scripted-money.ts'

const longAgo = new Date(scriptedNow.getTime() - 60_000)

/** The booked log, in the words of `linesOf`. */
const logOf = (since = '2026-11-21T11:59:00.000Z'): string =>
  '{network:localnet,txHash:0xspent,blockNumber:4n,logIndex:3,hash:nonce,kind:charged,atomic:10000000n,feeBps:null,' +
  `taskId:task,settlementId:settlement,missingSince:${since}}`
const dropped = (since?: string): string => `dropMovement ${logOf(since)}`
const undone = (what: string): string =>
  `the ${what} of 0xspent was undone with its block, and its signature pays no more`
const chargeGone =
  'reportFindings [undone:localnet] [{kind:reorged,scope:undone:localnet,subject:0xspent:3,taskId:task,' +
  'settlementId:settlement,network:localnet,asset:null,atomic:10000000n,' +
  'detail:what was charged in 0xspent is no longer on chain}] now'
const payoutLost =
  'reportFindings [lost:localnet:nonce] [{scope:lost:localnet:nonce,kind:reorged,subject:nonce,taskId:task,' +
  `settlementId:settlement,network:localnet,asset:USDC,atomic:10000000n,detail:${undone('payout')}}] now`
const chargeUndone = (payee: string): string =>
  posted(1, [
    ['wallet:payer', 8_700_000n],
    [payee, -8_700_000n],
  ])
const undoneTold = (type: string, to: string, what: string): Lines => [
  `addPaymentEvent {id:#2,taskId:task,type:${type},status:failed,amount:8700000n USDC,asset:USDC,from:payer,to:${to},` +
    `txHash:0xspent,note:${undone(what)},at:now}`,
  failureTold(3, 'SETTLEMENT_FAILED'),
]

describe('a booked direct payment that is not where it was', () => {
  const payout = settlementOf('payout', charge())
  const confirmed = { ...payout, status: 'confirmed' as const }
  const feeOf = { ...settlementOf('fee', charge({ to: 'treasury' })), status: 'confirmed' as const }
  const log = (change = {}) =>
    booked({ kind: 'charged', hash: 'nonce', txHash: '0xspent', logIndex: 3, feeBps: null, blockNumber: 4n, ...change })
  const paid = (movement = log(), settlement: object = confirmed) => ({ bookedTransfers: [{ movement, settlement }] })
  const missing = log({ missingSince: longAgo })
  const elsewhere = { state: 'landed', txHash: '0xother', blockNumber: 8n, logIndex: 1 } as const
  const there = { state: 'landed', txHash: '0xspent', blockNumber: 8n, logIndex: 1 } as const
  const gone = { state: 'absent', isDead: true } as const
  const task = (change = {}) => heldTask({ status: 'completed', escrowStatus: 'none', paymentTx: '0xspent', ...change })
  test.each<[string, Given, Lines]>([
    [
      'and is one that the chain shows',
      { script: paid(), window: { spent: [{ ...spent, blockNumber: 4n }] } },
      [nothingUndone],
    ],
    ['and lies behind the window is left', { script: paid(log({ blockNumber: 10n })) }, [nothingUndone]],
    ['says nothing while its chain cannot be read', { script: paid(), found: null }, []],
    [
      'is moved to where it was mined again',
      { script: { ...paid(), lockTask: task() }, found: there },
      [
        'transaction',
        'lockTask task',
        `moveMovement ${logOf('null')} {state:landed,txHash:0xspent,blockNumber:8n,logIndex:1}`,
        nothingUndone,
      ],
    ],
    [
      'was carried by another transaction, which is its name',
      { script: { ...paid(), dropMovement: true, lockTask: task() }, found: elsewhere },
      [
        'transaction',
        'lockTask task',
        dropped('null'),
        logged('charged', 10_000_000n, { at: elsewhere, hash: 'nonce' }),
        confirmedAt(elsewhere),
        'changeTask task {paymentTx:0xother} now',
        nothingUndone,
      ],
    ],
    [
      'was carried by another, and the task is paid otherwise',
      {
        script: { ...paid(log(), payout), dropMovement: true, lockTask: task({ paymentTx: '0xelse' }) },
        found: elsewhere,
      },
      [
        'transaction',
        'lockTask task',
        dropped('null'),
        logged('charged', 10_000_000n, { at: elsewhere, hash: 'nonce' }),
        nothingUndone,
      ],
    ],
    [
      'was a fee, carried by another',
      { script: { ...paid(log(), feeOf), dropMovement: true, lockTask: task() }, found: elsewhere },
      [
        'transaction',
        'lockTask task',
        dropped('null'),
        logged('charged', 10_000_000n, { at: elsewhere, hash: 'nonce' }),
        confirmedAt(elsewhere),
        'changeTask task {feeTx:0xother} now',
        nothingUndone,
      ],
    ],
    [
      'was carried by another, and named by another process',
      { script: { ...paid(), dropMovement: false, lockTask: task() }, found: elsewhere },
      ['transaction', 'lockTask task', dropped('null'), nothingUndone],
    ],
    [
      'is looked for',
      { script: paid(), found: gone },
      ['transaction', `missMovement ${logOf('null')} now`, chargeGone],
    ],
    ['may still be made', { script: paid(missing), found: { state: 'absent' } }, [chargeGone]],
    [
      'never was: it is turned round, its fee falls, and it is a finding',
      {
        script: {
          ...paid(missing),
          dropMovement: true,
          lockTask: task(),
          lockSettlement: confirmed,
          refuseFeeOf: feeOf,
        },
        found: gone,
      },
      [
        payoutLost,
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        dropped(),
        chargeUndone('wallet:receiver'),
        refused('SETTLEMENT_FAILED'),
        'refuseFeeOf submission now',
        'endSettlement settlement {status:refused,watchUntil:2026-11-21T12:06:00.000Z,dueAt:now} now',
        'changeTask task {paymentTx:null} now',
        ...undoneTold('disburse_worker', 'receiver', 'payout'),
        nothingUndone,
      ],
    ],
    [
      'never was, and its claim was given back before',
      {
        script: {
          ...paid(missing),
          dropMovement: true,
          lockTask: task({ paymentTx: null }),
          lockSettlement: { ...payout, status: 'refused' },
        },
        found: gone,
      },
      [
        payoutLost,
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        dropped(),
        chargeUndone('wallet:receiver'),
        'refuseFeeOf submission now',
        ...undoneTold('disburse_worker', 'receiver', 'payout'),
        nothingUndone,
      ],
    ],
    [
      'was a fee that never was: it is owed again',
      { script: { ...paid(missing, feeOf), dropMovement: true, lockTask: task(), lockSettlement: feeOf }, found: gone },
      [
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        dropped(),
        chargeUndone('treasury'),
        refused('SETTLEMENT_FAILED'),
        'changeTask task {feeTx:null} now',
        ...undoneTold('disburse_fee', 'treasury', 'fee'),
        nothingUndone,
      ],
    ],
    [
      'never was, and was turned round by another process',
      { script: { ...paid(missing), dropMovement: false, lockTask: task(), lockSettlement: confirmed }, found: gone },
      [payoutLost, 'transaction', 'lockTask task', 'lockSettlement settlement', dropped(), nothingUndone],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(await written(given)).toEqual(lines)
  })
})
