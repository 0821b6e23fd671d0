import { describe, expect, test } from 'vitest'
import type { FakeChain } from '../testing/fake-chain.ts'
import { linesOf, refusalOf } from '../testing/scripted-deps.ts'
import {
  awardClaimed,
  decided,
  disputeStage,
  endedForPayer,
  endedForWorker,
  lockedToDecide,
  operator,
  remainderClaimed,
  resolving,
  returnClaimed,
  verdict,
  view,
  type DisputeCase,
} from '../testing/scripted-disputes.ts'
import { byAnother, event, lockBooked, payoutByAnother, type Lines, type Paid } from '../testing/scripted-lines.ts'
import { moved, offer, payment } from '../testing/scripted-money.ts'
import { requireShare, resolveDispute, type ResolveInput } from './resolve.ts'

async function resolved({ input, caller = operator, ...rest }: DisputeCase) {
  const { deps, asked, woken, chain } = disputeStage(rest)
  const answer = await resolveDispute(deps, caller, 'dispute', input)
  const shares = ['receiver', 'payer', 'operator'].map((account) => chain.balance(account))
  const lines = linesOf(asked)
  const begun = lines.indexOf('transaction') + 1
  const end = lines.indexOf('transaction', begun)
  return {
    state: answer.state,
    status: answer.dispute.status,
    shares,
    woken,
    lines: lines.slice(begun, end < 0 ? -1 : end),
  }
}

const capture = (atomic: bigint) => (chain: FakeChain) => void chain.capture(payment.hash, atomic)
/** The chain is read before anything is claimed: the lock, and what its payer paid of it. */
const capturedBefore = (paid: Paid): Lines => [
  onChain('txHash:0x…1,blockNumber:2n,logIndex:1', 'kind:authorized,atomic:10000000n,feeBps:null'),
  ...lockBooked(1, '0x…1', byAnother),
  onChain('txHash:0x…2,blockNumber:3n,logIndex:2', `kind:captured,atomic:${String(paid.whole)}n,feeBps:1300`),
  ...payoutByAnother(4, paid, '0x…2'),
]
const onChain = (place: string, what: string): string =>
  `addMovement {${place},network:localnet,hash:hash,${what}} {taskId:task,settlementId:null}`
