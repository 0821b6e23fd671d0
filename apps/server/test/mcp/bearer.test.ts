import { bearerNeed, operations, tools, type OAuthScope, type Operation, type Tool } from '@ergon/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { aTask, expectStatus, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { ask, createTokens, messageOf, toolCall, unwrapped } from './tokens.ts'

/** Tokens at the door of the tools: every tool, every kind of caller (spec §5, OAuth 1, 7 and 8). */
const tokens = createTokens()
let live: LiveMarket
let agent: Party
beforeAll(async () => {
  live = await startLiveMarket({}, undefined, { grants: tokens.grants })
  agent = await live.party(0n)
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
})

const metadata = `resource_metadata="http://${authority}/.well-known/oauth-protected-resource/mcp"`
const every: readonly OAuthScope[] = [
  'task:read',
  'task:write',
  'task:cancel',
  'worker:apply',
  'agent:publish',
  'agent:approve',
  'worker:submit',
  'worker:withdraw',
  'reputation:rate',
]
const rows = Object.entries<Tool>(tools).map(
  ([name, { operation }]) => [name, bearerNeed(operations[operation] as Operation)] as const,
)
const told = ({ status, body }: Reply) => [status, body.code]

async function asWallet(name: string): Promise<Reply> {
  const { text, headers } = messageOf(toolCall(name))
  return send(live.url, 'POST', '/mcp', await signed('POST', '/mcp', text, { key: agent.key, headers }), text)
}

/** Past the gate: what the tool makes of empty arguments is not what is asked here. */
const isPast = (reply: Reply): boolean =>
  reply.status === 200 &&
  !['insufficient_scope', 'bearer_not_allowed', 'UNAUTHORIZED', 'invalid_token'].includes(
    String(unwrapped(reply).body.code),
  )

describe.each(rows)('%s, which needs %s', (name, need) => {
  test('without a token is 401 with both challenges', async () => {
    const reply = await ask(live.url, null, toolCall(name))
    expect(told(reply)).toEqual([401, 'UNAUTHORIZED'])
    expect(reply.headers['www-authenticate']).toBe(`Bearer ${metadata}, scope="task:read"`)
    expect(reply.headers['x-svc-auth-schemes']).toBe(`ERC8128 realm="${authority}"`)
  })

  test.each([
    ['expired', () => tokens.issue(agent.wallet, { expiresAt: new Date(Date.now() - 10_000) })],
    ['for a foreign resource', () => tokens.issue(agent.wallet, { resource: 'https://elsewhere.test/mcp' })],
    [
      'revoked',
      () => {
        const token = tokens.issue(agent.wallet)
        tokens.revoke(token)
        return token
      },
    ],
    ['that nobody issued', () => 'eyJhbGciOiJub25lIn0.e30.'],
  ])('with a token %s is 401, and says that it is the token', async (_what, token) => {
    const reply = await ask(live.url, token(), toolCall(name))
    expect(told(reply)).toEqual([401, 'invalid_token'])
    expect(reply.headers['www-authenticate']).toMatch(
      new RegExp(`^Bearer error="invalid_token", error_description="[^"]+", ${metadata}, scope="task:read"$`),
    )
    expect(reply.headers['x-svc-auth-schemes']).toBe(`ERC8128 realm="${authority}"`)
  })

  test('with a token that lacks what it needs', async () => {
    const held = every.filter((scope) => scope !== need)
    const reply = await ask(live.url, tokens.issue(agent.wallet, { scopes: new Set(held) }), toolCall(name))
    if (need === 'token') return expect(isPast(reply)).toBe(true)
    if (need === 'refused') {
      expect(told(reply)).toEqual([403, 'bearer_not_allowed'])
      return expect(reply.headers['www-authenticate']).toBeUndefined()
    }
    expect(told(reply)).toEqual([403, 'insufficient_scope'])
    expect(reply.headers['www-authenticate']).toMatch(
      new RegExp(`^Bearer error="insufficient_scope", error_description="[^"]+", ${metadata}, scope="${need}"$`),
    )
    expect(reply.body.message).toMatch(new RegExp(`Reconnect it and allow ${need}`))
  })

  test('with a token of every scope, those for the own key too', async () => {
    const reply = await ask(live.url, tokens.issue(agent.wallet, { scopes: new Set(every) }), toolCall(name))
    if (need === 'refused') return expect(told(reply)).toEqual([403, 'bearer_not_allowed'])
    expect(isPast(reply), JSON.stringify(reply.body)).toBe(true)
  })

  test('signed by the wallet is let in as ever', async () => {
    expect(isPast(await asWallet(name))).toBe(true)
  })
})

