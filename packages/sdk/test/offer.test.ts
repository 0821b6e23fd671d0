import { challengeHeader, mainnetChannelProgram, readChallenges, type SessionRequest } from '@ergon/channels'
import { expect, test } from 'vitest'
import { PaymentRefused, solanaSeedSigner } from '../src/index.ts'
import { agreeOffer, sellerOf, type BuyerTerms } from '../src/paying/offer.ts'

const key = (byte: number): string => solanaSeedSigner(new Uint8Array(32).fill(byte)).address
const [buyer, operator, seller, mint, program] = [key(1), key(2), key(3), key(4), key(5)]
const request: SessionRequest = {
  amount: 2_500n,
  recipient: seller,
  currency: mint,
  minimumDeposit: 10_000n,
  network: 'localnet',
  channelProgram: mainnetChannelProgram,
  decimals: 6,
  operator,
  voucherSigner: 'client',
  authorizedSigner: operator,
  gracePeriodSec: 900,
  splits: [],
  recentBlockhash: mint,
  recentSlot: 7n,
}
const terms: BuyerTerms = {
  network: 'localnet',
  mint,
  channelProgram: mainnetChannelProgram,
  mostPrice: 2_500n,
  vouchers: 'client',
  payer: buyer,
}
const headerOf = (...changes: readonly Partial<SessionRequest>[]): string =>
  changes
    .map((change, at) => challengeHeader({ id: `c${String(at)}`, realm: 'r', request: { ...request, ...change } }))
    .join(', ')
const answer = (header: string | undefined): Response =>
  new Response('', { status: 402, ...(header === undefined ? {} : { headers: { 'www-authenticate': header } }) })

test('an offer of the buyer’s own terms is taken, up to its most and with a way out in a day', () => {
  expect(agreeOffer(answer(headerOf({})), terms).request).toMatchObject({ amount: 2_500n, recipient: seller })
  expect(agreeOffer(answer(headerOf({ amount: 1n, gracePeriodSec: 86_400 })), terms).request.amount).toBe(1n)
})

test('of several, the one whose vouchers the buyer means is taken', () => {
  const header = headerOf({ voucherSigner: 'operator', amount: 1n }, { amount: 2n })
  expect(agreeOffer(answer(header), terms).request.amount).toBe(2n)
  expect(agreeOffer(answer(header), { ...terms, vouchers: 'operator' }).request.amount).toBe(1n)
})

test.each<readonly [what: string, change: Partial<SessionRequest>, own: Partial<BuyerTerms>]>([
  ['is paid on devnet, not localnet', { network: 'devnet' }, {}],
  [`is paid in the token ${seller}`, { currency: seller }, {}],
  [`names the channel program ${program}`, { channelProgram: program }, {}],
  ['names a token program of its own', { tokenProgram: program }, {}],
  ['asks 2501 a call, and the most is 2500', { amount: 2_501n }, {}],
  ['asks 2500 a call, and the most is 2499', {}, { mostPrice: 2_499n }],
  ['keeps the rest for 86401 seconds', { gracePeriodSec: 86_401 }, {}],
  ['names the buyer as its operator', { operator: buyer }, {}],
  ['names the buyer as its operator', { recipient: buyer }, {}],
  ['asks for no payment whose vouchers the operator signs', {}, { vouchers: 'operator' }],
])('an offer that %s is refused', (what, change, own) => {
  const agreeing = (): unknown => agreeOffer(answer(headerOf(change)), { ...terms, ...own })
  expect(agreeing).toThrow(PaymentRefused)
  expect(agreeing).toThrow(expect.objectContaining({ code: 'terms_refused' }))
  expect(agreeing).toThrow(`the gateway ${what}`)
})

test('a 402 without an offer is refused', () => {
  expect(() => agreeOffer(answer(undefined), terms)).toThrow('asks for no payment')
})

test('calls of one seller at one origin go out of one channel', () => {
  const sold = (url: string, change: Partial<SessionRequest> = {}): string => {
    const [challenge] = readChallenges(headerOf(change))
    if (challenge === undefined) throw new Error('a challenge')
    return sellerOf(url, challenge)
  }
  const own = sold('http://a.test/one')
  expect(sold('http://a.test/two?x', { amount: 9n, operator: program })).toBe(own)
  const others = [
    sold('https://a.test/one'),
    sold('http://a.test:81/one'),
    sold('http://a.test/one', { recipient: program }),
    sold('http://a.test/one', { splits: [{ recipient: program, bps: 100 }] }),
    sold('http://a.test/one', { splits: [{ recipient: program, bps: 200 }] }),
  ]
  expect(new Set([own, ...others]).size).toBe(6)
})
