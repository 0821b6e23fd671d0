import { operations, type Operation } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { startLiveOAuth, type LiveOAuth } from '../oauth/live-oauth.ts'
import { liveChannels } from './live-channels.ts'

const someId = '01890a5d-ac96-774b-bcce-b302099a8057'

let live: LiveOAuth
beforeAll(async () => {
  const { wired } = liveChannels()
  live = await startLiveOAuth({ SVC_RATE_ANON_PER_MIN: '0', SVC_AUTHORITIES: authority }, { channels: wired })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const ask = (method: string, target: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(live.issuer, method, target, { host: new URL(live.issuer).host, ...headers })

const filled = (path: string): string => path.replaceAll(/\{[a-z_]+\}/g, someId)
const methodsOf = new Map<string, Set<string>>()
for (const { rest } of Object.values<Operation>(operations))
  for (const { method, path } of rest) methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method))

describe('a wrong method is 405 with Allow', () => {
  test('on every path of REST', async () => {
    for (const [path, methods] of methodsOf) {
      // A fixed path may be met by the placeholder of another one.
      const wrong = ['PUT', 'DELETE', 'PATCH', 'POST', 'GET'].find((method) =>
        [...methodsOf].every(([other, its]) => !its.has(method) || !meets(other, filled(path))),
      )
      if (wrong === undefined) throw new Error(`${path} answers everything`)
      const reply = await ask(wrong, filled(path), { 'content-type': 'application/json' })
      expect([path, wrong, reply.status, reply.body.code]).toEqual([path, wrong, 405, 'METHOD_NOT_ALLOWED'])
      const allow = String(reply.headers['allow']).split(', ')
      expect(allow).toEqual(expect.arrayContaining([...methods, 'OPTIONS']))
      expect(allow).not.toContain(wrong)
      expect(reply.body.details).toEqual({ allow: allow.filter((one) => one !== 'OPTIONS') })
    }
  })

  test.each([
    ['POST', '/llms.txt', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PUT', '/.well-known/agent-card.json', 'GET, HEAD, OPTIONS'],
    ['GET', '/a2a', 'POST, OPTIONS'],
    ['HEAD', '/a2a', 'POST, OPTIONS'],
    ['PUT', '/mcp', 'DELETE, GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/mcp/', 'DELETE, GET, HEAD, POST, OPTIONS'],
    ['GET', '/oauth/token', 'POST, OPTIONS'],
    ['GET', '/oauth/revoke', 'POST, OPTIONS'],
    ['PUT', '/oauth/register', 'POST, OPTIONS'],
    ['POST', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ['POST', '/.well-known/oauth-authorization-server', 'GET, HEAD, OPTIONS'],
    ['POST', '/ws', 'GET, HEAD, OPTIONS'],
    ['POST', '/livez', 'GET, HEAD, OPTIONS'],
    ['POST', '/api/v1/evidence/files/a/b', 'GET, HEAD, PUT, OPTIONS'],
  ])('%s %s allows %s', async (method, path, allow) => {
    const reply = await ask(method, path)
    expect([reply.status, reply.headers['allow']]).toEqual([405, allow])
  })

  test('and a path that nothing answers stays 404', async () => {
    const reply = await ask('PUT', '/api/v1/nothing-of-the-kind')
    expect([reply.status, reply.headers['allow']]).toEqual([404, undefined])
  })
})

describe('HEAD answers where GET does', () => {
  test('on every public read and document: the same status and headers, no content', async () => {
    const reads = Object.entries<Operation>(operations).flatMap(([name, { rest }]) =>
      rest.flatMap(({ method, path }) => (method === 'GET' && !name.endsWith('.stream') ? filled(path) : [])),
    )
    for (const path of [
      ...reads,
      '/llms.txt',
      '/openapi.json',
      '/oauth/jwks',
      '/livez',
      '/ws/stats',
      '/mcp',
      '/mcp/',
    ]) {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
      expect([path, head.status, head.body]).toEqual([path, get.status, {}])
      expect([path, head.headers['content-type']]).toEqual([path, get.headers['content-type']])
      expect([path, head.headers['etag']]).toEqual([path, get.headers['etag']])
    }
  })

  test('says how long the content would be', async () => {
    const [get, head] = [await ask('GET', '/SKILL.md'), await ask('HEAD', '/SKILL.md')]
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000)
  })

  test('a signature over HEAD proves who asks', async () => {
    const party = await live.market.party(0n)
    expect((await ask('HEAD', '/api/v1/account/export')).status).toBe(
      (await ask('GET', '/api/v1/account/export')).status,
    )
    expect((await ask('HEAD', '/api/v1/account/export')).status).toBeGreaterThan(400)
    expect((await party.call('HEAD', '/api/v1/account/export')).status).toBe(200)
    expect((await party.call('GET', '/api/v1/webhooks')).status).toBe(200)
    for (const method of ['GET', 'HEAD'])
      expect([method, (await party.call(method, '/mcp')).status]).toEqual([method, 405])
  })

  test('a stream begins for nobody', async () => {
    for (let count = 0; count < 8; count += 1) {
      const head = await ask('HEAD', '/api/v1/events/stream')
      expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    }
  })

  test('what GET answered is not sent again', async () => {
    const etag = String((await ask('GET', '/llms.txt')).headers['etag'])
    expect((await ask('HEAD', '/llms.txt', { 'if-none-match': etag })).status).toBe(304)
  })
})

function meets(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
}