test('a tool list shows what the token reaches and what releases money, and everything to who signs', async () => {
  const listed = async (scopes: readonly OAuthScope[]) => {
    const reply = await ask(live.url, tokens.issue(agent.wallet, { scopes: new Set(scopes) }), { method: 'tools/list' })
    const { tools: shown } = reply.body['result'] as { readonly tools: readonly { readonly name: string }[] }
    return { names: shown.map(({ name }) => name), result: reply.body['result'] }
  }
  const of = (...needs: readonly string[]) => rows.filter(([, need]) => needs.includes(need)).map(([name]) => name)
  expect((await listed(['task:read'])).names).toEqual(of('token', 'task:read', 'agent:approve'))
  expect((await listed(['agent:approve', 'worker:submit'])).names).toEqual(of('token', 'agent:approve'))
  expect((await listed(every)).names).toEqual(rows.filter(([, need]) => need !== 'refused').map(([name]) => name))
  expect((await listed(every)).result).toMatchObject({ cacheScope: 'private' })
  const { text, headers } = messageOf({ method: 'tools/list' })
  const whole = await send(
    live.url,
    'POST',
    '/mcp',
    await signed('POST', '/mcp', text, { key: agent.key, headers }),
    text,
  )
  const { tools: all } = whole.body['result'] as { readonly tools: readonly unknown[] }
  expect(all).toHaveLength(rows.length)
  expect(whole.body['result']).toMatchObject({ cacheScope: 'public' })
})

test('a token acts as its wallet: what it publishes is its own, and reads as its own', async () => {
  const token = tokens.issue(agent.wallet)
  const published = unwrapped(await ask(live.url, token, toolCall('svc_publish_task', aTask())))
  const id = String(published.body['id'])
  expect((await agent.call('GET', `/api/v1/tasks/${id}/applications`)).status).toBe(200)
  const read = await ask(live.url, token, { method: 'resources/read', params: { uri: `svc://tasks/${id}` } })
  expect(JSON.stringify(read.body)).toContain(agent.wallet.toLowerCase())
  const cancelled = unwrapped(await ask(live.url, token, toolCall('svc_cancel_task', { task_id: id })))
  expect(cancelled.body).toMatchObject({ status: 'cancelled' })
})

test('a task is no resource for a token without task:read: the step-up names it', async () => {
  const token = tokens.issue(agent.wallet, { scopes: new Set<OAuthScope>(['task:write']) })
  const uri = `svc://tasks/${crypto.randomUUID()}`
  for (const asked of [
    { method: 'resources/read', params: { uri } },
    { method: 'subscriptions/listen', params: { notifications: { resourceSubscriptions: [uri] } } },
  ]) {
    const reply = await ask(live.url, token, asked)
    expect(told(reply)).toEqual([403, 'insufficient_scope'])
    expect(reply.headers['www-authenticate']).toMatch(/scope="task:read"$/)
  }
})

test('a request proves itself once', async () => {
  const token = tokens.issue(agent.wallet)
  const { text, headers } = messageOf(toolCall('svc_get_fees'))
  const both = await signed('POST', '/mcp', text, { key: agent.key, headers })
  const replies = [
    await send(live.url, 'POST', '/mcp', { ...both, authorization: `Bearer ${token}` }, text),
    await ask(live.url, null, toolCall('svc_get_fees'), { authorization: [`Bearer ${token}`, `Bearer ${token}`] }),
    await ask(live.url, null, toolCall('svc_get_fees'), { authorization: [`Basic eA==`, `Bearer ${token}`] }),
  ]
  for (const reply of replies) expect(told(reply)).toEqual([400, 'MALFORMED_BODY'])
})

