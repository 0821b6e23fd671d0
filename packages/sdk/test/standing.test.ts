import {
  parsePaymentAuth,
  parseStandingOrder,
  paymentInfoHash,
  recoverAddress,
  hexToBytes,
  standingOrderDigest,
  standingOrderToWire,
  standingOrderTypedData,
  type StandingOrder,
} from '@ergon/protocols'
import { describe, expect, test } from 'vitest'
import { createClient } from '../src/index.ts'
import { recordingService } from './recording-service.ts'
import { deployment, ids, payer, smallMarket, stranger, token, worker } from './small-market.ts'

/** What lets silence pay is signed as asked, and never wider (decision 0172). */
const policy = { review_hours: 24, dispute_hours: 168, on_silence: 'release', revisions_max: 1, applications_max: null }
const nowSec = (): number => Math.floor(Date.now() / 1_000)

type Challenge = { readonly accepts: readonly [{ readonly extra: Readonly<Record<string, unknown>> }] }

/** The challenge with an order beside it, changed as a service that lies would. */
const withOrder = (change: Partial<StandingOrder>, said?: Partial<StandingOrder>) => (route: string, body: unknown) => {
  if (!route.endsWith('/assign/challenge')) return body
  const { accepts, ...rest } = body as Challenge
  const [{ extra, ...offer }] = accepts
  const { paymentInfo } = parsePaymentAuth(extra['envelope'])
  const order: StandingOrder = {
    payer: payer.address,
    spender: stranger.address,
    operator: deployment.operator,
    token: token.verifyingContract,
    maxPerRelease: 1_000_000n,
    maxTotal: 1_000_000n,
    maxCount: 1,
    notBefore: nowSec() + 24 * 3_600,
    notAfter: paymentInfo.authorizationExpiry,
    nonce: `0x${'17'.repeat(32)}`,
    payment: paymentInfoHash(paymentInfo, 31337, deployment.escrow),
    ...change,
  }
  const { signature: _none, ...wire } = standingOrderToWire(order, '0x')
  const standing_order = { typed_data: standingOrderTypedData({ ...order, ...said }, 31337), order: wire }
  return { ...rest, accepts: [{ ...offer, extra: { ...extra, standing_order } }] }
}

async function assigned(rewrite: (route: string, body: unknown) => unknown, task: object = { policy }) {
  await using service = await recordingService(smallMarket({ lies: { rewrite, task: { ...task } } }))
  const client = createClient({ baseUrl: service.url, signer: payer, chainId: 31337, wait: async () => undefined })
  const ended = await client
    .assignWorker({ task_id: ids.task, executor_id: ids.worker, worker_wallet: worker.address })
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  const sent = service.arrivals.find(({ method, target }) => method === 'POST' && target.endsWith('/assign'))
  return { ended, sent: sent === undefined ? undefined : (JSON.parse(sent.body) as Readonly<Record<string, unknown>>) }
}

describe('the order by which silence pays', () => {
  test('is signed for this payment, its amount, once, not before the review could have ended', async () => {
    const { ended, sent } = await assigned(withOrder({}))
    expect(ended).toBeUndefined()
    const { order, signature } = parseStandingOrder(JSON.parse(String(sent?.['standing_order'])))
    expect(order).toMatchObject({ maxCount: 1, maxTotal: 1_000_000n, maxPerRelease: 1_000_000n })
    expect(recoverAddress(standingOrderDigest(order, 31337), hexToBytes(signature))).toBe(payer.address)
  })

  test('is not signed where silence pays nobody, or the task has no policy', async () => {
    for (const task of [{ policy: { ...policy, on_silence: 'dispute' } }, { policy: null }, {}]) {
      const { ended, sent } = await assigned(withOrder({}), task)
      expect(ended).toBeUndefined()
      expect(sent).not.toHaveProperty('standing_order')
    }
  })

  test.each<[string, Partial<StandingOrder>]>([
    ['any payment', { payment: `0x${'00'.repeat(32)}` }],
    ['more than the bounty at once', { maxPerRelease: 2_000_000n }],
    ['more than the bounty in all', { maxTotal: 2_000_000n }],
    ['twice', { maxCount: 2 }],
    ['from now on', { notBefore: nowSec() }],
    ['longer than the authorization', { notAfter: nowSec() + 300 * 86_400 }],
    ['another operator', { operator: stranger.address }],
    ['another token', { token: stranger.address }],
    ['another payer', { payer: stranger.address }],
  ])('for %s gets no signature and the bounty is not locked', async (_what, change) => {
    const { ended, sent } = await assigned(withOrder(change))
    expect(ended).toMatchObject({ name: 'ChallengeMismatch' })
    expect(sent).toBeUndefined()
  })

  test('whose document says something else than its words is not signed', async () => {
    const { ended } = await assigned(withOrder({}, { maxCount: 9 }))
    expect(ended).toMatchObject({ name: 'ChallengeMismatch', term: 'document' })
  })
})
