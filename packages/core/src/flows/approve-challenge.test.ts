import { describe, expect, test } from 'vitest'
import type { DirectTerms } from '../ports/signatures.ts'
import type { SplitPayments } from '../ports/split-payments.ts'
import type { Submission } from '../submissions/submission.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { refusalOf, scriptedNow, type Script, walletOf } from '../testing/scripted-deps.ts'
import { heldTask, payment, placeOn, submission } from '../testing/scripted-money.ts'
import { channel } from '../testing/scripted-channels.ts'
import { approveChallenge, releaseChallenge, sumToApprove } from './approve-challenge.ts'

const now = scriptedNow
const publisher = walletOf('payer')
const { asset } = payment
const amount = (atomic: bigint) => ({ atomic, asset })

type Given = {
  readonly task?: Partial<Task>
  readonly work?: Partial<Submission>
  readonly script?: Script
  readonly before?: (chain: FakeChain) => void
  readonly splits?: object
}

/** Work that waits for its approval, and a bounty that is held. */
function stage({ task = {}, work = {}, script = {}, before, splits }: Given = {}) {
  const own = heldTask({ status: 'verifying', escrowStatus: 'authorized', ...task })
  const one = placeOn(own, {
    task: own,
    submission: submission(work),
    worker: { id: 'executor', wallet: 'receiver' },
    workerByWallet: (wallet: string) => (wallet === 'receiver' ? { id: 'executor' } : null),
    payoutAddress: 'address',
    meterTerms: null,
    openSettlement: null,
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  one.chain.authorize(payment, payment.maxAmount)
  before?.(one.chain)
  const said: object[] = []
  const direct: DirectTerms[] = []
  const signatures = {
    ...one.deps.signatures,
    releaseApproval(terms: object) {
      said.push(terms)
      return { terms }
    },
    directChallenge(terms: DirectTerms, at: Date) {
      direct.push(terms)
      return { typedData: {}, envelope: { to: terms.to }, expiresAt: new Date(at.getTime() + 3_600_000) }
    },
  }
  const more = splits === undefined ? {} : { splits: { network: 'localnet', ...splits } as unknown as SplitPayments }
  return { ...one, deps: { ...one.deps, signatures, ...more } as typeof one.deps, said, direct }
}
const unheld = { escrowStatus: 'none' } as const
const deadline = now.getTime() / 1_000 + 600
const release = (atomic: string) => ({
  taskId: 'task',
  typedData: { amount: atomic },
  deadline,
  nonce: `0x${'1'.padStart(64, '0')}`,
  expiresAt: new Date(deadline * 1_000),
})

describe('the order that releases a bounty', () => {
  const read = (one: ReturnType<typeof stage>, wallet: string) => releaseChallenge(one.deps, walletOf(wallet), 'task')
  test.each(['payer', 'receiver'])('is shown to %s', async (wallet) => {
    expect(await read(stage(), wallet)).toEqual(release('10000000'))
  })
  test.each<[string, Given, string]>([
    ['a stranger', {}, 'stranger'],
    ['a worker whose task it is not', { task: { executorId: 'other' } }, 'receiver'],
    ['a stranger to a task that nobody has', { task: { executorId: null } }, 'stranger'],
  ])('is not shown to %s', async (_who, given, wallet) => {
    expect(await refusalOf(() => read(stage(given), wallet))).toEqual(['FORBIDDEN', { task_id: 'task' }])
  })
  test.each<[string, Given, string]>([
    [
      'what is left, where part moved past us',
      { before: (chain) => void chain.capture('hash', 4_000_000n) },
      '6000000',
    ],
    ['all of it, where it is paid', { before: (chain) => void chain.payOut('hash') }, '10000000'],
    [
      'all of it, while the chain cannot be read',
      { before: (chain) => void (chain.fault = () => 'unreadable') },
      '10000000',
    ],
  ])('is of %s', async (_what, given, atomic) => {
    expect((await read(stage(given), 'payer')).typedData).toEqual({ amount: atomic })
  })
  test.each<[string, Given, unknown]>([
    ['known', { script: { escrowPayment: null } }, ['ESCROW_NOT_FOUND', { task_id: 'task' }]],
    [
      'held',
      { task: { escrowStatus: 'released' } },
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'released' }],
    ],
  ])('is of a payment that is %s', async (_what, given, refused) => {
    expect(await refusalOf(() => read(stage(given), 'payer'))).toEqual(refused)
  })
})

