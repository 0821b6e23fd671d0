import { describe, expect, test } from 'vitest'
import type { Landed } from '../ports/rail.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import { linesOf, type Script } from '../testing/scripted-deps.ts'
import {
  asAgreed,
  cancelTold,
  completed,
  disputeClosed,
  disputeResolved,
  endedAs,
  event,
  landing,
  logged,
  paymentKept,
  payTold,
  refundTold,
  rejected,
  six,
  ten,
  workTold,
  type Lines,
} from '../testing/scripted-lines.ts'
import {
  capture,
  charge,
  dispute,
  giveBackOf,
  heldTask,
  moved,
  offer,
  placeOn,
  settlementOf,
  submission,
} from '../testing/scripted-money.ts'
import { confirmSettlement } from './confirm.ts'

type Case = {
  readonly settlement: Settlement
  readonly task?: Partial<Task>
  readonly script?: Script
  readonly landed?: Partial<Landed>
}

/** What is written besides the books; not what is read. */
async function confirmed({ settlement, task = {}, script = {}, landed = {} }: Case): Promise<readonly string[]> {
  const held = heldTask({ status: 'disputed', ...task })
  const { deps, asked } = placeOn(held, {
    lockTask: held,
    lockSettlement: settlement,
    lockDisputeOf: dispute(),
    ...script,
  })
  expect(await confirmSettlement(deps, settlement, { ...landing, ...landed })).toBe('confirmed')
  return linesOf(asked)
    .slice(4)
    .filter(
      (line) =>
        !/^(post|addPaymentEvent|lock\w+|movements|hasOpenSettlement|taskWords|pendingApplications) /.test(line),
    )
}

const award = settlementOf('award', capture(6_000_000n))
const whole = settlementOf('award', capture())
const remainder = settlementOf('remainder', giveBackOf(4_000_000n))
const back = settlementOf('return', giveBackOf())
const stepdown = settlementOf('stepdown', giveBackOf(), { submissionId: null })
const byOffer = { offerId: 'offer' }
const agreed = { lockOffer: offer() }
const before = { txHash: '0xbefore', blockNumber: 7n, logIndex: 1 }
const paid = { movements: [moved('authorized'), moved('captured', 6_000_000n, { txHash: before.txHash })] }

