import { randomBytes } from 'node:crypto'
import { sendParts, sendWhole } from '@ergon/process/testing'
import { localKeys } from '@ergon/solana-ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buyerOf, challengesOf, credential, opening, proof, receiptOf, topUp, voucher } from './foreign-client.ts'
import {
  challengeAt,
  fundedBuyer,
  price,
  seller,
  startChain,
  startSession,
  startStage,
  startUpstream,
  type Chain,
  type Session,
  type Stage,
  type Upstream,
} from './harness.ts'

let chain: Chain
let upstream: Upstream
let stage: Stage
const otherSeller = buyerOf(new Uint8Array(32).fill(62))
beforeAll(async () => {
  chain = await startChain()
  upstream = await startUpstream()
  stage = await startStage(chain, upstream.url, {
    GATEWAY_ENDPOINTS: [
      `/weather ${upstream.url}/v1 ${price} ${seller.address}`,
      `/news ${upstream.url}/news ${price} ${otherSeller.address}`,
    ].join(','),
  })
})
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
})

/** Status and code of an answer that costs nothing, asks nobody, and brings a fresh challenge where it is a 402. */
async function refusalOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { readonly error: string }
  if (response.status === 402) expect(challengesOf(response).size, error).toBe(2)
  expect(receiptOf(response)).toBeUndefined()
  return `${response.status} ${error}`
}

