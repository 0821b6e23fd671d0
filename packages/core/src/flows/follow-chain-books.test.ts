import { describe, expect, test } from 'vitest'
import {
  booked,
  distribution,
  known,
  lock,
  nothingUndone,
  payout,
  seen,
  spent,
  strayClaimed,
  written,
  type Given,
} from '../testing/scripted-logs.ts'
import {
  byAnother,
  capturedAt,
  completed,
  confirmedAt,
  counted,
  escrowEvent,
  eventOf,
  lockBooked,
  logged,
  onLocalnet,
  paidDirectly,
  payoutBooked,
  payoutByAnother,
  posted,
  ten,
  workTold,
  type Lines,
} from '../testing/scripted-lines.ts'
import { capture, heldTask, payment, settlementOf } from '../testing/scripted-money.ts'

const asked: Lines = [nothingUndone, 'knownPayments localnet [hash]']
const lockedToBook: Lines = [...asked, 'openSettlement task', 'transaction', 'lockTask task']
const logSeen = (what: string, place: string): string =>
  `addMovement {network:localnet,${place},hash:hash,${what},lock:null} {taskId:task,settlementId:null}`
/** What no order of ours brought about is booked by its log. */
const captureSeen = (id: number): Lines => [
  logSeen('kind:captured,atomic:10000000n,feeBps:1300,operator:null', 'txHash:0xcaptured,blockNumber:7n,logIndex:1'),
  ...payoutByAnother(id, ten, '0xcaptured'),
]
const lockSeen = (id: number): Lines => [
  logSeen(
    'kind:authorized,atomic:10000000n,feeBps:null,operator:ours',
    'txHash:0xauthorized,blockNumber:7n,logIndex:1',
  ),
  ...lockBooked(id, '0xauthorized', byAnother),
]
const spentAt = { txHash: '0xspent', blockNumber: 7n, logIndex: 3 }
const sweep = (atomic: bigint): string =>
  `{network:localnet,txHash:0xsweep,blockNumber:7n,logIndex:2,asset:USDC,atomic:${String(atomic)}n}`
const sweepBooked = (atomic: bigint): string => `addDistribution ${sweep(atomic)}`
const sweepDropped = `dropDistribution ${sweep(1_300_000n)}`
const sweptToTreasury = (id: number, atomic: bigint): string =>
  posted(
    id,
    [
      ['operator', -atomic],
      ['treasury', atomic],
    ],
    null,
  )

