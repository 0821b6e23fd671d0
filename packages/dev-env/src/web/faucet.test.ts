import { expect, test } from 'vitest'
import { startLocalChain } from '../constellation/local-chain.ts'
import { startFaucet } from './faucet.ts'

const origin = 'http://127.0.0.1:4020'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const wallet = '0x00000000000000000000000000000000000a11ce'

test('the faucet mints 1,000 test dollars for the page of the service and for nobody else', async () => {
  await using chain = await startLocalChain({})
  await using faucet = await startFaucet({ rpcUrl: chain.rpcUrl, port: 0, origin: () => origin })
  const ask = (body: string, headers: Record<string, string> = { origin }, method = 'POST', path = '/fund'): Promise<Response> => fetch(new URL(path, faucet.url), { method, headers, ...(method === 'POST' ? { body } : {}) })
  const balance = async (): Promise<bigint> => {
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: token, data: `0x70a08231${wallet.slice(2).padStart(64, '0')}` }, 'latest'] }) })
    return BigInt(String(((await answer.json()) as { result: unknown }).result))
  }
  expect((await ask(JSON.stringify({ address: wallet }))).status).toBe(200)
  expect(await balance()).toBe(1_000_000_000n)
  const refused: readonly (readonly [Promise<Response>, number])[] = [
    [ask(JSON.stringify({ address: wallet }), { origin: 'https://evil.example' }), 403],
    [ask('{"address":"0x12"}'), 422],
    [ask('not json'), 422],
    [ask('x'.repeat(2_000)), 413],
    [ask('', { origin }, 'GET'), 404],
    [ask('{}', { origin }, 'POST', '/other'), 404],
  ]
  for (const [answer, status] of refused) expect((await answer).status).toBe(status)
  expect(await balance()).toBe(1_000_000_000n)
  const many = await Promise.all(Array.from({ length: 25 }, () => ask(JSON.stringify({ address: wallet })).then(({ status }) => status)))
  expect(many.filter((status) => status === 429).length).toBe(6)
})
