import { describe, expect, test } from 'vitest'
import type { Task } from '../tasks/task.ts'
import {
  channel,
  closing,
  endStage,
  ended,
  later,
  leased,
  leaving,
  lockedToEnd,
  moneyMoved,
  onSolana,
  order,
  ordered,
  paidOut,
  paidOutAndTold,
  payOfChannel,
  postedOf,
  sent,
  settledAt,
  type EndGiven,
} from '../testing/scripted-channel-ends.ts'
import { linesOf } from '../testing/scripted-deps.ts'
import { cancelTold, event, eventOf, type Lines } from '../testing/scripted-lines.ts'
import { settleChannels } from './channel-duties.ts'

/** The order of this number is written down, sent, and fails. */
const failed = (id: number): Lines => [
  ...ordered(id),
  ...sent(`#${String(id)}`),
  'transaction',
  `endOrder #${String(id)} failed now`,
]

describe('the end of a channel is carried on', () => {
  test.each<[string, EndGiven, number, Lines]>([
    [
      'by a transaction that is written down first',
      {},
      1,
      [
        ...leased,
        ...ordered(1),
        ...sent('#1'),
        ...lockedToEnd,
        'endOrder #1 landed now',
        ...paidOutAndTold(2, 'signed'),
      ],
    ],
    [
      'by the one that was written down',
      { script: { openOrder: order } },
      1,
      [...leased, ...sent('order'), ...lockedToEnd, 'endOrder order landed now', ...paidOutAndTold(1, 'signed')],
    ],
    [
      'later, while nobody knows what became of it',
      { fate: { state: 'unknown' } },
      0,
      [...leased, ...ordered(1), ...sent('#1'), ...later],
    ],
    [
      'by another, once one failed',
      { fate: { state: 'failed' } },
      0,
      [
        ...leased,
        ...failed(1),
        'openOrder channel',
        ...failed(2),
        'openOrder channel',
        ...failed(3),
        'openOrder channel',
        ...failed(4),
        ...later,
      ],
    ],
    ['later, where it cannot be yet', { order: null }, 0, [...leased, ...later]],
    [
      'by another process, which began first',
      { script: { insertOrder: false } },
      0,
      [...leased, ...ordered(1), ...later],
    ],
    [
      'where it did not end meanwhile',
      { script: { lockChannel: channel({ status: 'settled' }) } },
      0,
      [...leased, 'transaction', 'lockChannel task', ...later],
    ],
    [
      'as the ledger shows it',
      { state: 'distributed' },
      1,
      [...leased, ...lockedToEnd, ...paidOutAndTold(1, '0xended')],
    ],
    [
      'as the ledger shows it, when it is gone',
      { state: 'gone' },
      1,
      [...leased, ...lockedToEnd, ...paidOutAndTold(1, '0xended')],
    ],
    ['later, where the ledger does not show it', { state: 'gone', endOf: null }, 0, [...leased, ...later]],
    ['later, while the ledger cannot be read', { fault: 'channel_unreadable' }, 0, [...leased, ...later]],
    ['later, while an account is frozen', { fault: 'WORKER_USDC_ATA_MISSING' }, 0, [...leased, ...later]],
    [
      'with more in it than we knew, and nothing for its worker',
      { state: 'gone', endOf: { ...ended, settled: 0n, deposit: 1_000n } },
      1,
      [
        ...leased,
        ...lockedToEnd,
        settledAt(1_000n, 0n, '0xended'),
        postedOf(1, ['wallet:payer', -100n], ['channel:channel', 100n]),
        postedOf(2, ['channel:channel', -1_000n], ['wallet:payer', 1_000n]),
        moneyMoved(3, 'refund', 1_000n, 'from:channel,to:payer', '0xended'),
      ],
    ],
    [
      'with its task, which is cancelled',
      {
        state: 'gone',
        task: { status: 'accepted' },
        script: { lockChannel: { ...leaving, closing: { ...closing, reason: 'cancel' } } },
      },
      1,
      [
        ...leased,
        ...lockedToEnd,
        ...paidOutAndTold(1, '0xended'),
        'moveTask task cancelled now {refundTx:0xended}',
        cancelTold(7, '0xended'),
      ],
    ],
    [
      'with its task, which is over',
      {
        state: 'gone',
        task: { status: 'expired' },
        script: { lockChannel: { ...leaving, closing: { ...closing, reason: 'cancel' } } },
      },
      1,
      [...leased, ...lockedToEnd, ...paidOutAndTold(1, '0xended'), 'changeTask task {refundTx:0xended} now'],
    ],
    [
      'with its work, which is approved',
      {
        state: 'gone',
        script: { lockChannel: { ...leaving, closing: { ...closing, reason: 'approve', submissionId: 'submission' } } },
      },
      1,
      [
        ...leased,
        ...lockedToEnd,
        ...paidOut(1, '0xended'),
        'moveTask task completed now {escrowStatus:none,paymentTx:0xended,paymentBlock:8n,captured:600n}',
        'decideSubmission submission {status:approved,at:now,paymentTx:0xended}',
        'countCompleted executor',
        eventOf(6, 'submission.approved', 'submission_id:submission,payment_tx:0xended'),
        eventOf(7, 'payment.released', payOfChannel('0xended')),
        eventOf(8, 'task.completed', `executor_id:executor,bounty_usd:0.0006,${onSolana('0xended')}`),
      ],
    ],
  ])('%s', async (_what, given, done, lines) => {
    const { deps, asked } = endStage(given)
    expect(await settleChannels(deps)).toEqual(done)
    expect(linesOf(asked)).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    await expect(settleChannels(endStage({ fault: 'down' }).deps)).rejects.toThrow('down')
  })
})

describe('a session ends with its channel', () => {
  const session = (status: Task['status']) => ({ status, evidenceRequired: [] })
  const kept = '{paymentTx:0xended,paymentBlock:8n,captured:600n}'
  test.each<[string, EndGiven, Lines]>([
    [
      'as paid, where time was accepted',
      { task: session('accepted') },
      [
        ...paidOutAndTold(1, '0xended'),
        `moveTask task completed now ${kept}`,
        'countCompleted executor',
        event(7, 'task.completed', `executor_id:executor,bounty_usd:0.0006,${onSolana('0xended')}`),
      ],
    ],
    [
      'as it was, where it is over',
      { task: session('completed') },
      [...paidOutAndTold(1, '0xended'), `changeTask task ${kept} now`],
    ],
    [
      'as cancelled, where none was',
      { task: session('accepted'), endOf: { ...ended, settled: 0n } },
      [
        settledAt(900n, 0n, '0xended'),
        postedOf(1, ['channel:channel', -900n], ['wallet:payer', 900n]),
        moneyMoved(2, 'refund', 900n, 'from:channel,to:payer', '0xended'),
        'moveTask task cancelled now {refundTx:0xended}',
        cancelTold(3, '0xended'),
      ],
    ],
  ])('%s', async (_what, given, lines) => {
    const { deps, asked } = endStage({ state: 'gone', ...given })
    await settleChannels(deps)
    expect(linesOf(asked)).toEqual([...leased, ...lockedToEnd, ...lines])
  })
})
