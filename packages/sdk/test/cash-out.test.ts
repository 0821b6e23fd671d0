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

test('a token or network that is not in our table is not signed for', async () => {
  const { service, client } = await clientOf(() => ({}))
  await expect(client.cashOut({ ...input, network: 'moon' })).rejects.toThrow(ChallengeMismatch)
  await expect(client.cashOut({ ...input, token: 'DOGE' })).rejects.toThrow(ChallengeMismatch)
  expect(service.arrivals).toEqual([])
})