describe('what the chain shows is booked', () => {
  const held = { knownPayments: [known('confirmed')], lockTask: heldTask() }
  const release = settlementOf('release', capture())
  test.each<[string, Given, Lines]>([
    [
      'nothing that is booked',
      { window: { movements: [seen('captured')] }, script: { bookedMovements: [booked()] } },
      [nothingUndone],
    ],
    [
      'what moved of a payment of ours',
      { window: { movements: [seen('captured'), seen('refunded', { logIndex: 2 })] }, script: held },
      [
        ...lockedToBook,
        ...captureSeen(1),
        logSeen(
          'kind:refunded,atomic:10000000n,feeBps:null,operator:null',
          'txHash:0xrefunded,blockNumber:7n,logIndex:2',
        ),
        posted(5, [
          ['refund:hash', -10_000_000n],
          ['wallet:payer', 10_000_000n],
        ]),
        escrowEvent(6, 10_000_000n, '0xrefunded', `type:refund,from:null,to:payer${byAnother}`),
        eventOf(7, 'payment.refunded', `amount_usd:10,${onLocalnet('0xrefunded')}`),
      ],
    ],
    [
      'nothing of a task that is gone',
      { window: { movements: [seen('captured')] }, script: { ...held, lockTask: null } },
      [...lockedToBook],
    ],
    [
      'our own order, with all that belongs to it',
      {
        window: { movements: [seen('captured')] },
        script: { ...held, openSettlement: release, lockSettlement: release },
        found: { state: 'landed', txHash: '0xcaptured', blockNumber: 7n, logIndex: 1, feeBps: 1_300 },
      },
      [
        ...lockedToBook,
        'lockSettlement settlement',
        confirmedAt(capturedAt),
        logged('captured', 10_000_000n, { at: capturedAt }),
        ...payoutBooked(1, ten, '0xcaptured'),
        ...completed({ at: capturedAt }),
        ...counted('approved 4'),
        ...workTold(4, ten, '0xcaptured'),
        'transaction',
        'lockTask task',
        ...captureSeen(7),
      ],
    ],
    [
      'while our own order is not found',
      { window: { movements: [seen('captured')] }, script: { ...held, openSettlement: release } },
      [...lockedToBook, ...captureSeen(1)],
    ],
    [
      'nothing while our own order cannot be read',
      { window: { movements: [seen('captured')] }, script: { ...held, openSettlement: release }, found: null },
      [...asked, 'openSettlement task'],
    ],
    [
      'beside an order of another payment',
      {
        window: { movements: [seen('captured')] },
        script: {
          ...held,
          openSettlement: settlementOf('release', { ...capture(), payment: { ...payment, hash: 'other' } }),
        },
        found: null,
      },
      [...lockedToBook, ...captureSeen(1)],
    ],
    [
      'beside a direct payment',
      { window: { movements: [seen('captured')] }, script: { ...held, openSettlement: payout }, found: null },
      [...lockedToBook, ...captureSeen(1)],
    ],
    [
      'a lock that was given back, and what it holds goes back',
      {
        window: { movements: [seen('authorized')] },
        script: { knownPayments: [known('refused')], claimSettlement: true },
        movements: [seen('authorized')],
      },
      [
        ...asked,
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        'escrowPayment task',
        ...lockSeen(1),
        strayClaimed(4, 'void'),
        'endSettlement settlement {status:refused} now',
        'transaction',
        'lockSettlement #4',
        'openSettlement task',
        'transaction',
        'lockTask task',
        ...lockSeen(5),
      ],
    ],
    [
      'nothing of it while a node does not know the log',
      {
        window: { movements: [seen('authorized')] },
        script: { knownPayments: [known('refused')] },
        movements: [seen('authorized', { logIndex: 9 })],
      },
      asked,
    ],
    [
      'nothing of it while it cannot be read',
      { window: { movements: [seen('authorized')] }, script: { knownPayments: [known('refused')] }, movements: null },
      asked,
    ],
    [
      'a direct payment that was waited for',
      {
        window: { spent: [spent] },
        script: { watchedTransfers: [payout], lockSettlement: payout, lockTask: heldTask({ escrowStatus: 'none' }) },
        found: { state: 'landed', txHash: '0xspent', blockNumber: 7n, logIndex: 3 },
      },
      [
        nothingUndone,
        'transaction',
        'lockTask task',
        'lockSettlement settlement',
        confirmedAt(spentAt),
        ...paidDirectly(1, spentAt),
        'countOrder task',
        ...completed({ escrowStatus: 'none', at: spentAt }),
        ...counted('approved 4'),
        ...workTold(4, ten, '0xspent'),
      ],
    ],
    [
      'nothing of one that cannot be read',
      { window: { spent: [spent] }, script: { watchedTransfers: [payout] }, found: null },
      [nothingUndone],
    ],
    [
      'no direct payment of another',
      {
        window: {
          spent: [
            { ...spent, payer: 'other' },
            { ...spent, nonce: 'other' },
          ],
        },
        script: { watchedTransfers: [payout, lock] },
        found: null,
      },
      [nothingUndone],
    ],
    [
      'fees that went to the treasury',
      { window: { distributions: [distribution] } },
      [nothingUndone, 'transaction', sweepBooked(1_300_000n), sweptToTreasury(1, 1_300_000n)],
    ],
    [
      'fees that were booked before',
      { window: { distributions: [distribution] }, script: { addDistribution: false } },
      [nothingUndone, 'transaction', sweepBooked(1_300_000n)],
    ],
    [
      'fees that went there in another amount',
      { window: { distributions: [{ ...distribution, atomic: 1n }] }, script: { bookedDistributions: [distribution] } },
      [
        nothingUndone,
        'transaction',
        sweepDropped,
        sweptToTreasury(1, -1_300_000n),
        'transaction',
        sweepBooked(1n),
        sweptToTreasury(2, 1n),
      ],
    ],
    [
      'no fees that stand where they stood',
      {
        window: { distributions: [distribution] },
        script: { bookedDistributions: [distribution], addDistribution: false },
      },
      [nothingUndone, 'transaction', sweepBooked(1_300_000n)],
    ],
    [
      'fees that another process unbooked',
      { script: { bookedDistributions: [distribution], dropDistribution: false } },
      [nothingUndone, 'transaction', sweepDropped],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(await written(given)).toEqual(lines)
  })
})

describe('a payment that nobody here knows', () => {
  const held = { payment, authorization: { validAfter: 0n, validBefore: 9n, nonce: 'hash', signature: '0x' } }
  test.each<[string, Given, Lines]>([
    [
      'is for a person to see, where our facilitator sent it',
      { window: { movements: [seen('authorized', { lock: held })] } },
      [
        ...asked,
        'reportFindings [unclaimed:localnet:hash] [{kind:unclaimed,scope:unclaimed:localnet:hash,subject:hash,' +
          'taskId:null,settlementId:null,network:localnet,asset:null,atomic:10000000n,' +
          'detail:our facilitator sent 0xauthorized, and no payment here is hash; payer pays receiver}] now',
      ],
    ],
    ['is that of another, where it did not', { window: { movements: [seen('authorized')] }, sent: [] }, asked],
    [
      'is that of another, where it names another operator',
      { window: { movements: [seen('charged', { operator: 'another' })] } },
      asked,
    ],
    [
      'is seen to, once it left the escrow again',
      { window: { movements: [seen('authorized'), seen('voided', { logIndex: 2 })] } },
      [...asked, 'reportFindings [unclaimed:localnet:hash,unclaimed:localnet:hash] [] now'],
    ],
    [
      'is seen to, where it left later',
      { window: { movements: [seen('voided')] } },
      [...asked, 'reportFindings [unclaimed:localnet:hash] [] now'],
    ],
    [
      'is not spoken of while nobody can tell who sent it',
      { window: { movements: [seen('authorized')] }, sent: null },
      asked,
    ],
  ])('%s', async (_what, given, lines) => {
    expect(await written(given)).toEqual(lines)
  })
})