describe('what an approval would move', () => {
  test.each<[string, Given, bigint | null]>([
    ['is what was put into escrow', { script: { escrowPayment: { ...payment, maxAmount: 11n } } }, 11n],
    ['is the bounty alone, where nothing was', { task: unheld }, null],
    ['is the bounty alone, where it is not known', { script: { escrowPayment: null } }, null],
  ])('%s', async (_what, given, escrowed) => {
    const sum = await sumToApprove(stage(given).deps, publisher, 'submission')
    expect(sum).toEqual({ bounty: amount(10_000_000n), escrowed })
  })
})

describe('what a payer signs to approve', () => {
  const ask = (one: ReturnType<typeof stage>, payer: string | null = null) =>
    approveChallenge(one.deps, publisher, 'submission', payer)
  const approval = { submissionId: 'submission', taskId: 'task', amount: amount(10_000_000n), payer: 'payer' }
  const base = {
    submissionId: 'submission',
    taskId: 'task',
    mode: 'fase2',
    gross: amount(10_000_000n),
    payout: amount(8_700_000n),
    fee: amount(1_300_000n),
    releaseApproval: { terms: approval },
    release: null,
    payoutAuth: null,
    feeAuth: null,
    transaction: null,
  }
  test('is one order, where the bounty is held', async () => {
    expect(await ask(stage())).toEqual({
      ...base,
      release: release('10000000'),
      expiresAt: new Date(deadline * 1_000),
    })
  })
  test('is two payments, where it is not: the worker and the fee', async () => {
    const one = stage({ task: unheld })
    const asked = await ask(one)
    expect(asked).toMatchObject({
      ...base,
      mode: 'fase1',
      payoutAuth: {},
      feeAuth: {},
      expiresAt: new Date(now.getTime() + 3_600_000),
    })
    const of = { taskId: 'task', network: 'localnet', from: 'payer' }
    expect(one.direct).toEqual([
      { ...of, part: 'payout', to: 'receiver', amount: amount(8_700_000n) },
      { ...of, part: 'fee', to: 'treasury', amount: amount(1_300_000n) },
    ])
  })

  describe('on a network that pays both in one', () => {
    const expiresAt = new Date(now.getTime() + 5)
    const splits = { challenge: (...of: unknown[]) => Promise.resolve({ of, expiresAt }) }
    const terms = {
      submissionId: 'submission',
      worker: 'address',
      payout: amount(8_700_000n),
      fee: amount(1_300_000n),
    }
    test('is one transaction, of the payer that it names', async () => {
      const one = stage({ task: unheld, splits })
      const asked = await ask(one, 'buyer')
      expect(asked).toMatchObject({ transaction: { of: [terms, 'buyer', now] }, payoutAuth: null, expiresAt })
    })
    test('is nothing yet, for no payer', async () => {
      expect(await ask(stage({ task: unheld, splits }))).toMatchObject({ transaction: null, expiresAt: now })
    })
    test('says it in the words of an account that such a network knows nothing of', async () => {
      const one = stage({ task: unheld, splits })
      const settings = { ...one.deps.settings, preferredNetwork: 'preferred' }
      const networks = one.deps.networks.map((network) => ({ ...network, chainId: null }))
      await approveChallenge({ ...one.deps, networks, settings }, publisher, 'submission')
      const approved = { ...approval, amount: { atomic: 10_000_000n, asset: { ...asset, network: 'preferred' } } }
      expect(one.said).toEqual([approved])
    })
  })

  describe('of metered work', () => {
    const terms = { unit: 'scan', price: 300n, cap: 1_000n }
    const metered = (channelOf: unknown, more: Partial<Given> = {}): Given => ({
      ...{ task: unheld, script: { meterTerms: terms, channelOf }, ...more },
    })
    const end = { settled: 300n, txHash: '0xended', slot: 8n, at: now }
    const splits = { challenge: () => Promise.reject(new Error('nothing is paid beside the channel')) }
    test.each<[string, Given, readonly bigint[]]>([
      ['what was accepted', metered(channel({ cumulative: 600n })), [600n, 522n, 78n]],
      ['what was paid when it was closed', metered(channel({ cumulative: 600n, end })), [300n, 261n, 39n]],
      ['what was paid while the rest waits', metered(channel({ cumulative: 600n, paid: end })), [300n, 261n, 39n]],
      [
        'the same where bounties are paid in one',
        metered(channel({ cumulative: 600n }), { splits }),
        [600n, 522n, 78n],
      ],
    ])('is nothing, and the sum is %s', async (_what, given, shares) => {
      const one = stage(given)
      const settings = { ...one.deps.settings, preferredNetwork: 'preferred' }
      const networks = one.deps.networks.map((network) => ({ ...network, chainId: null }))
      const asked = await approveChallenge({ ...one.deps, networks, settings }, publisher, 'submission')
      const { gross, payout, fee, release: order, payoutAuth, feeAuth, transaction } = asked
      expect([gross, payout, fee].map(({ atomic }) => atomic)).toEqual(shares)
      expect([order, payoutAuth, feeAuth, transaction]).toEqual([null, null, null, null])
      expect(asked.expiresAt).toEqual(heldTask().deadline)
      expect(one.said).toMatchObject([{ amount: { atomic: shares[0], asset: { network: 'preferred' } } }])
    })
    test.each<[string, Given, string]>([
      ['no channel', metered(null), 'no_channel_bound'],
      ['no accepted unit', metered(channel()), 'PAYOUT_NON_POSITIVE'],
    ])('is refused with %s, as the approval is', async (_what, given, code) => {
      expect(await refusalOf(() => ask(stage(given), 'buyer'))).toEqual([code, { task_id: 'task' }])
    })
    test('is refused in a dispute, as the approval is', async () => {
      const given = metered(channel({ cumulative: 600n }))
      expect(
        await refusalOf(() => ask(stage({ ...given, task: { ...given.task, status: 'disputed' } }), 'buyer')),
      ).toEqual([
        'SUBMISSION_NOT_REVIEWABLE',
        { submission_id: 'submission', status: 'pending_review', task_status: 'disputed' },
      ])
    })
  })

  test.each<[string, Given, unknown]>([
    ['what waits', {}, null],
    ['what is disputed', { work: { status: 'rejected' }, task: { status: 'disputed' } }, null],
    [
      'nothing that was ruled on',
      { work: { status: 'rejected' }, task: { status: 'disputed', turn: { kind: 'ruling', untilMs: 0 } } },
      ['DISPUTE_NOT_OPEN', { submission_id: 'submission', ruling_status: 'standing' }],
    ],
    ['what was taken to the operator', { task: { status: 'disputed', turn: { kind: 'appealed' } } }, null],
    [
      'nothing that is decided',
      { work: { status: 'approved' } },
      ['SUBMISSION_NOT_REVIEWABLE', { submission_id: 'submission', status: 'approved' }],
    ],
    [
      'nothing that leaves the escrow',
      { task: { escrowStatus: 'releasing' } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
    [
      'nothing that is being paid without one',
      { task: unheld, script: { openSettlement: {} } },
      ['APPROVAL_IN_FLIGHT', { submission_id: 'submission' }],
    ],
  ])('is asked for %s', async (_what, given, refused) => {
    expect(await refusalOf(() => ask(stage(given)))).toEqual(refused)
  })
  test('is asked by its publisher alone', async () => {
    const refused = refusalOf(() => approveChallenge(stage().deps, walletOf('receiver'), 'submission'))
    expect(await refused).toEqual(['FORBIDDEN', { submission_id: 'submission' }])
  })
})
