import { describe, expect, test } from 'vitest'
import { scriptedNow } from '../testing/scripted-deps.ts'
import { failureTold, posted, type Lines, type Posting } from '../testing/scripted-lines.ts'
import {
  booked,
  distribution,
  nothingUndone,
  seen,
  strayClaimed,
  written,
  type Given,
} from '../testing/scripted-logs.ts'
import { authorize, capture, heldTask, payment, settlementOf } from '../testing/scripted-money.ts'

const longAgo = new Date(scriptedNow.getTime() - 60_000)
const lock = settlementOf('lock', authorize, { submissionId: null })
const known = { knownPayments: [{ payment, lock: { ...lock, status: 'confirmed' } }] }
const lost = booked({ blockNumber: 4n, missingSince: longAgo })
const release = { ...settlementOf('release', capture()), status: 'confirmed' }

const payoutUndone: readonly Posting[] = [
  ['escrow:hash', 10_000_000n],
  ['wallet:receiver', -8_700_000n],
  ['operator', -1_300_000n],
]
const refundUndone: readonly Posting[] = [
  ['escrow:hash', 10_000_000n],
  ['wallet:payer', -10_000_000n],
]
const lockUndone: readonly Posting[] = [
  ['wallet:payer', 10_000_000n],
  ['escrow:hash', -10_000_000n],
]

type Log = {
  readonly kind?: string
  readonly txHash?: string
  readonly block?: number
  readonly taskId?: null
  readonly since?: string
}
/** The booked log, in the words of `linesOf`. */
function logOf({ kind = 'captured', txHash = `0x${kind}`, block = 4, ...of }: Log): string {
  const place = `txHash:${txHash},blockNumber:${String(block)}n,logIndex:1`
  const feeBps = kind === 'captured' ? '1300' : 'null'
  const since = of.since ?? '2026-11-21T11:59:00.000Z'
  return (
    `{network:localnet,${place},hash:hash,kind:${kind},atomic:10000000n,feeBps:${feeBps},` +
    `taskId:${of.taskId === null ? 'null' : 'task'},settlementId:settlement,missingSince:${since}}`
  )
}
const missed = (log: Log): string => `missMovement ${logOf(log)} now`
const movedOn = (log: Log = {}): string => `moveMovement ${logOf(log)} {blockNumber:8n,logIndex:5}`
const dropped = (log: Log = {}): string => `dropMovement ${logOf(log)}`

const captureGone =
  'reportFindings [undone:localnet] [{kind:reorged,scope:undone:localnet,subject:0xcaptured:1,taskId:task,' +
  'settlementId:settlement,network:localnet,asset:null,atomic:10000000n,' +
  'detail:what was captured in 0xcaptured is no longer on chain}] now'
const payoutLost = (taskId: 'task' | null = 'task'): string =>
  'reportFindings [lost:localnet:hash] [{scope:lost:localnet:hash,kind:reorged,subject:hash,' +
  `taskId:${String(taskId)},settlementId:settlement,network:localnet,asset:USDC,atomic:10000000n,` +
  'detail:the payout of 0xcaptured was undone with its block, and nothing is held to pay it from}] now'
const lockedToUnbook: Lines = ['settlement task release', 'transaction', 'lockTask task', 'movements localnet hash']
const looked: Lines = ['knownPayments localnet [hash]', ...lockedToUnbook]
const payoutLooked: Lines = ['knownPayments localnet [hash]', payoutLost(), ...lockedToUnbook]