/** And an order says where it was read to. */
const after = ',after:{blockNumber:3n,logIndex:2}'
describe('a dispute is decided, and the money moves as decided', () => {
  test.each<[string, DisputeCase, readonly string[], Lines]>([
    [
      'for the worker',
      { input: verdict('release') },
      ['8700000', '0', '1300000'],
      [...decided('release'), awardClaimed(1, 10_000_000n), 'changeTask task {escrowStatus:releasing} now'],
    ],
    [
      'for the payer',
      { input: verdict('refund') },
      ['0', '10000000', '0'],
      [
        ...decided('refund'),
        'ledgerBalance USDC escrow:hash',
        returnClaimed(1, 10_000_000n),
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'for both',
      { input: verdict('split', 40) },
      ['5220000', '4000000', '780000'],
      [
        ...decided('split', 40),
        awardClaimed(1, 6_000_000n),
        remainderClaimed(2, 4_000_000n),
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'for both, after the payer paid a part past us',
      { input: verdict('split', 40), before: capture(1_000_000n) },
      ['5220000', '4000000', '780000'],
      [
        ...decided('split', 40),
        ...capturedBefore({ whole: 1_000_000n, worker: 870_000n, fee: 130_000n }),
        awardClaimed(8, 5_000_000n, after),
        remainderClaimed(9, 4_000_000n, after),
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
    [
      'for both, after the payer paid more than that past us',
      { input: verdict('split', 40), before: capture(7_000_000n) },
      ['6090000', '3000000', '910000'],
      [
        ...decided('split', 40),
        ...capturedBefore({ whole: 7_000_000n, worker: 6_090_000n, fee: 910_000n }),
        remainderClaimed(9, 3_000_000n, after),
        'changeTask task {escrowStatus:refunding} now',
      ],
    ],
    [
      'for the worker, by the operator, whose line is written',
      {
        input: { ...verdict('release'), by: { actor: 'operator', requestId: 'request' } },
        script: { lockOffers: [offer({ status: 'open' })] },
      },
      ['8700000', '0', '1300000'],
      [
        ...lockedToDecide,
        'endOffer offer withdrawn null now',
        event(1, 'settlement.closed', 'offer_id:offer,outcome:withdrawn'),
        resolving('release'),
        'addAudit {actor:operator,requestId:request,reason:By what was asked for.,id:#2,at:now,' +
          'action:dispute.resolve,subject:dispute,before:{status:open,escrow_status:authorized},' +
          'after:{verdict:release,split_pct:null}}',
        'changeTask task {turn:null} now',
        awardClaimed(3, 10_000_000n),
        'changeTask task {escrowStatus:releasing} now',
      ],
    ],
  ])('%s', async (_what, one, shares, lines) => {
    const done = await resolved(one)
    expect([done.state, done.status]).toEqual(['resolved', 'resolved'])
    expect(done.shares.map(String)).toEqual(shares)
    expect(done.lines).toEqual(lines)
    expect(done.woken).toContain('settlements')
  })

  test.each<[string, DisputeCase, Lines]>([
    [
      'for the worker, and it is owed',
      { input: verdict('release'), task: { escrowStatus: 'none' }, script: { escrowPayment: null } },
      [...lockedToDecide, resolving('release'), 'changeTask task {turn:{kind:owed}} now'],
    ],
    [
      'for the payer',
      { input: verdict('refund'), task: { escrowStatus: 'none' }, script: { escrowPayment: null } },
      [...decided('refund'), ...endedForPayer],
    ],
    [
      'for the payer, who has it',
      { input: verdict('refund'), task: { escrowStatus: 'refunded' } },
      [...decided('refund'), ...endedForPayer],
    ],
    [
      'for both, and the payer has it',
      { input: verdict('split', 40), task: { escrowStatus: 'refunded' } },
      [...decided('split', 40), ...endedForPayer],
    ],
    [
      'for the worker, who has it',
      {
        input: verdict('release'),
        task: { escrowStatus: 'released' },
        script: { movements: [moved('authorized'), moved('captured', 9_000_000n)] },
      },
      [...decided('release'), ...endedForWorker('0xcaptured', 9_000_000n)],
    ],
    [
      'for both, and the worker has it',
      { input: verdict('split', 40), task: { escrowStatus: 'released' }, script: { movements: [moved('charged')] } },
      [...decided('split', 40), ...endedForWorker('0xcharged', 10_000_000n)],
    ],
  ])('where nothing is held: %s', async (_what, one, lines) => {
    const done = await resolved(one)
    expect(done.lines).toEqual(lines)
    expect(done.shares).toEqual([0n, 0n, 0n])
  })

  test('it is under way while nobody knows what became of it', async () => {
    const { deps, chain, of } = disputeStage({ script: { dispute: view() } })
    chain.fault = (method) => (method === 'send' ? 'lost before' : 'none')
    expect((await resolveDispute(deps, operator, 'dispute', verdict('split', 40))).state).toBe('resolving')
    expect(of('claimSettlement')).toHaveLength(2)
    expect(of('endSettlement')).toHaveLength(1)
  })
})

test.each<[Pick<ResolveInput, 'verdict' | 'splitPct'>, boolean]>([
  [{ verdict: 'split', splitPct: 1 }, true],
  [{ verdict: 'split', splitPct: 99 }, true],
  [{ verdict: 'split', splitPct: 0 }, false],
  [{ verdict: 'split', splitPct: 100 }, false],
  [{ verdict: 'split', splitPct: 1.5 }, false],
  [{ verdict: 'split', splitPct: null }, false],
  [{ verdict: 'release', splitPct: null }, true],
  [{ verdict: 'refund', splitPct: null }, true],
  [{ verdict: 'refund', splitPct: 50 }, false],
])('%j has a share where it divides: %s', async (input, isRight) => {
  expect((await refusalOf(() => requireShare(input))) === null).toBe(isRight)
})