describe('a request that is written oddly', () => {
  const get = (target: string, lines = 'Host: g\r\n'): string =>
    `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
  const held = 'POST /nothing HTTP/1.1\r\nHost: g\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n'

  test.each([
    ['in absolute form', get('http://g/weather'), '402 payment_required'],
    ['with another behind the last of its connection', get('/weather') + get('/weather'), '402 payment_required'],
    ['with a body that is held back and not wanted', held, '404 not_found'],
    ['with a fragment', get('/weather/#a'), '400 bad_request'],
    ['with two hosts', get('/weather', 'Host: g\r\nHost: h\r\n'), '400 bad_request'],
    [
      'in a coding under chunked',
      get('/weather', 'Host: g\r\nTransfer-Encoding: gzip, chunked\r\n'),
      '400 bad_request',
    ],
    ['with headers beyond measure', get('/weather', `X: ${'x'.repeat(40_000)}\r\n`), '431 headers_too_large'],
    ['as no request at all', '\x16\x03\x01', '400 bad_request'],
  ])('%s is answered once, as a problem', async (_what, bytes, answer) => {
    const heard = await sendParts(Number(new URL(stage.url).port), [bytes])
    expect(heard.match(/HTTP\/1\.1 \d+/g)).toHaveLength(1)
    const { status, error } = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n'))) as { status: number; error: string }
    expect(`${status} ${error}`).toBe(answer)
    expect(heard).toMatch(/content-type: application\/problem\+json/)
  })
})

describe('vouchers of a client', () => {
  let session: Session
  beforeAll(async () => {
    session = await startSession(chain, stage, 'client', 100_000n)
    for (const call of [1n, 2n]) expect((await session.pay('/weather', { cumulative: price * call })).status).toBe(200)
  })

  test.each<[string, (at: Session) => Promise<Response>, string]>([
    ['that goes back', (at) => at.pay('/weather', { cumulative: price, key: 'back' }), '402 voucher_goes_back'],
    ['that repeats', (at) => at.pay('/weather', { cumulative: price * 2n, key: 'again' }), '402 voucher_repeats'],
    ['of less than the price', (at) => at.pay('/weather', { cumulative: price * 3n - 1n }), '402 voucher_goes_back'],
    ['of more than the price', (at) => at.pay('/weather', { cumulative: price * 4n }), '402 voucher_not_the_price'],
    ['above the deposit', (at) => at.pay('/weather', { cumulative: 100_001n }), '402 voucher_over_deposit'],
    ['for nothing', (at) => at.pay('/weather', { cumulative: 0n }), '402 voucher_goes_back'],
    [
      'that ends too soon to be settled',
      (at) => at.pay('/weather', { cumulative: price * 3n, expiresAt: Math.floor(Date.now() / 1_000) + 60 }),
      '402 voucher_expires_soon',
    ],
    [
      'that ended long ago',
      (at) => at.pay('/weather', { cumulative: price * 3n, expiresAt: 1 }),
      '402 voucher_expires_soon',
    ],
    ['for another seller', (at) => at.pay('/news', { cumulative: price * 3n }), '402 invalid_challenge'],
    [
      'of a channel nobody opened',
      (at) => at.act(voucher(at.buyer, seller.address, price * 3n)),
      '402 channel_not_found',
    ],
    [
      'by another signer',
      (at) => at.act(voucher(buyerOf(randomBytes(32)), at.channelId, price * 3n)),
      '402 wrong_signer',
    ],
    [
      'whose signature is of another amount',
      (at) => {
        const { voucher: good } = voucher(at.buyer, at.channelId, price * 3n)
        const { voucher: other } = voucher(at.buyer, at.channelId, price * 2n)
        return at.act({ action: 'voucher', voucher: { ...good, signature: other.signature } })
      },
      '402 voucher_not_signed',
    ],
    [
      'replaced by a proof',
      (at) => at.act({ action: 'use', channelId: at.channelId, authentication: proof(at.buyer, at.channelId, 'x') }),
      '402 wrong_voucher_signer',
    ],
  ])('%s buys nothing', async (_, act, expected) => {
    const asked = upstream.asked.length
    expect(await refusalOf(await act(session))).toBe(expected)
    expect(upstream.asked.length).toBe(asked)
    expect(await session.books()).toMatchObject({ spent: '5000', acceptedCumulative: '5000', held: '0' })
  })

  test('of another channel of the same buyer buy nothing here', async () => {
    const other = await startSession(chain, stage, 'client', 100_000n)
    const { voucher: signed } = voucher(session.buyer, session.channelId, price)
    const forged = { ...signed, voucher: { ...signed.voucher, channelId: other.channelId } }
    expect(await refusalOf(await session.act({ action: 'voucher', voucher: forged }))).toBe('402 wrong_signer')
  })
})

describe('where the operator signs', () => {
  test('only the payer of the channel may use it', async () => {
    const session = await startSession(chain, stage, 'operator')
    const thief = buyerOf(randomBytes(32))
    const use = (authentication: ReturnType<typeof proof>) =>
      session.act({ action: 'use', channelId: session.channelId, authentication })
    expect(await refusalOf(await use(proof(thief, session.channelId, 'x')))).toBe('402 proof_refused')
    const lied = { ...proof(thief, session.channelId, 'x'), payer: session.buyer.address }
    expect(await refusalOf(await use(lied))).toBe('402 proof_refused')
    const ofAnother = proof(session.buyer, seller.address, 'x')
    expect(await refusalOf(await use(ofAnother))).toBe('402 proof_refused')
    expect(await refusalOf(await session.act(voucher(session.buyer, session.channelId, price)))).toBe(
      '402 wrong_signer',
    )
  })

  test('the deposit is the most that is spent, to the last unit', async () => {
    const session = await startSession(chain, stage, 'operator', 102_499n)
    const answers = await Promise.all(Array.from({ length: 45 }, () => session.pay('/weather')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(await Promise.all(refused.map(refusalOf)))).toEqual(new Set(['402 deposit_exhausted']))
    expect(await session.books()).toMatchObject({ spent: '100000', held: '0' })
  })
})

describe('an opening', () => {
  const deposit = 100_000n
  let salt = 70_000n
  const openWith = async (
    mode: 'operator' | 'client',
    changed: Readonly<Record<string, unknown>>,
    terms: { readonly payee?: string; readonly deposit?: bigint } = {},
    tokens = 1_000_000n,
  ) => {
    const buyer = await fundedBuyer(chain, tokens)
    const challenge = await challengeAt(stage.url, mode)
    salt += 1n
    const challengeId = challenge.echo['id'] ?? ''
    const { payload, channelId } = await opening(buyer, challenge, { deposit, salt, challengeId, ...terms })
    const shown = Object.fromEntries(
      Object.entries({ ...payload, ...changed }).filter(([, value]) => value !== undefined),
    ) as typeof payload
    const response = await fetch(`${stage.url}/weather`, {
      headers: { authorization: credential(challenge.echo, shown) },
    })
    return { response, channelId, buyer }
  }

  test.each<[string, Readonly<Record<string, unknown>>, object, string]>([
    ['with a bump', { bump: 255 }, {}, '402 malformed_credential'],
    ['for another payee', {}, { payee: seller.address }, '402 open_payee'],
    ['of less than the least deposit', {}, { deposit: 99_999n }, '402 open_deposit'],
    ['of more than the most', {}, { deposit: 100_000_001n }, '402 open_deposit'],
    ['that says another deposit than it makes', { depositAmount: '200000' }, {}, '402 open_claim'],
    ['that says another channel', { channelId: seller.address }, {}, '402 open_claim'],
    ['by another payer than it says', { payer: seller.address }, {}, '402 open_payer'],
    ['without its proof', { authentication: undefined }, {}, '402 proof_missing'],
    ['of bytes', { transaction: 'AAAA' }, {}, '402 open_malformed'],
  ])('%s opens nothing', async (_, changed, terms, expected) => {
    const { response, channelId } = await openWith('operator', changed, terms)
    expect(await refusalOf(response)).toBe(expected)
    expect((await fetch(`${stage.url}/__402/channels/${channelId}`)).status).toBe(404)
  })

  test('that the ledger refuses is refused, and costs the operator nothing', async () => {
    const buyer = await fundedBuyer(chain, deposit)
    const challenge = await challengeAt(stage.url, 'client')
    const before = (await chain.embedded.ledger.account(localKeys.operator.address))?.lamports ?? 0n
    // All four find the deposit where it is, and it is enough for one.
    const openings = await Promise.all(
      [1n, 2n, 3n, 4n].map(async (at) => {
        const { payload, channelId } = await opening(buyer, challenge, { deposit, salt: salt + at, challengeId: '' })
        return { channelId, headers: { authorization: credential(challenge.echo, payload) } }
      }),
    )
    salt += 4n
    const answers = await Promise.all(openings.map(({ headers }) => fetch(`${stage.url}/weather`, { headers })))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    expect(new Set(await Promise.all(refused.map(refusalOf)))).toContain('402 open_refused')
    const bound = await Promise.all(openings.map(({ channelId }) => chain.embedded.ledger.account(channelId)))
    expect(bound.filter((account) => account !== null)).toHaveLength(1)
    const after = (await chain.embedded.ledger.account(localKeys.operator.address))?.lamports ?? 0n
    // One fee of two signatures, and the rent of one channel and its account.
    const rent = bound.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n)
    expect(before - after).toBeLessThan(2n * rent + 20_000n)
  })

  test.each(['operator', 'client'] as const)(
    'of a payer who does not hold the deposit takes no seat, where the %s signs',
    async (mode) => {
      const { response, channelId } = await openWith(mode, {}, {}, deposit - 1n)
      expect(await refusalOf(response)).toBe('402 open_short')
      expect((await fetch(`${stage.url}/__402/channels/${channelId}`)).status).toBe(404)
      const { rows } = await stage.pool.query('select 1 from transactions where channel_id = $1', [channelId])
      expect(rows).toEqual([])
    },
  )

  test('for a challenge of another gateway, or of none, opens nothing', async () => {
    const session = await startSession(chain, stage, 'client', 100_000n)
    const payload = voucher(session.buyer, session.channelId, price)
    for (const changed of [
      { id: 'mine' },
      { realm: 'another' },
      { expires: '2099-01-01T00:00:00Z' },
      { request: 'e30' },
    ]) {
      const echo = { ...session.challenge.echo, ...changed }
      const response = await fetch(`${stage.url}/weather`, { headers: { authorization: credential(echo, payload) } })
      expect(await refusalOf(response)).toBe('402 invalid_challenge')
    }
  })

  test.each(['Payment', 'Payment e30', 'Bearer abc', `Payment ${'A'.repeat(17_000)}`])(
    'whose credential is %j is malformed',
    async (authorization) => {
      const response = await fetch(`${stage.url}/weather`, { headers: { authorization } })
      expect(await refusalOf(response)).toBe('402 malformed_credential')
    },
  )
})

test('a top-up by another buyer, or of another amount than it says, adds nothing', async () => {
  const session = await startSession(chain, stage, 'client', 100_000n)
  const challenge = await challengeAt(stage.url, 'client')
  const stranger = await fundedBuyer(chain)
  const theirs = await topUp(stranger, challenge, session.channelId, 1_000n)
  expect(await refusalOf(await session.act(theirs))).toBe('402 top_up_accounts')
  const lied = { ...(await topUp(session.buyer, challenge, session.channelId, 1_000n)), additionalAmount: '2000' }
  expect(await refusalOf(await session.act(lied))).toBe('402 top_up_claim')
  expect(await session.books()).toMatchObject({ deposit: '100000' })
})

test('a top-up of less than the price of a call adds nothing', async () => {
  const session = await startSession(chain, stage, 'client', 100_000n)
  const challenge = await challengeAt(stage.url, 'client')
  const dust = await topUp(session.buyer, challenge, session.channelId, price - 1n)
  expect(await refusalOf(await session.act(dust))).toBe('402 top_up_amount')
  expect(await session.books()).toMatchObject({ deposit: '100000' })
})

test('a channel is closed by its parties alone', async () => {
  const session = await startSession(chain, stage, 'client', 100_000n)
  const { channelId, buyer } = session
  const thief = buyerOf(randomBytes(32))
  for (const word of [
    {},
    { authentication: proof(thief, channelId, 'x') },
    { voucher: voucher(thief, channelId, price).voucher },
    { voucher: voucher(buyer, seller.address, price).voucher },
  ])
    expect(await refusalOf(await session.act({ action: 'close', channelId, ...word }))).toBe('402 close_unproven')
  expect(await session.books()).toMatchObject({ status: 'open' })
})

test('a body that is too large is refused before it is read', async () => {
  const session = await startSession(chain, stage, 'operator')
  const response = await session.pay('/weather', { method: 'POST', body: new Uint8Array(1_048_577) })
  expect(await refusalOf(response)).toBe('413 body_too_large')
  expect(await session.books()).toMatchObject({ spent: '0', held: '0' })
})

test('who sends a body of many MiB without paying reads what it costs', async () => {
  for (let round = 0; round < 6; round += 1)
    expect(await sendWhole(Number(new URL(stage.url).port), '/weather', 16 * 1_048_576)).toMatch(/^HTTP\/1\.1 402 /)
})

test('one payer opens only so many channels, one address acts only so often', async () => {
  const narrow = await startStage(chain, upstream.url, { GATEWAY_CHANNELS: '1/1000/1000', GATEWAY_RATES: '2/1/3/1' })
  const buyer = await fundedBuyer(chain)
  const challenge = await challengeAt(narrow.url, 'client')
  const answers: string[] = []
  for (const salt of [1n, 2n, 3n]) {
    const { payload } = await opening(buyer, challenge, { deposit: 100_000n, salt, challengeId: '' })
    const headers = { authorization: credential(challenge.echo, payload) }
    const response = await fetch(`${narrow.url}/weather`, { headers })
    answers.push(response.status === 200 ? 'open' : await refusalOf(response))
  }
  expect(answers).toEqual(['open', '429 too_many_channels', '429 rate_limited'])
  const headers = { authorization: 'Payment e30' }
  const failed = await Promise.all([1, 2, 3, 4].map(() => fetch(`${narrow.url}/weather`, { headers })))
  expect(failed.map(({ status }) => status).toSorted()).toEqual([402, 402, 402, 429])
  await narrow[Symbol.asyncDispose]()
})
