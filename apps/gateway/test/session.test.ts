import { localKeys } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { challengesOf, credential, opening, proof, receiptOf, topUp, voucher } from './foreign-client.ts'
import {
  challengeAt,
  fundedBuyer,
  price,
  seller,
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

describe('a call without a credential', () => {
  test('is told the price, by a problem of the scheme and a challenge for each way to pay', async () => {
    const response = await fetch(`${stage.url}/weather`)
    expect(response.status).toBe(402)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      type: 'https://paymentauth.org/problems/payment-required',
      error: 'payment_required',
    })
    const challenges = challengesOf(response)
    expect([...challenges.keys()]).toEqual(['operator', 'client'])
    expect(challenges.get('operator')?.request).toMatchObject({
      amount: '2500',
      unitType: 'request',
      recipient: localKeys.operator.address,
      methodDetails: {
        feePayer: true,
        operator: localKeys.voucher.address,
        gracePeriodSeconds: 900,
        distributionSplits: [{ recipient: seller.address, shareBps: 8_700 }],
      },
    })
    expect(challenges.get('client')?.request.methodDetails.operator).toBeUndefined()
  })

  test('of a path that is not sold finds nothing', async () => {
    for (const path of ['/', '/weathering', '/weather/../v2', '/weather/%2e%2e/v2', '/weather//x', '/weather/%2fx'])
      expect((await rawGet(stage.url, path)).status, path).toBe(404)
    expect(upstream.asked).toHaveLength(0)
  })
})

describe.each(['operator', 'client'] as const)('a channel whose vouchers the %s signs', (mode) => {
  const cumulative = (calls: number) => (mode === 'client' ? { cumulative: price * BigInt(calls) } : {})

  test('pays per call, and is paid out 87 to 13 when its buyer ends it', async () => {
    const [sellerBefore, operatorBefore] = await Promise.all([
      chain.tokens(seller.address),
      chain.tokens(localKeys.operator.address),
    ])
    const session = await startSession(chain, stage, mode)
    for (let call = 1; call <= 4; call += 1) {
      const response = await session.pay(`/weather/lima?day=${call}`, cumulative(call))
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(`weather at /v1/lima?day=${call}`)
      expect(response.headers.get('x-weather')).toBe('sunny')
      expect(response.headers.get('cache-control')).toBe('private, no-store')
      const said = (price * BigInt(call)).toString()
      expect(receiptOf(response)).toMatchObject({
        method: 'solana',
        intent: 'session',
        reference: session.channelId,
        status: 'success',
        challengeId: session.challenge.echo['id'],
        acceptedCumulative: said,
        spent: said,
      })
    }
    expect(await session.books()).toMatchObject({ spent: '10000', held: '0', status: 'open' })
    const { buyer, channelId } = session
    const word =
      mode === 'operator'
        ? { authentication: proof(buyer, channelId, session.challenge.echo['id'] ?? '') }
        : { voucher: voucher(buyer, channelId, 10_000n).voucher }
    const closed = await session.act({ action: 'close', channelId, ...word })
    expect(closed.status).toBe(200)
    const receipt = receiptOf(closed)
    expect(receipt).toMatchObject({ spent: '10000', refunded: '990000' })
    expect(receipt?.['txHash']).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(await chain.tokens(seller.address)).toBe(sellerBefore + 8_700n)
    expect(await chain.tokens(localKeys.operator.address)).toBe(operatorBefore + 1_300n)
    expect(await chain.tokens(buyer.address)).toBe(9_990_000n)
    expect((await session.pay('/weather', cumulative(5))).status).toBe(402)
    const settled = await fetch(`${stage.url}/__402/payment-channels/receipt/${channelId}`)
    expect(await settled.json()).toEqual({ settledSignature: receipt?.['txHash'], finalized: true })
  })

  test('is topped up, and pays on', async () => {
    const session = await startSession(chain, stage, mode, 100_000n)
    const more = await session.act(
      await topUp(session.buyer, await challengeAt(stage.url, mode), session.channelId, 50_000n),
    )
    expect(await more.json()).toMatchObject({ deposit: '150000' })
    expect(await session.books()).toMatchObject({ deposit: '150000' })
  })

  test('the same key answers the same, and is charged once', async () => {
    const session = await startSession(chain, stage, mode)
    const asked = upstream.asked.length
    const first = await session.pay('/weather/a', { ...cumulative(1), key: 'k-1' })
    const again = await session.pay('/weather/a', { ...cumulative(1), key: 'k-1' })
    expect(await again.text()).toBe(await first.text())
    expect(receiptOf(again)?.['spent']).toBe('2500')
    expect(upstream.asked.length).toBe(asked + 1)
    const other = await session.pay('/weather/b', { ...cumulative(1), key: 'k-1' })
    expect([other.status, ((await other.json()) as { error: string }).error]).toEqual([422, 'idempotency_key_reused'])
    expect(await session.books()).toMatchObject({ spent: '2500', held: '0' })
  })
})

test('the same opening twice opens one channel', async () => {
  const buyer = await fundedBuyer(chain)
  const challenge = await challengeAt(stage.url, 'client')
  const { payload } = await opening(buyer, challenge, { deposit: 100_000n, salt: 9_001n, challengeId: '' })
  const headers = { authorization: credential(challenge.echo, payload) }
  const answers = await Promise.all([1, 2].map(() => fetch(`${stage.url}/weather`, { headers })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await chain.tokens(buyer.address)).toBe(9_900_000n)
})

test('two openings of one address at once are one channel, as one of them says', async () => {
  const buyer = await fundedBuyer(chain)
  const challenge = await challengeAt(stage.url, 'client')
  const openings = await Promise.all(
    [100_000n, 200_000n].map((deposit) => opening(buyer, challenge, { deposit, salt: 9_002n, challengeId: '' })),
  )
  const answers = await Promise.all(
    openings.map(({ payload }) =>
      fetch(`${stage.url}/weather`, { headers: { authorization: credential(challenge.echo, payload) } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { rows } = await stage.pool.query(
    `select status, deposit, (select count(*) from transactions t where t.channel_id = c.channel_id) as sent
     from channels c where channel_id = $1`,
    [openings[0]?.channelId],
  )
  const put = 10_000_000n - (await chain.tokens(buyer.address))
  expect(rows).toEqual([{ status: 'open', deposit: String(put), sent: '1' }])
})

test('a hundred calls at once are asked side by side and charged one by one', async () => {
  const session = await startSession(chain, stage, 'operator')
  const pay = (at: number): Promise<Response> => session.pay(`/weather/at-once?n=${at}`, { key: `at-once-${at}` })
  // A machine that is slow to book them refuses the last of a hundred, which come again.
  const answered = async (at: number): Promise<Response> => {
    let answer = await pay(at)
    await until(async () => answer.status !== 503 || (answer = await pay(at)).status !== 503)
    return answer
  }
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => answered(at)))
  expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200))
  const spent = answers.map((answer) => Number(receiptOf(answer)?.['spent'])).toSorted((a, b) => a - b)
  expect(spent).toEqual(Array.from({ length: 100 }, (_, at) => 2_500 * (at + 1)))
  expect(await session.books()).toMatchObject({ spent: '250000', acceptedCumulative: '250000', held: '0' })
})

/** A request whose path nobody tidies up. */
async function rawGet(url: string, path: string): Promise<{ readonly status: number | undefined }> {
  const { request } = await import('node:http')
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume()
      resolve({ status: response.statusCode })
    })
      .on('error', reject)
      .end()
  })
}
