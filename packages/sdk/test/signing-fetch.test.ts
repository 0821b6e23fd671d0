import { privateKeySigner } from '@ergon/protocols'
import { expect, test } from 'vitest'
import { createSigningFetch, ErgonError } from '../src/index.ts'
import { recordingService, type Answerer } from './recording-service.ts'

const signer = privateKeySigner('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const policy: Answerer = ({ target }) =>
  target.endsWith('/erc8128/info') ? { body: { supported_chains: [31337] } } : { body: { done: true } }
const signed = { ok: true, address: signer.address }
const text = '{"a":"é"}'

test.each([
  ['a text', (url: string) => [url, { method: 'POST', body: text }]],
  ['bytes', (url: string) => [new URL(url), { method: 'POST', body: new TextEncoder().encode(text) }]],
  ['a request', (url: string) => [new Request(url, { method: 'POST', body: text })]],
  [
    'a stream',
    (url: string) => [url, { method: 'POST', body: new Blob([text]).stream(), duplex: 'half' } as RequestInit],
  ],
] as readonly (readonly [string, (url: string) => Parameters<typeof fetch>])[])(
  '%s is signed and sent as it is',
  async (_what, call) => {
    await using service = await recordingService(policy)
    const own = createSigningFetch({ baseUrl: service.url, signer, chainId: 31337 })
    const [input, init] = call(`${service.url}/mcp?tools=work`)
    const answer = await own(input, { ...init, headers: { 'content-type': 'application/json', 'mcp-method': 'ping' } })
    expect(await answer.json()).toEqual({ done: true })
    expect(service.arrivals).toMatchObject([
      { method: 'POST', target: '/mcp?tools=work', body: text, signature: signed, headers: { 'mcp-method': 'ping' } },
    ])
  },
)

test('a read is signed, and each time anew; the chain is asked for once', async () => {
  await using service = await recordingService(policy)
  const own = createSigningFetch({ baseUrl: service.url, signer })
  await own(`${service.url}/mcp`)
  await own(`${service.url}/mcp`)
  expect(service.arrivals).toMatchObject([
    { target: '/api/v1/auth/erc8128/info' },
    { method: 'GET', signature: signed },
    { method: 'GET', signature: signed },
  ])
})

test('what goes elsewhere has no signature, and a redirect is not followed', async () => {
  await using elsewhere = await recordingService(policy)
  await using service = await recordingService(() => ({ status: 307, headers: { location: elsewhere.url } }))
  const own = createSigningFetch({ baseUrl: service.url, signer, chainId: 31337 })
  await own(`${elsewhere.url}/file`, { method: 'PUT', body: 'bytes' })
  expect(elsewhere.arrivals).toHaveLength(1)
  expect(elsewhere.arrivals[0]?.headers).not.toHaveProperty('signature')
  await expect(own(`${service.url}/mcp`, { method: 'POST', body: text })).rejects.toThrow()
  expect(elsewhere.arrivals).toHaveLength(1)
})

test('who leaves is heard while the answer is awaited', async () => {
  await using service = await recordingService(() => ({ silent: true }))
  const own = createSigningFetch({ baseUrl: service.url, signer, chainId: 31337 })
  await expect(own(`${service.url}/a2a`, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('a service that tells no chain is an error in the words of the client', async () => {
  await using service = await recordingService(() => ({ status: 404, body: 'a page' }))
  const own = createSigningFetch({ baseUrl: service.url, signer })
  await expect(own(`${service.url}/mcp`)).rejects.toBeInstanceOf(ErgonError)
})
