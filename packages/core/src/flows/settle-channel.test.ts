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
import { linesOf, scriptedNow } from '../testing/scripted-deps.ts'
import { cancelTold, event, eventOf, type Lines } from '../testing/scripted-lines.ts'
import { settleChannels } from './channel-duties.ts'

/** The order of this number is written down, sent, and fails. */
const failed = (id: number): Lines => [
  ...ordered(id),
  ...sent(`#${String(id)}`),
  'transaction',
  `endOrder #${String(id)} failed now`,
]

/** An order that pays the worker and leaves the rest where it is. */
const paying = { ...order, act: 'pay' }
const paid = (settled: bigint) => ({ settled, txHash: 'paid before', slot: 7n, at: scriptedNow })
const sharedOut = (id: number): Lines => [
  'payChannel channel {settled:600n,txHash:signed,slot:8n,at:now}',
  postedOf(id, ['channel:channel', -600n], ['wallet:address', 522n], ['operator', 78n]),
  moneyMoved(id + 1, 'settle', 600n, 'from:payer,to:channel', 'signed'),
  moneyMoved(id + 2, 'disburse_worker', 522n, 'from:channel,to:address', 'signed'),
  moneyMoved(id + 3, 'disburse_fee', 78n, 'from:channel,to:service', 'signed'),
]
const told = (id: number): string => event(id, 'payment.released', payOfChannel('signed'))
const restOf = (id: number): Lines => [
  settledAt(900n, 600n, '0xended'),
  postedOf(id, ['channel:channel', -300n], ['wallet:payer', 300n]),
  moneyMoved(id + 1, 'refund', 300n, 'from:channel,to:payer', '0xended'),
]
/** One after the other, each time it is asked. */
const nextOf = <T>(values: readonly T[]) => {
  const left = [...values]
  return () => left.shift()
}

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
    [
      'by what brings its newest voucher, and then by the rest',
      { script: { openOrder: nextOf([{ ...order, act: 'bring' }, null]) } },
      1,
      [
        ...leased,
        ...sent('order'),
        'transaction',
        'endOrder order landed now',
        'openOrder channel',
        ...ordered(1),
        ...sent('#1'),
        ...lockedToEnd,
        'endOrder #1 landed now',
        ...paidOutAndTold(2, 'signed'),
      ],
    ],
    [
      'later, while its payer has no account, and its worker is paid at once',
      { script: { openOrder: paying } },
      0,
      [...leased, ...sent('order'), ...lockedToEnd, 'endOrder order landed now', ...sharedOut(1), told(5), ...later],
    ],
    [
      'later, while its payer has no account, and its session is over',
      { script: { openOrder: paying }, task: { status: 'accepted', evidenceRequired: [] } },
      0,
      [
        ...leased,
        ...sent('order'),
        ...lockedToEnd,
        'endOrder order landed now',
        ...sharedOut(1),
        told(5),
        'moveTask task completed now {paymentTx:signed,paymentBlock:8n,captured:600n}',
        'countCompleted executor',
        event(6, 'task.completed', `executor_id:executor,bounty_usd:0.0006,${onSolana('signed')}`),
        ...later,
      ],
    ],
    [
      'later, while its payer has no account, and its work is approved',
      {
        script: {
          openOrder: paying,
          lockChannel: { ...leaving, closing: { ...closing, reason: 'approve', submissionId: 'submission' } },
        },
      },
      0,
      [
        ...leased,
        ...sent('order'),
        ...lockedToEnd,
        'endOrder order landed now',
        ...sharedOut(1),
        'moveTask task completed now {escrowStatus:none,paymentTx:signed,paymentBlock:8n,captured:600n}',
        'decideSubmission submission {status:approved,at:now,paymentTx:signed}',
        'countCompleted executor',
        eventOf(5, 'submission.approved', 'submission_id:submission,payment_tx:signed'),
        eventOf(6, 'payment.released', payOfChannel('signed')),
        eventOf(7, 'task.completed', `executor_id:executor,bounty_usd:0.0006,${onSolana('signed')}`),
        ...later,
      ],
    ],
    [
      'later, where another party settled more after its worker was paid',
      { script: { openOrder: paying, lockChannel: { ...leaving, paid: paid(200n) } } },
      0,
      [
        ...leased,
        ...sent('order'),
        ...lockedToEnd,
        'endOrder order landed now',
        'payChannel channel {settled:600n,txHash:signed,slot:8n,at:now}',
        postedOf(1, ['channel:channel', -400n], ['wallet:address', 348n], ['operator', 52n]),
        moneyMoved(2, 'settle', 400n, 'from:payer,to:channel', 'signed'),
        moneyMoved(3, 'disburse_worker', 348n, 'from:channel,to:address', 'signed'),
        moneyMoved(4, 'disburse_fee', 52n, 'from:channel,to:service', 'signed'),
        ...later,
      ],
    ],
    [
      'where it did not end meanwhile, its worker paid',
      { script: { openOrder: paying, lockChannel: channel({ status: 'settled' }) } },
      0,
      [...leased, ...sent('order'), ...lockedToEnd, 'endOrder order landed now', ...later],
    ],
    [
      'with the rest alone, where its worker was paid before',
      { state: 'gone', script: { lockChannel: { ...leaving, paid: paid(600n) } } },
      1,
      [...leased, ...lockedToEnd, ...restOf(1)],
    ],
    [
      'with the rest alone, and its task, which is cancelled',
      {
        state: 'gone',
        task: { status: 'accepted' },
        script: { lockChannel: { ...leaving, paid: paid(600n), closing: { ...closing, reason: 'cancel' } } },
      },
      1,
      [
        ...leased,
        ...lockedToEnd,
        ...restOf(1),
        'moveTask task cancelled now {refundTx:0xended}',
        cancelTold(3, '0xended'),
      ],
    ],
    [
      'later, and not so soon, where its worker was paid before',
      {
        order: null,
        script: { leaseChannels: [{ channel: { ...leaving, paid: paid(600n) }, isTaskOver: false }] },
      },
      0,
      [...leased, 'transaction', 'channelDueAt channel closing 2026-11-21T12:10:00.000Z'],
    ],
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
