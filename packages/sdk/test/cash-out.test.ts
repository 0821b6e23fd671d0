import {
  hashTypedData,
  recoverAddress,
  hexToBytes,
  transferWithAuthorizationTypedData,
  type Hex,
} from '@ergon/protocols'
import { afterEach, expect, test } from 'vitest'
import { ChallengeMismatch, createClient } from '../src/index.ts'
import { recordingService, refusal, type Answerer, type Arrival } from './recording-service.ts'
import { token, worker } from './small-market.ts'

const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const input = { network: 'localnet', token: 'USDC', to, amount_usd: 2.5 }
const path = '/api/v1/account/cash-outs'

const stack: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of stack.splice(0)) await one[Symbol.asyncDispose]()
})
async function clientOf(answer: Answerer, patienceMs = 2_000) {
  const service = await recordingService(answer)
  stack.push(service)
  return { service, client: createClient({ baseUrl: service.url, signer: worker, session: true, patienceMs }) }
}

type Sent = { readonly nonce: Hex; readonly signature: Hex; readonly valid_before: number }
const sentIn = ({ body }: Arrival): Sent => JSON.parse(body) as Sent
const shownAs = (arrival: Arrival, status: string, change: object = {}) => ({
  ...{ ...input, nonce: arrival.body === '' ? '0x' : sentIn(arrival).nonce, status, tx: null, reason: null },
  ...{ valid_before: 0, created_at: '2026-11-26T12:00:00Z', ...change },
})

test('what is signed is a transfer of the token of our own table, good for five minutes, to this address alone', async () => {
  const { service, client } = await clientOf((arrival) => ({
    body: shownAs(arrival, 'sent', { tx: `0x${'1'.repeat(64)}` }),
  }))
  expect(await client.cashOut(input)).toMatchObject({ status: 'sent' })
  const [arrival] = service.arrivals
  if (arrival === undefined) throw new Error('nothing arrived')
  const { nonce, signature, valid_before } = sentIn(arrival)
  expect([arrival.method, arrival.target]).toEqual(['POST', path])
  expect(valid_before - Date.now() / 1_000).toBeGreaterThan(290)
  const document = transferWithAuthorizationTypedData(token, {
    ...{ from: worker.address, to, value: 2_500_000n, validAfter: 0n },
    ...{ validBefore: BigInt(valid_before), nonce },
  })
  expect(recoverAddress(hashTypedData(document), hexToBytes(signature))?.toLowerCase()).toBe(
    worker.address.toLowerCase(),
  )
})

test('a cash-out on its way is read by its nonce until it has arrived, and is sent once', async () => {
  const { service, client } = await clientOf((arrival, count) => ({
    status: arrival.method === 'POST' ? 202 : 200,
    body: shownAs(arrival, count < 3 ? 'sending' : 'sent'),
  }))
  expect(await client.cashOut(input)).toMatchObject({ status: 'sent' })
  const [first, ...reads] = service.arrivals
  if (first === undefined) throw new Error('nothing arrived')
  expect(reads.map(({ method, target }) => `${method} ${target}`)).toEqual(
    reads.map(() => `GET ${path}/${sentIn(first).nonce}`),
  )
})

test('an answer that never came is neither a failure nor signed again: it is said to be on its way', async () => {
  const { service, client } = await clientOf(
    ({ method, target }) =>
      method === 'GET' && target.startsWith(path) ? refusal(404, 'NOT_FOUND', false) : { hangUp: true },
    500,
  )
  expect(await client.cashOut(input)).toMatchObject({ ...input, status: 'sending', tx: null })
  const posts = service.arrivals.filter(({ method }) => method === 'POST')
  expect(new Set(posts.map((one) => sentIn(one).nonce)).size).toBe(1)
})

test('what came to nothing says why', async () => {
  const { client } = await clientOf((arrival) =>
    arrival.method === 'POST'
      ? { status: 202, body: shownAs(arrival, 'sending') }
      : { body: shownAs(arrival, 'not_sent', { reason: 'AUTHORIZATION_EXPIRED' }) },
  )
  await expect(client.cashOut(input)).rejects.toMatchObject({ code: 'AUTHORIZATION_EXPIRED' })
})

