import { localAddresses } from '@ergon/contracts'
import { generatePrivateKey, privateKeySigner, tokenAbi, type Address } from '@ergon/protocols'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { startLocalChain } from '../constellation/local-chain.ts'
import { freePort } from '../ports.ts'
import { startFaucet, type Faucet } from './faucet.ts'

const origin = 'http://127.0.0.1:4020'
let chain: Chain
let faucet: Faucet
beforeAll(async () => {
  chain = await startLocalChain({ port: await freePort() })
  faucet = await startFaucet({ rpcUrl: chain.rpcUrl, port: 0, origins: [origin] })
})
afterAll(async () => {
  await faucet[Symbol.asyncDispose]()
  await chain.stop()
})

const someone = (): Address => privateKeySigner(generatePrivateKey()).address
const dollars = (owner: Address): Promise<bigint> =>
  createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
    abi: tokenAbi,
    address: localAddresses.TestUSD,
    functionName: 'balanceOf',
    args: [owner],
  })
const post = (body: string, headers: Record<string, string> = { origin }): Promise<Response> =>
  fetch(`${faucet.url}/fund`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

test('a wallet that asks has a thousand test dollars on the chain', async () => {
  const wallet = someone()
  const answer = await post(JSON.stringify({ address: wallet.toUpperCase().replace('0X', '0x') }))
  expect([answer.status, answer.headers.get('access-control-allow-origin'), await answer.json()]).toEqual([
    200,
    origin,
    { address: wallet, amount_atomic: '1000000000', amount_usd: 1_000 },
  ])
  expect(await dollars(wallet)).toBe(1_000_000_000n)
})

test('a page of another origin gets nothing, not even unread', async () => {
  const wallet = someone()
  const answer = await post(JSON.stringify({ address: wallet }), {
    origin: 'https://evil.test',
    'content-type': 'text/plain',
  })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
  expect(await dollars(wallet)).toBe(0n)
})

test.each([
  ['no JSON', 'address', 400],
  ['no address', '{}', 400],
  ['a list', '[]', 400],
  ['null', 'null', 400],
  ['a number', '{"address":7}', 400],
  ['a short address', '{"address":"0x12"}', 400],
  ['a long body', JSON.stringify({ address: `0x${'a'.repeat(2_000)}` }), 413],
])('%s is refused', async (_what, body, status) => {
  const answer = await post(body)
  expect([answer.status, typeof ((await answer.json()) as { error: unknown }).error]).toEqual([status, 'string'])
})

test.each([
  ['GET', '/fund', 405],
  ['GET', '/', 404],
  ['POST', '/fund/', 404],
  ['POST', '/', 404],
])('%s %s is answered with %d', async (method, path, status) => {
  expect((await fetch(faucet.url + path, { method })).status).toBe(status)
})

test('browsers are told beforehand what the page may send', async () => {
  const ask = (from: string): Promise<Response> =>
    fetch(`${faucet.url}/fund`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'POST' },
    })
  const { status, headers } = await ask(origin)
  expect([
    status,
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-methods'),
    headers.get('access-control-allow-headers'),
  ]).toEqual([204, origin, 'POST', 'content-type'])
  expect((await ask('http://localhost:9')).status).toBe(403)
})

test('an address is funded twenty times a minute; another is not held back', async () => {
  const address = someone()
  const statuses = []
  for (let call = 0; call < 21; call++) statuses.push((await post(JSON.stringify({ address }))).status)
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  expect(await dollars(address)).toBe(20_000_000_000n)
  expect((await post(JSON.stringify({ address: someone() }))).status).toBe(200)
})

test('it listens on the one loopback address alone', async () => {
  await expect(fetch(faucet.url.replace('127.0.0.1', '127.0.0.2'))).rejects.toThrow('fetch failed')
})
