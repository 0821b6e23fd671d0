import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from './send.ts'
import { authority, signed, startTinyService } from './tiny-service.ts'

let service: Awaited<ReturnType<typeof startTinyService>>
beforeAll(async () => {
  service = await startTinyService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('a route of a disabled feature says that it is off (spec §7)', () => {
  test.each([
    ['GET', '/api/v1/streams', 404, 'FEATURE_DISABLED'],
    ['POST', '/api/v1/streams/session/7/close', 404, 'FEATURE_DISABLED'],
    ['DELETE', '/api/v1/streams/whatever/it/is', 404, 'FEATURE_DISABLED'],
    ['GET', '/api/v1/taximetro/abc/history?limit=5', 404, 'FEATURE_DISABLED'],
    ['GET', '/oauth/authorize?response_type=code', 404, 'FEATURE_DISABLED'],
    ['GET', '/api/v1/mail/confirm?token=x', 404, 'FEATURE_DISABLED'],
    ['POST', '/api/v1/mail/stop?token=x', 404, 'FEATURE_DISABLED'],
    ['POST', '/oauth/token', 404, 'FEATURE_DISABLED'],
    ['GET', '/.well-known/oauth-protected-resource/mcp', 404, 'FEATURE_DISABLED'],
    ['GET', '/api/v1/nothing-of-the-kind', 404, 'NOT_FOUND'],
  ])('%s %s answers %i %s, signed and unsigned', async (method, target, status, code) => {
    const body = method === 'POST' ? '{"any":"thing"}' : undefined
    const unsigned = await send(
      service.url,
      method,
      target,
      { host: authority, 'content-type': 'application/json' },
      body,
    )
    expect([unsigned.status, unsigned.body.code, unsigned.body.detail]).toEqual([
      status,
      code,
      expect.objectContaining({ code, retryable: false }),
    ])
    const asWallet = await send(service.url, method, target, await signed(method, target, body), body)
    expect([asWallet.status, asWallet.body.code]).toEqual([status, code])
  })

  test('a path that there is not is named, as far as it is short', async () => {
    const path = '/api/v1/api/v1/tasks'
    const reply = await send(service.url, 'GET', `${path}?limit=5`, { host: authority })
    expect(reply.body['message']).toBe(`No operation answers GET ${path}.`)
    const long = await send(service.url, 'GET', `/${'x'.repeat(5_000)}`, { host: authority })
    expect(String(long.body['message']).length).toBeLessThan(250)
  })

  test('an API key is refused before anything else there too (spec §5.4)', async () => {
    const reply = await send(service.url, 'GET', '/api/v1/streams', { host: authority, authorization: 'Bearer x' })
    expect([reply.status, reply.body.code]).toEqual([403, 'API_KEY_REFUSED'])
  })
})
