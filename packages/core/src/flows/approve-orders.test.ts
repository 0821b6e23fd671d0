import { describe, expect, test } from 'vitest'
import { MarketError } from '../errors.ts'
import type { SplitPayments } from '../ports/split-payments.ts'
import type { Settlement } from '../settlements/settlement.ts'
import type { Task } from '../tasks/task.ts'
import type { FakeChain } from '../testing/fake-chain.ts'
import { refusalOf, type Script, keptClaims } from '../testing/scripted-deps.ts'
import { direct, heldTask, payment, placeOn, submission } from '../testing/scripted-money.ts'
import { publisher } from '../testing/scripted-offers.ts'
import { approve, type ApproveInput } from './approve.ts'

/** What a payer signed, and what an approval makes of it. */

const wallet = `0x${'ad'.repeat(20)}`
const pay = (to: string, atomic: number, nonce: string) =>
  JSON.stringify({ from: 'payer', to, amount: String(atomic), nonce })
const both = { payoutAuth: pay(wallet, 8_700_000, '0x07'), feeAuth: pay('treasury', 1_300_000, '0x08') }

type Given = {
  readonly task?: Partial<Task>
  readonly script?: Script
  readonly before?: (chain: FakeChain) => void
  readonly splits?: object
}

function stage({ task = {}, script = {}, before, splits }: Given = {}) {
  const claims = new Map<string, Settlement>()
  const own = heldTask({ status: 'verifying', escrowStatus: 'authorized', ...task })
  const one = placeOn(own, {
    submission: submission(),
    task: own,
    lockTask: own,
    worker: { id: 'executor', wallet },
    payoutAddress: 'address',
    openSettlement: null,
    meterTerms: null,
    lockRulingOf: null,
    ...keptClaims(claims),
    ...script,
  })
  one.chain.fund('payer', payment.maxAmount)
  if (own.escrowStatus !== 'none') one.chain.authorize(payment, payment.maxAmount)
  before?.(one.chain)
  // A signature says the amount that it is for.
  const checkReleaseOrder = (
    { signature }: { signature: string },
    _payment: unknown,
    { atomic }: { atomic: bigint },
  ) => (signature === String(atomic) ? Promise.resolve() : Promise.reject(new MarketError('LIFECYCLE_ORDER_INVALID')))
  const woken: string[] = []
  const deps = {
    ...one.deps,
    signatures: { ...one.deps.signatures, checkReleaseOrder },
    wakeup: { settlements: () => woken.push('settlements'), verifications: () => undefined },
    ...(splits === undefined ? {} : { splits: { network: 'localnet', ...splits } as unknown as SplitPayments }),
  }
  return { ...one, deps: deps as unknown as typeof one.deps, woken, claims }
}
const signedFor = (atomic: number): Partial<ApproveInput> => ({
  order: { signer: 'payer', deadline: 1, nonce: '0x09', signature: String(atomic) },
})
const approves = (one: ReturnType<typeof stage>, change: Partial<ApproveInput> = signedFor(10_000_000)) =>
  approve(one.deps, publisher, 'submission', {
    rating: null,
    feedback: null,
    order: null,
    payoutAuth: null,
    feeAuth: null,
    ...change,
  })
const captured = ({ claims }: ReturnType<typeof stage>): readonly bigint[] =>
  [...claims.values()].flatMap(({ order }) => (order.kind === 'capture' ? [order.amount.atomic] : []))

describe('an order is for what is held', () => {
  const part = { before: (chain: FakeChain) => void chain.capture(payment.hash, 4_000_000n) }
  const invalid = ['LIFECYCLE_ORDER_INVALID', {}]

  test.each<[string, Given, number, readonly bigint[]]>([
    ['all of it', {}, 10_000_000, [10_000_000n]],
    ['what is left, where part moved past us', part, 6_000_000, [6_000_000n]],
  ])('%s', async (_what, given, atomic, amounts) => {
    const one = stage(given)
    await approves(one, signedFor(atomic))
    expect(captured(one)).toEqual(amounts)
  })
  test.each<[string, Given, number]>([
    ['of less, where nothing moved', {}, 6_000_000],
    ['of another amount than is left', part, 5_000_000],
    ['of nothing, where nothing is left', { before: (chain) => void chain.payOut(payment.hash) }, 0],
    [
      'of less, where the chain cannot be read',
      { before: (chain) => void (chain.fault = () => 'unreadable') },
      6_000_000,
    ],
  ])('and none %s', async (_what, given, atomic) => {
    const one = stage(given)
    expect(await refusalOf(() => approves(one, signedFor(atomic)))).toEqual(invalid)
    expect(one.of('claimSettlement')).toEqual([])
  })
  test('and a fault of ours is no order that is wrong', async () => {
    const one = stage(part)
    const checkReleaseOrder = (): Promise<void> => Promise.reject(new Error('down'))
    const deps = { ...one.deps, signatures: { ...one.deps.signatures, checkReleaseOrder } }
    await expect(approves({ ...one, deps })).rejects.toThrow('down')
  })

  const tiny = { bounty: { atomic: 0n, asset: payment.asset } }
  test.each<[string, Given, Partial<ApproveInput>, unknown]>([
    ['of a bounty too small to pay', { task: tiny }, {}, ['PAYOUT_NON_POSITIVE', { task_id: 'task' }]],
    [
      'of a bounty too small to pay directly',
      { task: { ...tiny, ...direct } },
      both,
      ['PAYOUT_NON_POSITIVE', { task_id: 'task' }],
    ],
    [
      'of what went back',
      { task: { escrowStatus: 'refunded' } },
      {},
      ['ESCROW_NOT_RELEASABLE', { task_id: 'task', escrow_status: 'refunded' }],
    ],
  ])('and none %s', async (_what, given, input, refused) => {
    const one = stage(given)
    expect(await refusalOf(() => approves(one, input))).toEqual(refused)
    expect(one.of('claimSettlement')).toEqual([])
  })
})

describe('the fee of a direct payment', () => {
  // An approval wakes the duties in any case.
  const approved = 'settlements'
  test('is paid after the worker', async () => {
    const one = stage({ task: direct })
    const { feeTx } = await approves(one, both)
    expect([feeTx, one.woken]).toEqual([one.chain.landings[1]?.txHash, [approved]])
  })
  test('goes on by itself, where no answer came: the worker is paid whatever becomes of it', async () => {
    const one = stage({ task: direct })
    one.chain.fault = (method, order) =>
      method === 'send' && order?.kind === 'charge' && order.transfer.to === 'treasury' ? 'lost before' : 'none'
    expect(await approves(one, both)).toMatchObject({ state: 'approved', feeTx: null })
    expect(one.woken).toEqual([approved, 'settlements'])
  })
})

test('a bounty that is paid in one transaction takes the one that its payer signed', async () => {
  const one = stage({ task: direct, splits: {} })
  expect(await refusalOf(() => approves(one, { ...both, payoutAuth: null }))).toEqual([
    'PAYMENT_AUTH_MISSING',
    { fields: ['settlement_auth_worker'] },
  ])
  expect(one.of('claimSettlement')).toEqual([])
})

test('a rating waits for no identity that a fault of ours hides', async () => {
  const identity = (): never => {
    throw new Error('down')
  }
  await expect(approves(stage({ script: { identity } }), { ...signedFor(10_000_000), rating: 90 })).rejects.toThrow(
    'down',
  )
})
