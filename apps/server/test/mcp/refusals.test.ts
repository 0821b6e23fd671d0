import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import type { LiveMarket, Party } from '../http/live-market.ts'
import { startLiveTools } from './live-tools.ts'

let live: LiveMarket
let agent: Party
beforeAll(async () => {
  live = await startLiveTools({ SVC_MCP_URL: 'https://tools.market.test' })
  agent = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const message = (method: string, params: object = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })
const call = (name: string, args: object = {}): string => message('tools/call', { name, arguments: args })
const headersOf = (text: string): Record<string, string> => {
  const { method, params } = JSON.parse(text) as {
    readonly method: string
    readonly params: { readonly name?: string }
  } // made above
  return {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
  }
}

type Change = {
  readonly host?: string
  readonly headers?: Record<string, string>
  readonly target?: string
  readonly nonce?: string
  readonly now?: number
}
async function post(text: string, change: Change = {}): Promise<Reply> {
  const target = change.target ?? '/mcp/'
  const own = text.endsWith('}}}') ? headersOf(text) : { accept: 'application/json' }
  const headers = await signed('POST', target, text, {
    key: agent.key,
    authority: change.host ?? authority,
    headers: { ...own, ...change.headers },
    ...(change.nonce === undefined ? {} : { nonce: change.nonce }),
    ...(change.now === undefined ? {} : { now: change.now }),
  })
  return send(live.url, 'POST', target, headers, text)
}

const status = call('svc_server_status')

test('both spellings of the path answer, on the host of the tools and on every other of the service', async () => {
  for (const target of ['/mcp', '/mcp/']) {
    for (const host of [authority, 'tools.market.test']) {
      const reply = await post(status, { target, host })
      expect([target, host, reply.status]).toEqual([target, host, 200])
      expect(reply.body['result']).toMatchObject({ structuredContent: { status: 'healthy' } })
    }
  }
})

test('an unsigned call is 401 whatever it asks, and names the scheme', async () => {
  for (const [method, text] of [
    ['POST', status],
    ['POST', message('tools/list')],
    ['POST', 'no JSON'],
    ['GET', undefined],
    ['DELETE', undefined],
  ] as const) {
    const reply = await send(
      live.url,
      method,
      '/mcp/',
      { host: authority, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
      text,
    )
    expect([reply.status, reply.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(reply.headers['www-authenticate']).toBe('ERC8128 realm="tools.market.test", error="UNAUTHORIZED"')
    expect(reply.headers['x-svc-auth-schemes']).toBe('ERC8128 realm="tools.market.test"')
    expect(reply.body.detail).toMatchObject({ code: 'UNAUTHORIZED', retryable: false })
  }
})

test('a signature serves one request', async () => {
  const nonce = 'one-request-only'
  expect((await post(status, { nonce })).status).toBe(200)
  const again = await post(status, { nonce })
  expect([again.status, again.body.code]).toEqual([401, 'SIGNATURE_REPLAYED'])
  const elsewhere = await agent.call('POST', '/api/v1/workers/register', {}, {})
  expect(elsewhere.status).toBe(201)
})

test('a signature over another body, of another time or by half is refused', async () => {
  const headers = await signed('POST', '/mcp/', status, { key: agent.key, headers: headersOf(status) })
  const forged = await send(live.url, 'POST', '/mcp/', headers, call('svc_get_tasks'))
  expect([forged.status, forged.body.code]).toEqual([401, 'INVALID_SIGNATURE_HEADERS'])
  expect((await post(status, { now: -1_000 })).body.code).toBe('SIGNATURE_EXPIRED')
  const { signature: _dropped, ...half } = headers
  expect((await send(live.url, 'POST', '/mcp/', half, status)).status).toBe(401)
})

test.each([{ authorization: 'Bearer abc' }, { 'x-api-key': 'svc_free_0123456789' }])(
  'an API key or a bearer token is 403 before anything else: %o',
  async (key) => {
    for (const reply of [
      await send(live.url, 'POST', '/mcp', { host: authority, ...key, 'content-type': 'application/json' }, status),
      await post(status, { headers: key }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([403, 'API_KEY_REFUSED'])
    }
  },
)

test('foreign hosts and origins are refused before the signature is read', async () => {
  expect((await post(status, { host: 'evil.example' })).body.code).toBe('HOST_NOT_ALLOWED')
  const foreign = await post(status, { headers: { origin: 'https://evil.example' } })
  expect([foreign.status, foreign.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  expect((await post(status, { headers: { origin: live.url } })).status).toBe(200)
})

test('a body beyond a mebibyte is 413', async () => {
  const reply = await post(call('svc_get_tasks', { cursor: 'x'.repeat(1_100_000) }))
  expect([reply.status, reply.body.code]).toEqual([413, 'request_body_too_large'])
})

describe('what is no message of the protocol is refused by the protocol', () => {
  test.each([
    ['no JSON', '{"jsonrpc":', 400, -32700],
    ['a batch of the newest revision', `[${status}]`, 400, -32600],
    ['an empty batch', '[]', 400, -32600],
    ['a list that is no batch', `[${status},1]`, 400, -32700],
    ['a key twice', '{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"tools/list"}', 400, -32700],
    ['a method nobody knows', message('tools/steal'), 404, -32601],
    ['a tool nobody knows', call('svc_steal'), 200, -32602],
    ['a tool by the name of a property', call('__proto__'), 200, -32602],
    ['no tool at all', message('tools/call', { arguments: {} }), 200, -32602],
    ['arguments that are no object', message('tools/call', { name: 'svc_get_tasks', arguments: [1] }), 200, -32602],
    ['a resource nobody knows', message('resources/read', { uri: 'svc://secrets' }), 200, -32602],
  ])('%s', async (_what, text, httpStatus, code) => {
    const reply = await post(text, text.includes('svc://secrets') ? { headers: { 'mcp-name': 'svc://secrets' } } : {})
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', error: { code } })
    expect(reply.status).toBe(httpStatus)
  })

  test('another media type', async () => {
    expect((await post(status, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  })

  test('a header that says another method than the body', async () => {
    const reply = await post(status, { headers: { 'mcp-method': 'tools/list' } })
    expect([reply.status, reply.body]).toMatchObject([400, { error: { code: -32020 } }])
  })
})

describe('what an operation refuses is a tool error with the envelope of REST', () => {
  const someId = '01890000-0000-7000-8000-000000000000'
  test.each([
    ['svc_get_task', { task_id: someId }, 'TASK_NOT_FOUND'],
    ['svc_get_task', { task_id: 'nonsense' }, 'VALIDATION_FAILED'],
    ['svc_get_task', {}, 'VALIDATION_FAILED'],
    ['svc_get_tasks', { publisher: '0x0' }, 'UNKNOWN_FIELD'],
    ['svc_get_tasks', { agent_id: 7 }, 'VALIDATION_FAILED'],
    ['svc_publish_task', { title: 'Too little' }, 'VALIDATION_FAILED'],
    ['svc_register_as_executor', { executor_type: 'human' }, 'VALIDATION_FAILED'],
    ['svc_approve_submission', { submission_id: someId }, 'SUBMISSION_NOT_FOUND'],
    ['svc_order_service', { listing_id: someId }, 'LISTING_NOT_FOUND'],
    ['svc_order_service', { listing_id: someId, bounty: 1 }, 'UNKNOWN_FIELD'],
    ['svc_wait_for_event', { cursor: '?' }, 'VALIDATION_FAILED'],
  ])('%s %o', async (tool, args, code) => {
    const reply = await post(call(tool, args))
    expect(reply.status).toBe(200)
    const result = reply.body['result'] as { readonly content: readonly { readonly text: string }[] } // asserted next
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code, detail: { code, retryable: false, ref: expect.any(String) } },
    })
    expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({ code })
  })

  test('a decimal is read as it was written: seven digits are too many, wherever the number would be the same', async () => {
    const publish = {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and write what you see.',
      category: 'simple_action',
      bounty_usd: 1.07,
      evidence_required: ['text_response'],
    }
    const text = call('svc_publish_task', publish).replace('"bounty_usd":1.07', '"bounty_usd":1.07000000000000000001')
    const reply = await post(text)
    expect(reply.body['result']).toMatchObject({ isError: true, structuredContent: { code: 'INVALID_BOUNTY' } })
  })
})

test('a wallet is limited over tools and REST together, and told so by the status', async () => {
  await using busy = await startLiveTools({ SVC_RATE_WALLET_PER_MIN: '3' })
  const party = await busy.party(0n)
  const codes: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const headers = await signed('POST', '/mcp', status, { key: party.key, headers: headersOf(status) })
    codes.push((await send(busy.url, 'POST', '/mcp', headers, status)).status)
    codes.push((await party.call('GET', '/api/v1/tasks')).status)
  }
  expect(codes).toEqual([200, 200, 200, 429, 429, 429])
})
