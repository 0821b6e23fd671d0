import { randomBytes } from 'node:crypto'
import { bytesToHex, privateKeySigner } from '@ergon/protocols'
import type { StandingOrders, StandingTerms } from '@ergon/oauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServedNetworks } from '../../src/adapters/networks.ts'
import {
  createOAuthStore,
  createPool,
  createStandingWarrants,
  type PostgresOAuthStore,
  type StandingWarrants,
} from '../../src/adapters/postgres/index.ts'
import { createStandingOrders, keyText, spenderPurpose } from '../../src/adapters/signatures/standing-orders.ts'
import { keyFor } from '../../src/surroundings/key-for.ts'
import type { Reply } from '../dispatch/send.ts'
import { approveFields, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { signedIn } from '../http/live-people.ts'
import { jobs } from '../tour/scene.ts'
import { ask, createTokens, toolCall, unwrapped } from './tokens.ts'

/** A token whose wallet signed a standing order pays by itself, on a real chain (decision 0124). */
const tokens = createTokens()
const stack = new AsyncDisposableStack()
let live: LiveMarket
let publisher: Party
let worker: Party
let scene: ReturnType<typeof jobs>
let pool: ReturnType<typeof createPool>
let warrants: StandingWarrants
let grants: PostgresOAuthStore
let orders: StandingOrders
beforeAll(async () => {
  live = stack.use(await startLiveMarket({}, undefined, { grants: tokens.grants }))
  pool = createPool(live.databaseUrl)
  stack.defer(() => pool.end())
  warrants = createStandingWarrants(pool)
  grants = createOAuthStore(pool)
  const networks = stack.use(createServedNetworks(live.rig.settings.networks))
  orders = createStandingOrders({
    networks,
    random32: () => bytesToHex(randomBytes(32)),
    askContract: () => Promise.resolve('nobody' as const),
    spender: privateKeySigner(keyText(keyFor('a secret of this test, long enough', spenderPurpose))),
  })
  publisher = await live.party(100n)
  worker = await live.party(0n)
  scene = jobs(publisher, worker, await signedIn(live, publisher))
})
afterAll(() => stack.disposeAsync())

const soon = (): Date => new Date(Date.now() + 900_000)

/** A token of `agent:approve`, and the order that its wallet signed with the consent. */
async function consent(change: Partial<StandingTerms> = {}, signer = publisher.signer): Promise<Consent> {
  const grantId = bytesToHex(randomBytes(16))
  const terms = { maxCents: 500n, maxCount: 3, notAfter: soon(), ...change }
  const token = tokens.issue(publisher.wallet, {
    grantId,
    scopes: new Set(['agent:approve'] as const),
    approval: { maxCents: 500n, maxCount: 5 },
  })
  const asked = orders.challenge({ payer: publisher.wallet, network: 'localnet', token: 'USDC', ...terms }, new Date())
  const signature = await signer.signTypedData(asked.typedData)
  const [key, order] = [
    { grantId, chainId: asked.chainId, token: asked.order.token },
    { ...asked.order, signature },
  ]
  await warrants.keep({ ...key, wallet: publisher.wallet }, order, terms.notAfter)
  return { token, grantId, key, order }
}

type Consent = {
  readonly token: string
  readonly grantId: string
  readonly key: WarrantKey
  readonly order: object
}
type WarrantKey = Parameters<StandingWarrants['find']>[0]

const approve = async (token: string, submissionId: string, fields: object = {}): Promise<Reply> =>
  unwrapped(await ask(live.url, token, toolCall('svc_approve_submission', { submission_id: submissionId, ...fields })))
const paid = (): Promise<bigint> => live.balance(worker.wallet)
/** Of 1.07 USD, without the fee of 13 %. */
const payout = 930_900n

test('an approval by a token moves the money without another signature of the payer', async () => {
  const [{ submissionId }, { token }, before] = [await scene.submitted(), await consent(), await paid()]
  const reply = await approve(token, submissionId, { rating: 90 })
  expect(reply.body, JSON.stringify(reply.body)).toMatchObject({ status: 'approved' })
  expect(await paid()).toBe(before + payout)
})

test('past the count of the standing order nothing moves, whatever the count of the token', async () => {
  const { token } = await consent({ maxCount: 1 })
  const [first, second] = [await scene.submitted(), await scene.submitted()]
  expect((await approve(token, first.submissionId)).body).toMatchObject({ status: 'approved' })
  const before = await paid()
  expect((await approve(token, second.submissionId)).body.code).toBe('LIFECYCLE_ORDER_INVALID')
  expect(await paid()).toBe(before)
  // The payer's own order still does it.
  const fields = await approveFields(publisher, second.submissionId)
  expect((await approve(token, second.submissionId, fields)).body).toMatchObject({ status: 'approved' })
  expect(await paid()).toBe(before + payout)
})

test('an order for less than the bounty lets nothing through', async () => {
  const [{ submissionId }, { token }, before] = [
    await scene.submitted(),
    await consent({ maxCents: 106n }),
    await paid(),
  ]
  const reply = await approve(token, submissionId)
  expect(reply.body).toMatchObject({
    code: 'LIFECYCLE_ORDER_INVALID',
    details: { reason: 'the standing order does not allow it (standing_amount)' },
  })
  expect(await paid()).toBe(before)
})

test('a row that was written without the signature of the payer moves nothing', async () => {
  const [{ submissionId }, before] = [await scene.submitted(), await paid()]
  const { token } = await consent({}, privateKeySigner(`0x${'77'.repeat(32)}`))
  expect((await approve(token, submissionId)).body).toMatchObject({
    code: 'LIFECYCLE_ORDER_INVALID',
    details: { reason: 'the standing order is not signed by the payer' },
  })
  expect(await paid()).toBe(before)
})

describe('an order whose grant is taken back', () => {
  const triesOf = async ({ grantId }: Consent): Promise<number> => {
    const sql = 'select taken_back_tries as tries from standing_warrants where grant_id = $1'
    return (await pool.query<{ tries: number }>(sql, [grantId])).rows[0]?.tries ?? -1
  }
  /** Until it is told, the row is kept. */
  const rowsOf = async ({ grantId }: Consent): Promise<number> =>
    (await pool.query('select 1 from standing_warrants where grant_id = $1', [grantId])).rowCount ?? 0
  const told = (given: Consent) => expect.poll(() => rowsOf(given), { timeout: 15_000 }).toBe(0)
  /** Whoever copied the row and the key of the spender before writes it again, for a token of another grant. */
  const approveByCopy = async (given: Consent): Promise<Reply> => {
    const [{ submissionId }, other] = [await scene.submitted(), await consent()]
    await warrants.keep({ ...other.key, wallet: publisher.wallet }, given.order, soon())
    return approve(other.token, submissionId)
  }

  test('releases nothing for whoever copied it either: the facilitator is told within seconds', async () => {
    const [given, before] = [await consent(), await paid()]
    await grants.revoke(given.grantId, 'revoked_by_owner', new Date())
    await told(given)
    expect((await approveByCopy(given)).body).toMatchObject({
      code: 'LIFECYCLE_ORDER_INVALID',
      details: { facilitator_code: 'LifecycleAuthRejected' },
    })
    expect(await paid()).toBe(before)
  })

  test('is told again while the facilitator is away, and is asked for by nobody meanwhile', async () => {
    const given = await consent()
    await live.rig.facilitatorLine.close()
    try {
      await grants.revoke(given.grantId, 'revoked_by_client', new Date())
      await expect.poll(() => triesOf(given), { timeout: 15_000 }).toBeGreaterThan(0)
      expect(await warrants.find(given.key)).toBeNull()
    } finally {
      await live.rig.facilitatorLine.open()
    }
    expect(await rowsOf(given)).toBe(1)
    await pool.query('update standing_warrants set taken_back_due = now() where grant_id = $1', [given.grantId])
    await told(given)
    expect((await approveByCopy(given)).body.code).toBe('LIFECYCLE_ORDER_INVALID')
  })
})

test.each([
  ['is taken back', (grantId: string) => grants.revoke(grantId, 'revoked_by_owner', new Date())],
  [
    'has ended',
    (grantId: string) =>
      warrants.keep({ grantId, wallet: publisher.wallet, chainId: 31337, token: token() }, {}, new Date(0)),
  ],
])('where the order %s, the tool asks the wallet again', async (_what, end) => {
  const [{ submissionId }, given] = [await scene.submitted(), await consent()]
  await end(given.grantId)
  const reply = await approve(given.token, submissionId)
  expect(reply.body).toMatchObject({
    code: 'LIFECYCLE_ORDER_REQUIRED',
    wallet_action: { kind: 'eip712', how_to_return: { parameter: 'lifecycle_order' } },
  })
})

const token = (): string => live.rig.settings.networks[0]?.network.tokens['USDC']?.address ?? ''

test('whether an order is signed is told before it is kept', async () => {
  const terms = {
    payer: publisher.wallet,
    network: 'localnet',
    token: 'USDC',
    maxCents: 1n,
    maxCount: 1,
    notAfter: soon(),
  }
  const { typedData, chainId, order } = orders.challenge(terms, new Date())
  const signature = await publisher.signer.signTypedData(typedData)
  expect(await orders.isSigned({ ...order, signature }, chainId)).toBe(true)
  expect(await orders.isSigned({ ...order, maxTotal: '10001', signature }, chainId)).toBe(false)
  expect(await orders.isSigned({ ...order, signature }, 8453)).toBe(false)
  expect(order).toMatchObject({
    maxPerRelease: '10000',
    maxTotal: '10000',
    spender: orders.spender.address.toLowerCase(),
  })
})

test('orders whose time is over are forgotten', async () => {
  const grantId = bytesToHex(randomBytes(16))
  await warrants.keep(
    { grantId, wallet: publisher.wallet, chainId: 31337, token: token() },
    {},
    new Date(Date.now() - 1_000),
  )
  expect(await warrants.purge(100)).toBeGreaterThan(0)
  expect(await warrants.purge(100)).toBe(0)
})
