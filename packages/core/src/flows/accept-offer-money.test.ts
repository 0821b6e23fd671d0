import { describe, expect, test } from 'vitest'
import type { WalletCaller } from '../caller.ts'
import type { Offer } from '../settlement-offers/offer.ts'
import type { Settlement } from '../settlements/settlement.ts'
import { plainSignature } from '../testing/fake-ports.ts'
import { direct, payment } from '../testing/scripted-money.ts'
import { offerStage, publisher, worker, type OfferGiven } from '../testing/scripted-offers.ts'
import { acceptOffer, type AcceptInput } from './accept-offer.ts'

/** Where the money of an agreement goes, and what its other side hears where it goes nowhere. */

const pay = (to: string, atomic: number, nonce: string) =>
  JSON.stringify({ from: 'payer', to, amount: String(atomic), nonce })
const words = (toWorker: bigint, toPayer: bigint, of: string | null = 'hash'): Offer['words'] => ({
  network: 'localnet',
  payment: of,
  payer: 'payer',
  worker: 'receiver',
  asset: payment.asset,
  toWorker,
  toPayer,
  nonce: '0x01',
})

function stage(given: OfferGiven) {
  const one = offerStage(given)
  const woken: string[] = []
  const wakeup = { settlements: () => woken.push('settlements'), verifications: () => undefined }
  return { ...one, deps: { ...one.deps, wakeup }, woken }
}
const accepts = (one: ReturnType<typeof stage>, by: WalletCaller = publisher, change: Partial<AcceptInput> = {}) =>
  acceptOffer(one.deps, by, 'offer', {
    signature: plainSignature(by.wallet, '0x01'),
    order: null,
    payments: null,
    ...change,
  })
const claimsOf = (one: ReturnType<typeof stage>): readonly Settlement[] =>
  one.of('claimSettlement').map(([settlement]) => settlement as Settlement)

describe('what both signed is divided', () => {
  test('87 of a hundred of the share to the worker, the rest back to the payer', async () => {
    const one = stage({})
    await accepts(one)
    expect(one.chain.landings.map(({ order }) => order.kind)).toEqual(['capture', 'void'])
    expect([one.chain.balance('receiver'), one.chain.balance('payer')]).toEqual([5_220_000n, 4_000_000n])
    expect(one.woken).toEqual(['settlements'])
  })
  test('and nothing goes back before the worker is paid', async () => {
    const one = stage({})
    one.chain.fault = (method, order) => (method === 'send' && order?.kind === 'capture' ? 'lost before' : 'none')
    await accepts(one)
    expect([claimsOf(one).length, one.chain.landings]).toEqual([2, []])
    expect(one.woken).toEqual(['settlements'])
  })
  test('of what is left, where part moved past us: that is booked before', async () => {
    const one = stage({
      offer: { words: words(5_000_000n, 1_000_000n) },
      before: (chain) => void chain.capture('hash', 4_000_000n),
    })
    await accepts(one)
    expect(one.of('addMovement').slice(0, 2)).toMatchObject([
      [{ kind: 'authorized', atomic: 10_000_000n }, { settlementId: null }],
      [{ kind: 'captured', atomic: 4_000_000n }, { settlementId: null }],
    ])
    expect(claimsOf(one).map(({ order }) => ('amount' in order ? order.amount.atomic : null))).toEqual([
      5_000_000n,
      1_000_000n,
    ])
  })
})

describe('whoever cannot accept hears why', () => {
  test.each<[string, OfferGiven, WalletCaller, Partial<AcceptInput>]>([
    ['The other side accepts this offer; you made it.', {}, worker, {}],
    [
      'The task does not hold any more what this offer divides. Make a new one of what is left.',
      { before: (chain) => void chain.capture('hash', 4_000_000n) },
      publisher,
      {},
    ],
    [
      'Nothing is held for this task, so only work that was handed in can be paid, by a direct payment.',
      {
        task: { ...direct, status: 'disputed' },
        offer: { words: words(6_000_000n, 4_000_000n, null) },
        script: { submissions: [{ id: 'other', executorId: 'before' }] },
      },
      publisher,
      { payments: { payout: pay('receiver', 5_220_000, '0x07'), fee: pay('treasury', 780_000, '0x08') } },
    ],
    ['The offer is not signed by who accepts it.', {}, publisher, { signature: plainSignature('other', '0x01') }],
  ])('%s', async (reason, given, by, change) => {
    const one = stage(given)
    await expect(accepts(one, by, change)).rejects.toThrow(reason)
    expect(claimsOf(one)).toEqual([])
  })
})
