import { associatedTokenAccount, createTokenAccountInstruction, tokenProgram } from '@ergon/channels'
import { localMint } from '@ergon/solana-ledger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBase58 } from '@ergon/protocols'
import { buyerOf, voucher, type ForeignBuyer } from './foreign-client.ts'
import {
  price,
  seller,
  sendAs,
  startChain,
  startSession,
  startStage,
  startUpstream,
  until,
  type Chain,
  type Stage,
  type Upstream,
} from './harness.ts'

let chain: Chain
let upstream: Upstream
let stage: Stage
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream()
  stage = await startStage(chain, upstream.url)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

/** The payer closes its token account and keeps its rent; all that it held went into the channel. */
async function closesItsAccount(buyer: ForeignBuyer): Promise<void> {
  await chain.embedded.fund(buyer.address, { lamports: 1_000_000_000n })
  const account = { address: associatedTokenAccount(buyer.address, localMint), signer: false, writable: true }
  const owner = { address: buyer.address, signer: true, writable: true }
  await sendAs(chain, buyer, [
    { program: tokenProgram, accounts: [account, { ...owner, signer: false }, owner], data: Uint8Array.of(9) },
  ])
  expect(await chain.embedded.ledger.account(account.address)).toBeNull()
}

/** So many accounts were made today. */
const madeToday = (counted: string, used: number) =>
  stage.pool.query(
    `insert into sponsored (day, counted, used) values ((now() at time zone 'utc')::date, $1, $2)
      on conflict (day, counted) do update set used = excluded.used`,
    [counted, used],
  )

test('a payer that has no account any more is made one, three times a day at the most, and gets the rest', async () => {
  const session = await startSession(chain, stage, 'client', 10_000_000n)
  const { channelId, buyer } = session
  await closesItsAccount(buyer)
  await session.pay('/weather', { cumulative: price })
  expect(
    (await session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price).voucher })).status,
  ).toBe(200)
  expect(await session.books()).toMatchObject({ status: 'closed', settled: '2500', refunded: '9997500' })
  expect(await chain.tokens(buyer.address)).toBe(9_997_500n)
})

test.each([
  ['no account may be made any more today', 'accounts', 50],
  ['its own were made too often today', 'account', 3],
])('where %s the rest of a channel waits for its payer, and the seller does not', async (_what, counted, used) => {
  const session = await startSession(chain, stage, 'client', 10_000_000n)
  const { channelId, buyer } = session
  await closesItsAccount(buyer)
  await madeToday(counted === 'account' ? `account ${buyer.address}` : counted, used)
  await session.pay('/weather', { cumulative: price })
  const before = await chain.tokens(seller.address)
  const close = () => session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price).voucher })
  const waits = await close()
  expect([waits.status, await waits.json()]).toMatchObject([409, { error: 'payer_account_missing' }])
  expect((await close()).status).toBe(409)
  expect((await chain.tokens(seller.address)) - before).toBe(2_175n)
  expect(await session.books()).toMatchObject({ status: 'closing', settled: null })
  expect(await chain.embedded.ledger.account(associatedTokenAccount(buyer.address, localMint))).toBeNull()

  const programs = { funder: buyer.address, owner: buyer.address, mint: localMint }
  await sendAs(chain, buyer, [createTokenAccountInstruction(programs)])
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [channelId])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '2500', refunded: '9997500' })
  expect(await chain.tokens(buyer.address)).toBe(9_997_500n)
  await madeToday('accounts', 0)
})

test('what a seller earned waits while its account belongs to another, and goes to nobody else', async () => {
  const other = buyerOf(new Uint8Array(32).fill(62))
  for (const { address } of [seller, other]) await chain.embedded.fund(address, { lamports: 1_000_000_000n })
  const account = { address: associatedTokenAccount(seller.address, localMint), signer: false, writable: true }
  /** SetAuthority of the token program, for the owner of an account. */
  const give = (from: ForeignBuyer, to: ForeignBuyer): Promise<unknown> =>
    sendAs(chain, from, [
      {
        program: tokenProgram,
        accounts: [account, { address: from.address, signer: true, writable: true }],
        data: Uint8Array.of(6, 2, 1, ...fromBase58(to.address)),
      },
    ])
  const session = await startSession(chain, stage, 'client', 10_000_000n)
  const { channelId, buyer } = session
  await session.pay('/weather', { cumulative: price })
  const before = await chain.tokens(seller.address)
  await give(seller, other)
  const close = () => session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price).voucher })
  const waits = await close()
  expect([waits.status, await waits.json()]).toMatchObject([409, { error: 'seller_account_unusable' }])
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [channelId])
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(await session.books()).toMatchObject({ status: 'closing', settled: null })

  await give(other, seller)
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [channelId])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '2500', refunded: '9997500' })
  expect((await chain.tokens(seller.address)) - before).toBe(2_175n)
})