describe('what was decided is on chain', () => {
  test.each<[string, Case, Lines]>([
    [
      'the worker has all of it',
      { settlement: whole },
      [
        logged('captured', 10_000_000n),
        ...completed({ captured: 10_000_000n }),
        ...workTold(4, ten),
        ...disputeResolved(7),
      ],
    ],
    [
      'the worker has its share, and the rest is under way',
      { settlement: award, script: { ...paid, hasOpenSettlement: true } },
      [
        logged('captured', 6_000_000n),
        ...completed({ escrowStatus: 'refunding', captured: 6_000_000n }),
        ...workTold(4, six),
      ],
    ],
    [
      'the worker has its share, at the share that was kept then',
      { settlement: award, script: paid, landed: { feeBps: 1_000 } },
      [
        logged('captured', 6_000_000n, { feeBps: 1_000 }),
        ...completed({ captured: 6_000_000n }),
        ...workTold(4, { whole: 6_000_000n, worker: 5_400_000n, fee: 600_000n }),
        ...disputeResolved(7),
      ],
    ],
    [
      'the worker has what was agreed on, and the rest is under way',
      { settlement: { ...award, ...byOffer }, script: { ...paid, ...agreed, hasOpenSettlement: true } },
      [
        logged('captured', 6_000_000n),
        ...completed({ escrowStatus: 'refunding', captured: 6_000_000n }),
        ...workTold(4, six),
      ],
    ],
    [
      'the worker has what was agreed on, and nothing is left',
      { settlement: { ...whole, ...byOffer }, script: agreed },
      [
        logged('captured', 10_000_000n),
        ...completed(),
        ...workTold(4, ten),
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
        ...disputeResolved(7, asAgreed),
      ],
    ],
    [
      'the worker has what was agreed on for a job that was called off',
      {
        settlement: { ...award, ...byOffer, submissionId: null },
        task: { status: 'accepted' },
        script: { ...paid, ...agreed },
      },
      [
        logged('captured', 6_000_000n),
        payTold(4, six),
        endedAs('cancelled', { captured: 6_000_000n }),
        cancelTold(5, null),
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
      ],
    ],
    [
      'the worker has what was agreed on for a task that is over',
      {
        settlement: { ...award, ...byOffer, submissionId: null },
        task: { status: 'expired' },
        script: { ...paid, ...agreed },
      },
      [
        logged('captured', 6_000_000n),
        paymentKept({ captured: 6_000_000n }),
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
      ],
    ],
    [
      'the payer has the rest',
      { settlement: remainder, task: { status: 'completed' }, script: paid },
      [
        logged('voided', 4_000_000n),
        refundTold(3, 4_000_000n),
        'changeTask task {escrowStatus:released,refundTx:0xlanded} now',
        ...disputeResolved(4),
      ],
    ],
    [
      'the payer has the rest before the worker has its share',
      { settlement: remainder, script: paid },
      [
        logged('voided', 4_000_000n),
        refundTold(3, 4_000_000n),
        ...completed({ at: before, captured: 6_000_000n }),
        ...workTold(4, null, '0xbefore'),
        'changeTask task {escrowStatus:released,refundTx:0xlanded} now',
        ...disputeResolved(6),
      ],
    ],
    [
      'the payer has the rest, and the worker has nothing',
      { settlement: remainder },
      [
        logged('voided', 4_000_000n),
        refundTold(3, 4_000_000n),
        'changeTask task {escrowStatus:released,refundTx:0xlanded} now',
        ...disputeResolved(4),
      ],
    ],
    [
      'the payer has the rest as it was agreed',
      { settlement: { ...remainder, ...byOffer }, task: { status: 'completed' }, script: { ...paid, ...agreed } },
      [
        logged('voided', 4_000_000n),
        refundTold(3, 4_000_000n),
        'changeTask task {escrowStatus:released,refundTx:0xlanded} now',
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
        ...disputeResolved(4, asAgreed),
      ],
    ],
    [
      'the payer has the rest as it was agreed, before the worker has its share',
      { settlement: { ...remainder, ...byOffer }, script: { ...paid, ...agreed } },
      [
        logged('voided', 4_000_000n),
        refundTold(3, 4_000_000n),
        ...completed({ at: before, captured: 6_000_000n }),
        ...workTold(4, null, '0xbefore'),
        'changeTask task {escrowStatus:released,refundTx:0xlanded} now',
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
        ...disputeResolved(6, asAgreed),
      ],
    ],
    [
      'the payer has all of it',
      { settlement: back },
      [logged('voided', 10_000_000n), refundTold(3, 10_000_000n), ...rejected(4, 'Half of it.'), ...disputeResolved(5)],
    ],
    [
      'the payer has all of it, of work that was decided',
      {
        settlement: back,
        task: { status: 'completed' },
        script: { lockSubmission: submission({ status: 'approved' }), lockDisputeOf: dispute({ status: 'resolved' }) },
      },
      [
        logged('voided', 10_000_000n),
        refundTold(3, 10_000_000n),
        'changeTask task {escrowStatus:refunded,refundTx:0xlanded} now',
        cancelTold(4, '0xlanded'),
      ],
    ],
    [
      'the payer has all of it, without a submission',
      { settlement: { ...back, submissionId: null } },
      [
        logged('voided', 10_000_000n),
        refundTold(3, 10_000_000n),
        'moveTask task cancelled now {escrowStatus:refunded,refundTx:0xlanded}',
        cancelTold(4, '0xlanded'),
      ],
    ],
    [
      'the payer has all of it as it was agreed',
      { settlement: { ...back, ...byOffer }, script: agreed },
      [
        logged('voided', 10_000_000n),
        refundTold(3, 10_000_000n),
        ...rejected(4, asAgreed),
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
        ...disputeResolved(5, asAgreed),
      ],
    ],
    [
      'the payer has all of it as it was agreed, of a task that is over',
      {
        settlement: { ...back, ...byOffer },
        task: { status: 'expired' },
        script: { ...agreed, lockSubmission: submission({ status: 'rejected' }), lockDisputeOf: null },
      },
      [
        logged('voided', 10_000_000n),
        refundTold(3, 10_000_000n),
        'changeTask task {escrowStatus:refunded,refundTx:0xlanded} now',
        'endOffer offer settled null now',
        'changeTask task {turn:null} now',
      ],
    ],
    [
      'the payer has all of it as it was agreed, and the offer is settled',
      { settlement: { ...back, ...byOffer }, script: { lockOffer: offer({ status: 'settled' }) } },
      [logged('voided', 10_000_000n), refundTold(3, 10_000_000n), ...rejected(4, asAgreed)],
    ],
    [
      'a worker stepped down',
      { settlement: stepdown, task: { status: 'accepted' } },
      [
        logged('voided', 10_000_000n),
        refundTold(3, 10_000_000n),
        'moveTask task published now {executorId:null,escrowStatus:pending_assignment,escrowTx:null,startBy:null}',
        'clearEscrow task',
        'withdrawApplication task executor',
        event(4, 'task.withdrawn', 'executor_id:executor,refund_tx:0xlanded'),
      ],
    ],
    [
      'a worker stepped down from a task that went on',
      { settlement: stepdown, task: { status: 'verifying' } },
      [logged('voided', 10_000_000n), refundTold(3, 10_000_000n)],
    ],
    ['an award that is no payout says nothing', { settlement: settlementOf('award', giveBackOf()) }, []],
    ['a rest that is no refund says nothing', { settlement: settlementOf('remainder', capture()) }, []],
    ['a return that is no refund says nothing', { settlement: settlementOf('return', charge()) }, []],
    [
      'a refund before another worker that is none says nothing',
      { settlement: settlementOf('stepdown', charge()) },
      [],
    ],
  ])('%s', async (_what, one, lines) => {
    expect(await confirmed(one)).toEqual(lines)
  })

  test('a publisher that pays a disputed task concedes', async () => {
    const release = settlementOf('release', capture())
    const lines = await confirmed({
      settlement: release,
      script: { lockDisputeOf: dispute({ status: 'open', resolution: null }) },
    })
    expect(lines.filter((line) => /Dispute|turn/.test(line))).toEqual([
      'changeDispute dispute {status:resolving,' +
        'resolution:{verdict:release,splitPct:null,reason:The publisher approved the work.},resolvedAt:null}',
      'changeTask task {turn:null} now',
    ])
    const decided = await confirmed({ settlement: release })
    expect(decided.filter((line) => /Dispute|turn/.test(line))).toEqual([
      'changeTask task {turn:null} now',
      disputeClosed(),
    ])
    const over = await confirmed({ settlement: release, task: { status: 'verifying' } })
    expect(over.filter((line) => /Dispute|turn/.test(line))).toEqual([])
    const ended = await confirmed({ settlement: release, task: { status: 'cancelled' } })
    expect(ended.filter((line) => /Task/.test(line))).toEqual([paymentKept()])
  })
})