describe('a booked log that is not where it was', () => {
  test.each<[string, Given, Lines]>([
    [
      'and is one that the chain shows',
      { script: { bookedMovements: [booked()] }, window: { movements: [seen('captured')] } },
      [nothingUndone],
    ],
    [
      'is looked for, and its first look written down',
      { script: { bookedMovements: [booked()] } },
      ['transaction', missed({ block: 7, since: 'null' }), captureGone],
    ],
    [
      'and was written down late is looked for',
      { script: { bookedMovements: [booked({ missingSince: new Date(0) })] } },
      ['transaction', missed({ block: 7, since: '1970-01-01T00:00:00.000Z' }), captureGone],
    ],
    [
      'and was booked before logs were counted is left',
      { script: { bookedMovements: [booked({ logIndex: -1 })] } },
      [nothingUndone],
    ],
    [
      'and lies behind the window is left',
      { script: { bookedMovements: [booked({ blockNumber: 10n })] } },
      [nothingUndone],
    ],
    [
      'and lies behind the window, but is missing, is looked for',
      { script: { bookedMovements: [booked({ blockNumber: 10n, missingSince: longAgo })] } },
      [captureGone],
    ],
    ['says nothing while its chain cannot be read', { script: { bookedMovements: [lost] }, place: 'unread' }, []],
    [
      'is moved to where it was mined again',
      { script: { bookedMovements: [lost], moveMovement: true }, place: { blockNumber: 8n, logIndex: 5 } },
      ['transaction', movedOn(), nothingUndone],
    ],
    [
      'is moved to where it was mined again, though nobody missed it meanwhile',
      {
        script: { bookedMovements: [booked({ blockNumber: 6n })], moveMovement: true },
        window: { movements: [seen('captured', { blockNumber: 8n })] },
      },
      ['transaction', `moveMovement ${logOf({ block: 6, since: 'null' })} {blockNumber:8n,logIndex:1}`, nothingUndone],
    ],
    [
      'is missing no longer where the window shows it',
      {
        script: { bookedMovements: [booked({ missingSince: longAgo })], moveMovement: true },
        window: { movements: [seen('captured')] },
      },
      ['transaction', `moveMovement ${logOf({ block: 7 })} {blockNumber:7n,logIndex:1}`, nothingUndone],
    ],
    [
      'and is booked there as well is one too many',
      {
        script: { bookedMovements: [lost], moveMovement: false, dropMovement: true, ...known },
        place: { blockNumber: 8n, logIndex: 5 },
      },
      [
        'transaction',
        movedOn(),
        'knownPayments localnet [hash]',
        'transaction',
        'lockTask task',
        dropped(),
        posted(1, payoutUndone),
        nothingUndone,
      ],
    ],
    [
      'and is booked there as well, of no task',
      {
        script: {
          bookedMovements: [booked({ taskId: null, missingSince: longAgo })],
          moveMovement: false,
          dropMovement: true,
          ...known,
        },
        place: { blockNumber: 8n, logIndex: 5 },
      },
      [
        'transaction',
        movedOn({ block: 7, taskId: null }),
        'knownPayments localnet [hash]',
        'transaction',
        dropped({ block: 7, taskId: null }),
        posted(1, payoutUndone, null),
        nothingUndone,
      ],
    ],
    [
      'and is booked there as well, of a payment nobody knows',
      {
        script: { bookedMovements: [lost], moveMovement: false, knownPayments: [] },
        place: { blockNumber: 8n, logIndex: 5 },
      },
      ['transaction', movedOn(), 'knownPayments localnet [hash]', captureGone],
    ],
    [
      'is not lost in a block that may be brought back',
      { script: { bookedMovements: [booked({ blockNumber: 6n, missingSince: longAgo })], ...known } },
      [captureGone],
    ],
    [
      'is not lost within a minute',
      {
        script: {
          bookedMovements: [booked({ blockNumber: 4n, missingSince: new Date(longAgo.getTime() + 1) })],
          ...known,
        },
      },
      [captureGone],
    ],
    [
      'of a payment nobody knows stays',
      { script: { bookedMovements: [lost], knownPayments: [] } },
      ['knownPayments localnet [hash]', captureGone],
    ],
    [
      'of a payment that cannot be read stays',
      { script: { bookedMovements: [lost], ...known }, movements: null },
      ['knownPayments localnet [hash]', captureGone],
    ],
    [
      'was unbooked by another process',
      { script: { bookedMovements: [lost], movements: [], ...known } },
      [...payoutLooked, nothingUndone],
    ],
    [
      'is turned round, and the payout that never was is a finding',
      {
        script: {
          bookedMovements: [lost],
          movements: [lost],
          dropMovement: true,
          lockTask: heldTask({ status: 'completed', escrowStatus: 'released', paymentTx: '0xcaptured' }),
          settlement: null,
          ...known,
        },
      },
      [
        ...payoutLooked,
        dropped(),
        posted(1, payoutUndone),
        'changeTask task {paymentTx:null,paymentBlock:null,feeTx:null} now',
        failureTold(2, 'SETTLEMENT_FAILED'),
        nothingUndone,
      ],
    ],
    [
      'is turned round, and what is held still pays it',
      {
        script: {
          bookedMovements: [lost],
          movements: [lost],
          dropMovement: true,
          lockTask: heldTask({ status: 'completed', escrowStatus: 'released', paymentTx: '0xother' }),
          settlement: release,
          claimSettlement: true,
          lockSettlement: release,
          ...known,
        },
        movements: [seen('authorized')],
      },
      [
        ...looked,
        strayClaimed(1, 'capture,order:null', 'hash:0xcaptured'),
        dropped(),
        posted(2, payoutUndone),
        'changeTask task {} now',
        failureTold(3, 'SETTLEMENT_FAILED'),
        'transaction',
        'lockSettlement #1',
        nothingUndone,
      ],
    ],
    [
      'is turned round where it was a refund',
      {
        script: {
          bookedMovements: [
            booked({ kind: 'voided', txHash: '0xvoided', feeBps: null, blockNumber: 4n, missingSince: longAgo }),
          ],
          movements: [booked({ kind: 'voided', txHash: '0xvoided' })],
          dropMovement: true,
          lockTask: heldTask({ status: 'cancelled', escrowStatus: 'refunded', refundTx: '0xvoided' }),
          settlement: null,
          claimSettlement: true,
          ...known,
        },
        movements: [seen('authorized')],
      },
      [
        ...looked,
        strayClaimed(1, 'void', 'hash:0xvoided'),
        dropped({ kind: 'voided' }),
        posted(2, refundUndone),
        'changeTask task {refundTx:null} now',
        failureTold(3, 'SETTLEMENT_FAILED'),
        'transaction',
        'lockSettlement #1',
        nothingUndone,
      ],
    ],
    [
      'is turned round where it was a lock',
      {
        script: {
          bookedMovements: [
            booked({ kind: 'authorized', txHash: '0xlock', feeBps: null, blockNumber: 4n, missingSince: longAgo }),
          ],
          movements: [booked({ kind: 'authorized', txHash: '0xlock' })],
          dropMovement: true,
          lockTask: heldTask({ status: 'accepted', escrowStatus: 'authorized' }),
          settlement: null,
          lockSettlement: { ...lock, status: 'confirmed' },
          ...known,
        },
      },
      [
        ...looked,
        'lockSettlement settlement',
        'endSettlement settlement {status:refused,code:LOCK_REVERTED,' +
          'watchUntil:2026-11-21T12:06:00.000Z,dueAt:now} now',
        'escrowPayment task',
        'changeTask task {escrowStatus:refunded} now',
        dropped({ kind: 'authorized', txHash: '0xlock' }),
        posted(1, lockUndone),
        'changeTask task {} now',
        failureTold(2, 'SETTLEMENT_FAILED'),
        nothingUndone,
      ],
    ],
    [
      'is turned round where it was of no task',
      {
        script: {
          bookedMovements: [booked({ taskId: null, blockNumber: 4n, missingSince: longAgo })],
          dropMovement: true,
          settlement: null,
          ...known,
        },
      },
      [
        'knownPayments localnet [hash]',
        payoutLost(null),
        'settlement task release',
        'transaction',
        dropped({ taskId: null }),
        posted(1, payoutUndone, null),
        nothingUndone,
      ],
    ],
    [
      'is turned round once',
      {
        script: {
          bookedMovements: [lost],
          movements: [lost],
          dropMovement: false,
          lockTask: heldTask({ status: 'completed', escrowStatus: 'released' }),
          settlement: null,
          ...known,
        },
      },
      [...payoutLooked, dropped(), 'changeTask task {} now', failureTold(1, 'SETTLEMENT_FAILED'), nothingUndone],
    ],
  ])('%s', async (_what, given, lines) => {
    expect(await written(given)).toEqual(lines)
  })
})

test('fees that were undone beside a lost log are unbooked in the same round', async () => {
  const script = { bookedMovements: [booked()], bookedDistributions: [distribution], dropDistribution: true }
  expect((await written({ script })).filter((line) => line.startsWith('post'))).toEqual([
    posted(
      1,
      [
        ['operator', 1_300_000n],
        ['treasury', -1_300_000n],
      ],
      null,
    ),
  ])
})
