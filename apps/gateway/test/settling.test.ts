import {
  associatedTokenAccount,
  decodeTransaction,
  encodeTransaction,
  reclaimInstruction,
  requestCloseInstruction,
  signTransaction,
  transactionId,
  unsignedTransaction,
} from '@ergon/channels'
import { channelProgramId } from '@ergon/channel-program'
import { localKeys, localMint } from '@ergon/solana-ledger'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  buyerOf,
  credential,
  opening,
  proof,
  voucher,
  type ForeignBuyer,
  type ForeignChallenge,
  type Opening,
} from './foreign-client.ts'
import {
  challengeAt,
  fundedBuyer,
  price,
  seller,
  seedOf,
  sendAs,
  startChain,
  startSession,
  startStage,
  startUpstream,
  until,
  type Chain,
  type Session,
  type Stage,
  type Upstream,
} from './harness.ts'

let chain: Chain
let upstream: Upstream
let stage: Stage
let letFail: () => void = () => undefined
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream((request, response) => {
    if (request.url !== '/v1/fails') return void response.end('fine')
    letFail = () => response.writeHead(500).end()
  })
  stage = await startStage(chain, upstream.url)
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

test('a channel that nobody uses is settled with what was charged, and the rest goes back', async () => {
  const session = await startSession(chain, stage, 'client')
  for (const call of [1n, 2n, 3n]) await session.pay('/weather', { cumulative: price * call })
  await stage.pool.query(`update channels set used_at = now() - interval '601 seconds' where channel_id = $1`, [
    session.channelId,
  ])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '7500', refunded: '992500', closeReason: 'idle' })
  expect(await chain.tokens(session.buyer.address)).toBe(9_992_500n)
})

test('after a closing that the ledger refused, the next waits: each costs a fee', async () => {
  const session = await startSession(chain, stage, 'client')
  await session.pay('/weather', { cumulative: price })
  const { channelId } = session
  await stage.pool.query(
    `insert into transactions (signature, channel_id, kind, wire, last_valid_height, state)
     values ($1, $2, 'close', '', 0, 'refused')`,
    [`refused ${channelId}`, channelId],
  )
  const closing = async (): Promise<number> =>
    (await stage.pool.query(`select 1 from transactions where channel_id = $1 and kind = 'close'`, [channelId]))
      .rowCount ?? 0
  await stage.pool.query(`update channels set status = 'closing', watch_at = now() where channel_id = $1`, [channelId])
  await until(async () => {
    const { rows } = await stage.pool.query('select watch_at > now() as looked from channels where channel_id = $1', [
      channelId,
    ])
    return (rows as readonly { looked: boolean }[])[0]?.looked === true
  })
  await session.act({ action: 'close', channelId, voucher: voucher(session.buyer, channelId, price).voucher })
  expect([await closing(), (await session.books())['status']]).toEqual([1, 'closing'])
  await stage.pool.query(`update transactions set sent_at = now() - interval '21 seconds' where signature = $1`, [
    `refused ${channelId}`,
  ])
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [channelId])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '2500' })
})

test('a voucher that ends is settled while it still counts', async () => {
  const session = await startSession(chain, stage, 'client')
  const expiresAt = Math.floor(Date.now() / 1_000) + 1_000
  const response = await session.pay('/weather', { cumulative: price, expiresAt })
  expect(response.status).toBe(200)
  const { rows } = await stage.pool.query<{ ahead: boolean }>(
    `select expires_at < to_timestamp($2) - interval '599 seconds' as ahead from channels where channel_id = $1`,
    [session.channelId, expiresAt],
  )
  expect(rows).toEqual([{ ahead: true }])
  await stage.pool.query(`update channels set expires_at = now() where channel_id = $1`, [session.channelId])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '2500', closeReason: 'voucher_expires' })
})

test('and calls that are always under way keep it from nobody', async () => {
  const session = await startSession(chain, stage, 'client')
  const expiresAt = Math.floor(Date.now() / 1_000) + 1_000
  expect((await session.pay('/weather', { cumulative: price, expiresAt })).status).toBe(200)
  const failing = session.pay('/weather/fails', { cumulative: price * 2n, expiresAt: expiresAt + 1_000 })
  await until(async () => (await session.books())['held'] === '2500')
  await stage.pool.query(`update channels set expires_at = now() where channel_id = $1`, [session.channelId])
  await until(async () => (await session.books())['status'] === 'closing', 10_000)
  const next = await session.pay('/weather', { cumulative: price * 3n, expiresAt: expiresAt + 1_000 })
  expect(next.status).toBe(402)
  letFail()
  expect((await failing).status).toBe(500)
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '2500', closeReason: 'voucher_expires' })
})