/** A service of one row for each nonce, as the real one keeps it. */
function rowsOf(status = 'sent') {
  const rows = new Map<string, object>()
  const answer: Answerer = (arrival) => {
    if (arrival.method === 'GET') {
      const row = rows.get(arrival.target.slice(path.length + 1))
      return row === undefined ? refusal(404, 'NOT_FOUND', false) : { body: row }
    }
    const { nonce } = sentIn(arrival)
    if (rows.has(nonce)) return refusal(409, 'PAYMENT_AUTH_USED', false)
    rows.set(nonce, shownAs(arrival, status, { reason: status === 'not_sent' ? 'SETTLEMENT_FAILED' : null }))
    return { status: status === 'sent' ? 200 : 202, body: shownAs(arrival, status === 'sent' ? 'sent' : 'sending') }
  }
  return { rows, answer }
}
const postsOf = ({ arrivals }: { readonly arrivals: readonly Arrival[] }) =>
  arrivals.filter(({ method }) => method === 'POST').map(sentIn)

test('under one name the same words are one cash-out: whoever asks again has the answer of the first, and signs nothing', async () => {
  const { rows, answer } = rowsOf()
  const { service, client } = await clientOf(answer)
  const first = await client.cashOut({ ...input, client_ref: 'this one' })
  expect(await client.cashOut({ ...input, to: to.toLowerCase(), client_ref: 'this one' })).toEqual(first)
  expect(postsOf(service)).toHaveLength(1)
  expect(JSON.parse(service.arrivals.find(({ method }) => method === 'POST')?.body ?? '')).not.toHaveProperty(
    'client_ref',
  )
  for (const other of [{ client_ref: 'another' }, { client_ref: 'this one', amount_usd: 2.25 }, {}, {}])
    await client.cashOut({ ...input, ...other })
  expect(rows.size).toBe(5)
})

test('two tabs that ask for one cash-out at the same moment both have the answer of the first', async () => {
  const { rows, answer } = rowsOf()
  // Neither sees the other before both have signed.
  let reads = 0
  const { client } = await clientOf((arrival, count) =>
    arrival.method === 'GET' && (reads += 1) <= 2 ? refusal(404, 'NOT_FOUND', false) : answer(arrival, count),
  )
  const ends = await Promise.all([1, 2].map(() => client.cashOut({ ...input, client_ref: 'this one' })))
  expect(new Set(ends.map(({ nonce }) => nonce)).size).toBe(1)
  expect(ends.map(({ status }) => status)).toEqual(['sent', 'sent'])
  expect(rows.size).toBe(1)
})

test('under one name what came to nothing may be asked for anew, a few times', async () => {
  const { rows, answer } = rowsOf('not_sent')
  const { client } = await clientOf(answer)
  const again = () => client.cashOut({ ...input, client_ref: 'this one' })
  for (let count = 1; count <= 10; count += 1) {
    await expect(again()).rejects.toMatchObject({ code: 'SETTLEMENT_FAILED' })
    expect(rows.size).toBe(Math.min(count, 8))
  }
})

test('under one name a nonce that was used past the service is refused', async () => {
  const { client } = await clientOf(({ method }) =>
    method === 'GET' ? refusal(404, 'NOT_FOUND', false) : refusal(409, 'PAYMENT_AUTH_USED', false),
  )
  await expect(client.cashOut({ ...input, client_ref: 'this one' })).rejects.toMatchObject({
    code: 'PAYMENT_AUTH_USED',
  })
})

test('a token or network that is not in our table is not signed for', async () => {
  const { service, client } = await clientOf(() => ({}))
  await expect(client.cashOut({ ...input, network: 'moon' })).rejects.toThrow(ChallengeMismatch)
  await expect(client.cashOut({ ...input, token: 'DOGE' })).rejects.toThrow(ChallengeMismatch)
  expect(service.arrivals).toEqual([])
})