test.each([
  ['an agent key as a token', { authorization: 'Bearer svc_free_0123456789' }, 403, 'API_KEY_REFUSED'],
  ['an agent key', { 'x-api-key': 'svc_free_0123456789' }, 403, 'API_KEY_REFUSED'],
  ['no token after the scheme', { authorization: 'Bearer' }, 401, 'invalid_token'],
  ['a token with blanks', { authorization: 'Bearer a b' }, 401, 'invalid_token'],
  ['a token of five thousand characters', { authorization: `Bearer ${'a'.repeat(5_000)}` }, 401, 'invalid_token'],
  ['another scheme', { authorization: 'Basic eA==' }, 401, 'UNAUTHORIZED'],
] as const)('%s', async (_what, headers, status, code) => {
  expect(told(await ask(live.url, null, toolCall('svc_get_fees'), headers))).toEqual([status, code])
})

test('what cannot be asked about opens nothing', async () => {
  const token = tokens.issue(agent.wallet)
  tokens.away(true)
  expect(told(await ask(live.url, token, toolCall('svc_get_fees')))).toEqual([503, 'SERVICE_BUSY'])
  tokens.away(false)
  expect((await ask(live.url, token, toolCall('svc_get_fees'))).status).toBe(200)
})

describe('a token opens nothing but the tool endpoint', () => {
  const targets = Object.values<Operation>(operations).flatMap(({ rest }) =>
    rest.map(({ method, path }) => [method, path.replaceAll(/\{[a-z_]+\}/g, crypto.randomUUID())] as const),
  )
  test.each([...targets, ['POST', '/a2a'] as const, ['GET', '/nowhere'] as const])('%s %s', async (method, target) => {
    const token = tokens.issue(agent.wallet, { scopes: new Set(every) })
    const reply = await send(live.url, method, target, { host: authority, authorization: `Bearer ${token}` })
    expect(told(reply)).toEqual([403, 'bearer_not_allowed'])
    const key = await send(live.url, method, target, { host: authority, 'x-api-key': 'k' })
    expect(told(key)).toEqual([403, 'API_KEY_REFUSED'])
  })
})

test('an invalid signature is told of as ever', async () => {
  const { text, headers } = messageOf(toolCall('svc_get_fees'))
  const old = await signed('POST', '/mcp', text, { key: agent.key, headers, now: -1_000 })
  const reply = await send(live.url, 'POST', '/mcp', old, text)
  expect(told(reply)).toEqual([401, 'SIGNATURE_EXPIRED'])
  expect(reply.headers['www-authenticate']).toBe(`ERC8128 realm="${authority}", error="SIGNATURE_EXPIRED"`)
})

test('whoever guesses tokens is put off, and a good token behind the same address goes on', async () => {
  await using small = await startLiveMarket({ SVC_RATE_ANON_PER_MIN: '2' }, live.rig, { grants: tokens.grants })
  const token = tokens.issue(agent.wallet)
  expect((await ask(small.url, token, toolCall('svc_get_fees'))).status).toBe(200)
  const statuses: number[] = []
  for (let guess = 0; guess < 25; guess += 1)
    statuses.push((await ask(small.url, `guess-${String(guess)}`, toolCall('svc_get_fees'))).status)
  expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 401))
  expect(statuses.slice(20)).toEqual(Array.from({ length: 5 }, () => 429))
  expect((await ask(small.url, token, toolCall('svc_get_fees'))).status).toBe(200)
})

test('a banned wallet is banned by its tokens too', async () => {
  await using strict = await startLiveMarket({ SVC_ADMIN_KEY: adminKey }, live.rig, { grants: tokens.grants })
  const banned = await strict.party(0n)
  const ban = { banned: true, reason: 'Fake evidence.' }
  expectStatus(await asAdmin(strict, 'PUT', `/api/v1/admin/workers/${banned.wallet}/ban`, ban), 200)
  const reply = unwrapped(await ask(strict.url, tokens.issue(banned.wallet), toolCall('svc_get_tasks')))
  expect(reply.body.code).toBe('WALLET_BLOCKED')
})
