import { operations, type Operation } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { startLiveOAuth, type LiveOAuth } from '../oauth/live-oauth.ts'

const elsewhere = 'https://page.example'
const someId = '01890a5d-ac96-774b-bcce-b302099a8057'

let live: LiveOAuth
beforeAll(async () => {
  live = await startLiveOAuth({ SVC_RATE_ANON_PER_MIN: '0' })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const ask = (method: string, target: string, headers: Record<string, string> = {}): Promise<Reply> =>
  send(live.issuer, method, target, { host: new URL(live.issuer).host, origin: elsewhere, ...headers })

const preflight = (method: string, target: string): Promise<Reply> =>
  ask('OPTIONS', target, {
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type,signature,signature-input,content-digest,x-idempotency-key',
  })

const bindings = Object.entries<Operation>(operations).flatMap(([name, definition]) =>
  definition.rest.map(({ method, path }) => ({
    name,
    method,
    path: path.replaceAll(/\{[a-z_]+\}/g, someId),
    isOwn:
      definition.access.by === 'session' || definition.access.by === 'admin' || path.startsWith('/api/v1/auth/session'),
  })),
)

describe('a browser that asks first (preflight)', () => {
  test('is told that every signed or public operation is for every origin, without credentials', async () => {
    for (const { name, method, path } of bindings.filter(({ isOwn }) => !isOwn)) {
      const { status, headers } = await preflight(method, path)
      expect([name, status, headers['access-control-allow-origin']]).toEqual([name, 204, '*'])
      expect(String(headers['access-control-allow-methods']).split(', ')).toContain(method)
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
      expect(allowed).toEqual(
        expect.arrayContaining([
          'signature',
          'signature-input',
          'content-digest',
          'content-type',
          'x-idempotency-key',
          'x-payment-auth',
          'last-event-id',
        ]),
      )
      expect(allowed).not.toContain('x-admin-key')
    }
  })

  test('is told of no origin where a session or the admin key opens the operation', async () => {
    const own = bindings.filter(({ isOwn }) => isOwn)
    expect(own.length).toBeGreaterThan(10)
    for (const { name, method, path } of own) {
      const { status, headers } = await preflight(method, path)
      const allowed = String(headers['access-control-allow-methods'] ?? '').split(', ')
      expect([name, status, allowed.includes(method)]).toEqual([name, 204, false])
    }
  })

  test.each([
    ['GET', '/.well-known/oauth-authorization-server', '*'],
    ['GET', '/.well-known/oauth-protected-resource', '*'],
    ['GET', '/.well-known/oauth-protected-resource/mcp', '*'],
    ['GET', '/oauth/jwks', '*'],
    ['POST', '/oauth/register', '*'],
    ['POST', '/oauth/token', '*'],
    ['POST', '/oauth/revoke', '*'],
    ['GET', '/oauth/authorize', undefined],
    ['POST', `/oauth/consent/${someId}`, undefined],
    ['GET', `/oauth/consent/${someId}/status`, undefined],
    ['POST', '/a2a', '*'],
    ['POST', '/mcp', undefined],
    ['PUT', '/api/v1/evidence/files/a/b', '*'],
    ['GET', '/ws/stats', undefined],
    ['GET', '/api/v1/streams', '*'],
  ])('%s %s is for %s', async (method, path, origin) => {
    const { status, headers } = await preflight(method, path)
    expect([status, headers['access-control-allow-origin']]).toEqual([204, origin])
  })

  test('hears of a path that nothing answers', async () => {
    expect((await preflight('GET', '/api/v1/nothing-of-the-kind')).status).toBe(404)
  })
})

describe('an answer to a page of another origin', () => {
  test.each([
    ['/api/v1/tasks', 200],
    ['/api/v1/tasks?limit=nothing', 422],
    [`/api/v1/tasks/${someId}`, 404],
    ['/api/v1/nothing-of-the-kind', 404],
    ['/api/v1/streams', 404],
    ['/llms.txt', 200],
    ['/openapi.json', 200],
    ['/.well-known/agent-card.json', 200],
    ['/.well-known/oauth-authorization-server', 200],
    ['/oauth/register/unknown', 404],
  ])('GET %s may be read there, with the headers that a client needs', async (path, status) => {
    const answer = await ask('GET', path)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, '*'])
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase().split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['x-request-id', 'ratelimit-remaining', 'x-ratelimit-reset', 'retry-after', 'etag']),
    )
  })

  test.each(['svc_session=anything', 'a=b; __Host-svc_session=anything'])(
    'with the cookie %s is for no other origin (sessions stay same-origin)',
    async (cookie) => {
      const answer = await ask('GET', '/api/v1/tasks', { cookie })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
    },
  )

  test.each(['/oauth/authorize', `/oauth/consent/${someId}/status`, '/api/v1/auth/session', '/api/v1/admin/config'])(
    'GET %s is for no other origin',
    async (path) => {
      expect((await ask('GET', path)).headers['access-control-allow-origin']).toBeUndefined()
    },
  )
})