test('a payer that leaves by itself is met with the newest voucher within the grace period', async () => {
  const session = await startSession(chain, stage, 'operator')
  for (let call = 0; call < 4; call += 1) await session.pay('/weather')
  const { channelId, buyer } = session
  await chain.embedded.fund(buyer.address, { lamports: 1_000_000_000n })
  const leaving = requestCloseInstruction({ channelId, payer: buyer.address }, { channelProgram: channelProgramId })
  await sendAs(chain, buyer, [leaving])
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [channelId])
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await session.books()).toMatchObject({ settled: '10000', closeReason: 'payer_left' })
  expect((await session.pay('/weather')).status).toBe(402)
})

test('a voucher of a call that failed beside others is never settled above what was charged', async () => {
  const session = await startSession(chain, stage, 'client')
  const failing = session.pay('/weather/fails', { cumulative: price })
  await until(async () => (await session.books())['held'] !== '0')
  expect((await session.pay('/weather', { cumulative: price * 2n })).status).toBe(200)
  letFail()
  expect((await failing).status).toBe(500)
  expect(await session.books()).toMatchObject({ spent: '2500', held: '0', acceptedCumulative: '5000' })
  expect((await session.pay('/weather', { cumulative: price * 2n, key: 'again' })).status).toBe(402)
  const { channelId, buyer } = session
  await session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price * 2n).voucher })
  expect(await session.books()).toMatchObject({ status: 'closed', spent: '2500', settled: '2500' })
})

/** Two calls that the upstream holds, of which the first has failed; then one is charged, and the second fails. */
async function failedBeforeCharged(key: string, meanwhile: (of: Session) => Promise<void>): Promise<Session> {
  const session = await startSession(chain, stage, 'client')
  const hold = async (call: bigint) => {
    const before = letFail
    const answer = session.pay('/weather/fails', { cumulative: price * call, key: `call-${call}` })
    await until(() => Promise.resolve(letFail !== before))
    return { answer, letFail }
  }
  const [first, second] = [await hold(1n), await hold(2n)]
  first.letFail()
  expect((await first.answer).status).toBe(500)
  await meanwhile(session)
  expect((await session.pay('/weather', { cumulative: price * 3n, key })).status).toBe(200)
  second.letFail()
  expect((await second.answer).status).toBe(500)
  return session
}

/** A day is over for the calls of a channel, and what is old was forgotten. */
async function dayLater({ channelId }: Session): Promise<void> {
  await stage.pool.query(`update deliveries set asked_at = now() - interval '25 hours' where channel_id = $1`, [
    channelId,
  ])
  const { rows } = await stage.pool.query<{ id: string }>(
    `insert into deliveries (channel_id, key, request_hash, path, price, state, lease_until, asked_at)
     values ($1, 'forgotten', '', '', 1, 'released', now(), now() - interval '25 hours') returning id`,
    [channelId],
  )
  await until(
    async () => (await stage.pool.query('select 1 from deliveries where id = $1', [rows[0]?.id])).rowCount === 0,
  )
}

test.each<[string, string, (of: Session) => Promise<void>]>([
  ['with a key of its own', 'call-3', async () => undefined],
  ['with the same key', 'call-1', async () => undefined],
  ['a day later', 'call-3', dayLater],
])('a charged call is settled by the voucher of one that failed before it, %s', async (_how, key, meanwhile) => {
  const session = await failedBeforeCharged(key, meanwhile)
  const { channelId, buyer } = session
  await session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price * 3n).voucher })
  expect(await session.books()).toMatchObject({ status: 'closed', spent: '2500', settled: '2500' })
})

test('the account of a seller that never had one is made before anything is paid out', async () => {
  const newcomer = buyerOf(randomBytes(32))
  await using own = await startStage(chain, upstream.url, {
    GATEWAY_ENDPOINTS: `/weather ${upstream.url}/v1 ${price} ${newcomer.address}`,
  })
  const session = await startSession(chain, own, 'operator')
  await session.pay('/weather')
  expect(await chain.embedded.ledger.account(associatedTokenAccount(newcomer.address, localMint))).toBeNull()
  await own.pool.query(`update channels set used_at = now() - interval '601 seconds'`)
  await until(async () => (await session.books())['status'] === 'closed')
  expect(await chain.tokens(newcomer.address)).toBe(2_175n)
})

