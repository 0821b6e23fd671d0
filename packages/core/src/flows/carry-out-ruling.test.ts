import { describe, expect, test } from 'vitest'
import type { Task } from '../tasks/task.ts'
import { linesOf, scriptedNow, type Script } from '../testing/scripted-deps.ts'
import { decided, endedForPayer, endedForWorker } from '../testing/scripted-disputes.ts'
import type { Lines } from '../testing/scripted-lines.ts'
import { dispute, heldTask, moved, payment, placeOn } from '../testing/scripted-money.ts'
import { carryOutRuling } from './carry-out-ruling.ts'

const now = scriptedNow
const timer = { taskId: 'task', kind: 'ruling_end', dueAt: now } as never
const ruling = (change: object = {}) => ({
  id: 'ruling',
  disputeId: 'dispute',
  status: 'standing',
  verdict: 'refund',
  splitPct: null,
  reason: 'By what was asked for.',
  appealUntil: now,
  ...change,
})

const asRuled = { verdict: 'refund', splitPct: null, reason: 'By what was asked for.' } as const

const paidAllTheSame = 'The publisher paid the worker on chain.'
async function carried(task: Partial<Task> | null, script: Script = {}): Promise<readonly string[]> {
  const held = task === null ? null : heldTask({ status: 'disputed', escrowStatus: 'refunded', ...task })
  const view = {
    ...dispute({ status: 'open', resolution: null }),
    publisherWallet: 'payer',
    workerWallet: 'receiver',
    executorId: 'executor',
  }
  const one = placeOn(heldTask(), {
    lockTask: held,
    lockRulingOf: ruling(),
    lockDispute: view,
    dispute: view,
    escrowPayment: null,
    meterTerms: null,
    ...script,
  })
  await carryOutRuling(one.deps, timer)
  return linesOf(one.asked)
}

const looked: Lines = ['transaction', 'lockTask task', 'lockRulingOf task', 'hasOpenSettlement task']
const carriedOut: Lines = [
  ...looked,
  'dispute dispute',
  'escrowPayment task',
  'meterTerms task',
  'transaction',
  ...decided('refund'),
]
const timerDropped = 'dropTimer {taskId:task,kind:ruling_end,dueAt:now}'

describe('a ruling that nobody appealed', () => {
  test.each<[string, Partial<Task> | null, Script, Lines]>([
    ['is carried out', {}, {}, [...carriedOut, ...endedForPayer, 'dispute dispute']],
    [
      'for a publisher that paid the worker on chain all the same is decided for the worker',
      { escrowStatus: 'released' },
      { escrowPayment: payment, movements: [moved('captured')] },
      [
        ...[...looked, 'dispute dispute', 'escrowPayment task', 'transaction'],
        ...decided('release').map((line) => line.replace('By what was asked for.', paidAllTheSame)),
        ...endedForWorker('0xcaptured', 10_000_000n),
        'dispute dispute',
      ],
    ],
    ['is tried again, where it cannot be paid now', { escrowStatus: 'releasing' }, {}, carriedOut],
    ['waits for its time', {}, { lockRulingOf: ruling({ appealUntil: new Date(now.getTime() + 1) }) }, looked],
    ['waits for money under way', {}, { hasOpenSettlement: true }, looked],
    ['waits for a publisher that owes it', { turn: { kind: 'owed' } as never }, {}, looked],
    [
      'that was appealed has no timer',
      {},
      { lockRulingOf: ruling({ status: 'appealed' }) },
      ['transaction', 'lockTask task', 'lockRulingOf task', timerDropped],
    ],
    [
      'that is not there has no timer',
      {},
      { lockRulingOf: null },
      ['transaction', 'lockTask task', 'lockRulingOf task', timerDropped],
    ],
    ['of a task that is not there has no timer', null, {}, ['transaction', 'lockTask task', timerDropped]],
    [
      'ends with its task, as carried out',
      { status: 'completed' },
      { lockDispute: dispute({ status: 'resolved', resolution: asRuled }) },
      [...looked, 'lockDispute dispute', 'endRuling ruling executed now', timerDropped],
    ],
    ...[
      { ...asRuled, verdict: 'release' as const },
      { ...asRuled, splitPct: 40 },
      { ...asRuled, reason: 'Publisher and worker settled it between themselves.' },
    ].map((resolution): [string, Partial<Task>, Script, Lines] => [
      `ends with its task, as overtaken by ${JSON.stringify(resolution)}`,
      { status: 'completed' },
      { lockDispute: dispute({ status: 'resolved', resolution }) },
      [...looked, 'lockDispute dispute', 'endRuling ruling overtaken now', timerDropped],
    ]),
    [
      'ends with its task, as overtaken',
      { status: 'expired' },
      { lockDispute: dispute({ status: 'expired' }) },
      [...looked, 'lockDispute dispute', 'endRuling ruling overtaken now', timerDropped],
    ],
    [
      'ends with its task, of no dispute',
      { status: 'expired' },
      { lockDispute: null },
      [...looked, 'lockDispute dispute', 'endRuling ruling overtaken now', timerDropped],
    ],
  ])('%s', async (_what, task, script, lines) => {
    expect(await carried(task, script)).toEqual(lines)
  })
  test('a fault of ours is not hidden', async () => {
    const dispute = (): never => {
      throw new Error('down')
    }
    await expect(carried({}, { dispute })).rejects.toThrow('down')
  })
})