test('an opening whose answer nobody booked is taken up by what the ledger shows', async () => {
  const session = await startSession(chain, stage, 'client')
  await stage.pool.query(`update channels set status = 'opening' where channel_id = $1`, [session.channelId])
  expect((await session.pay('/weather', { cumulative: price })).status).toBe(402)
  await stage.pool.query('update channels set watch_at = now() where channel_id = $1', [session.channelId])
  await until(async () => (await session.books())['status'] === 'open')
})

test('a challenge that has ended opens nothing', async () => {
  const buyer = buyerOf(randomBytes(32))
  const challenge = await challengeAt(stage.url, 'client')
  const { payload } = await opening(buyer, challenge, { deposit: 100_000n, salt: 1n, challengeId: '' })
  const past = { ...challenge.echo, expires: '2020-01-01T00:00:00.000Z' }
  const response = await fetch(`${stage.url}/weather`, { headers: { authorization: credential(past, payload) } })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([402, 'invalid_challenge'])
  expect(seller.address).not.toBe(buyer.address)
})

test('rent that was bound comes back once the address is free', async () => {
  const session = await startSession(chain, stage, 'client')
  const { channelId, buyer } = session
  await session.pay('/weather', { cumulative: price })
  await session.act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price).voucher })
  expect(await chain.embedded.ledger.account(channelId)).not.toBeNull()
  await chain.skip(1_501 * 400)
  await stage.pool.query('update channels set reclaim_at = now() where channel_id = $1', [channelId])
  await until(async () => (await chain.embedded.ledger.account(channelId)) === null)
})

test('and lamports that a stranger puts where a channel was keep no rent from coming back', async () => {
  // A gateway that has seen no slot of before the clock was moved.
  await using own = await startStage(chain, upstream.url)
  const sessions = [await startSession(chain, own, 'client'), await startSession(chain, own, 'client')]
  const [gifted, other] = sessions.map(({ channelId }) => channelId)
  if (gifted === undefined || other === undefined) throw new Error('two channels were opened')
  for (const { channelId, buyer, pay, act } of sessions) {
    await pay('/weather', { cumulative: price })
    await act({ action: 'close', channelId, voucher: voucher(buyer, channelId, price).voucher })
  }
  await chain.skip(1_501 * 400)
  const stranger = await fundedBuyer(chain)
  await chain.embedded.fund(stranger.address, { lamports: 1_000_000_000n })
  const rent = { channelId: gifted, rentPayer: localKeys.operator.address }
  await sendAs(chain, stranger, [reclaimInstruction(rent, { channelProgram: channelProgramId })])
  await chain.embedded.fund(gifted, { lamports: 1_000_000n })
  await own.pool.query(
    `update channels set reclaim_at = now() - case when channel_id = $1 then interval '1 hour'
       else interval '1 minute' end where channel_id = any($2)`,
    [gifted, [gifted, other]],
  )
  await until(async () => (await chain.embedded.ledger.account(other)) === null, 10_000)
  await until(async () => {
    const { rowCount } = await own.pool.query('select 1 from channels where channel_id = $1 and reclaim_at is null', [
      gifted,
    ])
    return rowCount === 1
  })
})

test('a channel that ended while the gateway was away is closed, also where a stranger has put lamports', async () => {
  await using own = await startStage(chain, upstream.url)
  const session = await startSession(chain, own, 'operator')
  const { channelId, buyer } = session
  await session.pay('/weather')
  await session.act({ action: 'close', channelId, authentication: proof(buyer, channelId, '') })
  await chain.skip(1_501 * 400)
  const rent = { channelId, rentPayer: localKeys.operator.address }
  await chain.embedded.fund(buyer.address, { lamports: 1_000_000_000n })
  await sendAs(chain, buyer, [reclaimInstruction(rent, { channelProgram: channelProgramId })])
  await chain.embedded.fund(channelId, { lamports: 1_000_000n })
  // As if nobody had seen its end.
  await own.pool.query(
    `update channels set status = 'open', closed_at = null, close_reason = null, reclaim_at = null, watch_at = now()
     where channel_id = $1`,
    [channelId],
  )
  await until(async () => (await session.books())['status'] === 'closed', 10_000)
  expect(await session.books()).toMatchObject({ settled: '2500', closeReason: 'ended_elsewhere' })
})

test('an opening that can land no more is void, and leaves its room to another', async () => {
  const session = await startSession(chain, stage, 'client')
  const { channelId, buyer } = session
  // As if its bytes had never arrived: their blockhash is that of no block.
  const lost = signTransaction(unsignedTransaction(buyer.address, seller.address, []), new Map([seedOf(buyer)]))
  await stage.pool.query(
    `update transactions set state = 'sent', signature = $2, wire = $3, last_valid_height = 0
     where channel_id = $1 and kind = 'open'`,
    [channelId, transactionId(lost), Buffer.from(encodeTransaction(lost))],
  )
  await stage.pool.query(`update channels set status = 'opening', watch_at = now() where channel_id = $1`, [channelId])
  await until(async () => (await session.books())['status'] === 'void')
  const { rows } = await stage.pool.query('select state from transactions where channel_id = $1', [channelId])
  expect(rows).toEqual([{ state: 'expired' }])
})

test('an opening whose blockhash is that of no block, or is old, takes no seat', async () => {
  const buyer = await fundedBuyer(chain)
  const challenge = await challengeAt(stage.url, 'client')
  const methodDetails = { ...challenge.request.methodDetails, recentBlockhash: seller.address }
  const bogus = { ...challenge, request: { ...challenge.request, methodDetails } }
  const terms = { deposit: 100_000n, challengeId: '' }
  const openings = [
    await opening(buyer, bogus, { ...terms, salt: 1n }),
    await opening(buyer, challenge, { ...terms, salt: 2n }),
  ]
  await chain.skip(200 * 400)
  for (const { payload, channelId } of openings) {
    const headers = { authorization: credential(challenge.echo, payload) }
    const response = await fetch(`${stage.url}/weather`, { headers })
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([402, 'open_blockhash'])
    expect((await fetch(`${stage.url}/__402/channels/${channelId}`)).status).toBe(404)
  }
})

/** An opening that the books call void, as one for another seller whose vouchers another signs. */
async function voidOpening(): Promise<{ buyer: ForeignBuyer; challenge: ForeignChallenge; made: Opening }> {
  const former = buyerOf(randomBytes(32))
  const buyer = await fundedBuyer(chain)
  // The gateway keeps for a moment what an opening has to name, and other tests move the clock.
  await until(async () => {
    const { recentSlot } = (await challengeAt(stage.url, 'client')).request.methodDetails
    return BigInt(recentSlot) + 100n > (await chain.embedded.ledger.slot())
  })
  const challenge = await challengeAt(stage.url, 'client')
  const made = await opening(buyer, challenge, { deposit: 100_000n, salt: 3n, challengeId: '' })
  await stage.pool.query(
    `insert into channels (channel_id, seller, payer, address, voucher_signer, authorized_signer, salt, open_slot,
       grace_sec, deposit, status, closed_at) values ($1, $2, $3, 'x', 'operator', $3, 3, 1, 60, 50000, 'void', now())`,
    [made.channelId, former.address, buyer.address],
  )
  return { buyer, challenge, made }
}

test('an opening that never landed is made again at its address, with other bytes, for another seller', async () => {
  const { buyer, challenge, made } = await voidOpening()
  const { channelId, payload } = made
  const headers = { authorization: credential(challenge.echo, payload) }
  expect((await fetch(`${stage.url}/weather`, { headers })).status).toBe(200)
  expect(await (await fetch(`${stage.url}/__402/channels/${channelId}`)).json()).toMatchObject({
    ...{ status: 'open', deposit: '100000' },
  })
  const paid = credential(challenge.echo, voucher(buyer, channelId, price))
  expect((await fetch(`${stage.url}/weather`, { headers: { authorization: paid } })).status).toBe(200)
})

test('an opening whose bytes the ledger has refused is not made again with the same', async () => {
  const { challenge, made } = await voidOpening()
  const { operator } = localKeys
  const wire = Buffer.from(made.payload['transaction'] as string, 'base64') // as `opening` makes it
  const refused = signTransaction(decodeTransaction(wire), new Map([[operator.address, operator.seed]]))
  await stage.pool.query(
    `insert into transactions (signature, channel_id, kind, wire, last_valid_height, state)
     values ($1, $2, 'open', $3, 1, 'refused')`,
    [transactionId(refused), made.channelId, Buffer.from(encodeTransaction(refused))],
  )
  const response = await fetch(`${stage.url}/weather`, {
    headers: { authorization: credential(challenge.echo, made.payload) },
  })
  expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([402, 'channel_not_opened'])
  expect(await (await fetch(`${stage.url}/__402/channels/${made.channelId}`)).json()).toMatchObject({ status: 'void' })
})
