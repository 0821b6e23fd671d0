import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  basicScopes,
  bearerClosedDoors,
  bearerNeed,
  operations,
  tools,
  type BearerNeed,
  type Operation,
} from '@ergon/contract'
import { send, type Reply } from '../dispatch/send.ts'
import { authority, signed } from '../dispatch/tiny-service.ts'
import { aTask, expectStatus, type Party } from '../http/live-market.ts'
import { ask, messageOf, toolCall, unwrapped, type Asked } from '../mcp/tokens.ts'
import { createHand, startAnother, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** Every kind of route meets every kind of caller, with tokens that the service itself issued (spec §5, OAuth). */
let live: LiveOAuth
let party: Party
let taskId: string
let ahead = 0
const now = () => new Date(Date.now() + ahead)
const tokens = new Map<string, string>()

beforeAll(async () => {
  live = await startLiveOAuth({ SVC_AUTHORITIES: authority }, { now })
  party = await live.market.party(0n)
  taskId = String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
  const hand = await createHand(live.issuer)
  tokens.set('expired', (await hand.tokens(party)).access_token)
  ahead += 3_601_000
  tokens.set('good', (await hand.tokens(party)).access_token)
  tokens.set('lacking', (await hand.tokens(party, { scopes: ['task:write'] })).access_token)
  const change = { scope: 'task:read worker:submit worker:withdraw reputation:rate' }
  tokens.set('asked for more', (await hand.tokens(party, { change })).access_token)
  const gone = await hand.tokens(party)
  await hand.revoke(gone.refresh_token)
  tokens.set('revoked', gone.access_token)
  // The same keys and the same issuer, for the tools of another host.
  await using other = await startAnother(live, { now }, { SVC_MCP_URL: 'https://elsewhere.example' })
  tokens.set('foreign', (await hand.tokens(party, { at: other.at })).access_token)
})
afterAll(() => live?.[Symbol.asyncDispose]())

const callers = ['nobody', 'expired', 'foreign', 'revoked', 'lacking', 'asked for more', 'good', 'wallet'] as const
type Caller = (typeof callers)[number]
type Answers = Readonly<Record<Caller, string>>

const told = ({ status, body }: Reply): string =>
  status === 401 || status === 403 ? `${String(status)} ${String(body.code)}` : 'past the gate'
const refusedTokens = {
  nobody: '401 UNAUTHORIZED',
  expired: '401 invalid_token',
  foreign: '401 invalid_token',
  revoked: '401 invalid_token',
} as const
const atTools = (lacking: string, more: string, good: string): Answers => ({
  ...refusedTokens,
  lacking,
  'asked for more': more,
  good,
  wallet: 'past the gate',
})
const [past, lacks, never] = ['past the gate', '403 insufficient_scope', '403 bearer_not_allowed']

const rows: readonly (readonly [what: string, asked: () => Asked, answers: Answers])[] = [
  ['a tool that any token may call', () => toolCall('svc_get_fees'), atTools(past, past, past)],
  ['a tool that reads', () => toolCall('svc_get_task', { task_id: taskId }), atTools(lacks, past, past)],
  ['a tool that writes', () => toolCall('svc_publish_task'), atTools(lacks, past, past)],
  ['a tool that releases money', () => toolCall('svc_approve_submission'), atTools(lacks, lacks, lacks)],
  ["a tool for the wallet's own key", () => toolCall('svc_submit_work'), atTools(never, never, never)],
  ['a tool behind a closed door', () => toolCall('svc_rate_worker'), atTools(never, never, never)],
  ['the list of tools', () => ({ method: 'tools/list' }), atTools(past, past, past)],
  ['a resource', () => resource('resources/read', { uri: `svc://tasks/${taskId}` }), atTools(lacks, past, past)],
]
const resource = (method: string, params: Readonly<Record<string, unknown>>): Asked => ({ method, params })

async function askAs(caller: Caller, asked: Asked): Promise<Reply> {
  if (caller !== 'wallet') return ask(live.market.url, tokens.get(caller) ?? null, asked)
  const { text, headers } = messageOf(asked)
  const added = await signed('POST', '/mcp', text, { key: party.key, headers, now: ahead / 1_000 })
  return send(live.market.url, 'POST', '/mcp', added, text)
}

describe.each(rows)('%s', (_what, asked, answers) => {
  test.each(callers)('asked by %s', async (caller) => {
    const reply = await askAs(caller, asked())
    expect(told(reply.status === 200 ? unwrapped(reply) : reply)).toBe(answers[caller])
    const challenge = String(reply.headers['www-authenticate'] ?? '')
    if (reply.status === 401) {
      expect(challenge).toContain(`resource_metadata="${live.issuer}/.well-known/oauth-protected-resource/mcp"`)
      expect(reply.headers['x-svc-auth-schemes']).toMatch(/^ERC8128 realm="/)
    }
    if (answers[caller] === lacks) expect(challenge).toMatch(/^Bearer error="insufficient_scope", .*, scope="[a-z:]+"$/)
    if (answers[caller] === never) expect(challenge).toBe('')
  })
})

describe.each([
  ['an open read', 'GET', '/api/v1/tasks/available'],
  ['a change', 'POST', '/api/v1/tasks'],
  ...bearerClosedDoors.map((door) => [`the door ${door}`, 'GET', `/api/v1/${door}/x`] as const),
  ['the agent endpoint', 'POST', '/a2a'],
  ['the stream of events', 'GET', '/ws'],
  ['a place that is none', 'GET', '/nowhere'],
] as const)('%s', (_what, method, target) => {
  test.each(callers.slice(1, -1))('takes no token, be it %s', async (caller) => {
    const headers = { host: authority, authorization: `Bearer ${tokens.get(caller) ?? ''}` }
    expect(told(await send(live.market.url, method, target, headers))).toBe(never)
  })

  test('refuses nobody for a token that was not sent', async () => {
    expect(told(await send(live.market.url, method, target, { host: authority }))).not.toMatch(/bearer|token/)
  })
})

const everyTool = Object.entries(tools).map(
  ([name, { operation }]) => [name, bearerNeed(operations[operation])] as const,
)

/** What the tokens were given: the page offers the five basic scopes whatever was asked for. */
const held = { lacking: ['task:write'], 'asked for more': basicScopes, good: basicScopes } as const

function atTool(caller: Exclude<Caller, 'wallet'>, need: BearerNeed): string {
  if (caller === 'nobody' || caller === 'expired' || caller === 'foreign' || caller === 'revoked')
    return refusedTokens[caller]
  if (need === 'refused') return never
  return need === 'token' || held[caller].some((scope) => scope === need) ? past : lacks
}

describe.each(everyTool)('the tool %s, which needs %s', (name, need) => {
  test.each(callers)('is answered for %s as its scope says', async (caller) => {
    const reply = await askAs(caller, toolCall(name))
    const answer = told(reply.status === 200 ? unwrapped(reply) : reply)
    const expected = caller === 'wallet' ? past : atTool(caller, need)
    // Past the gate a handler may still refuse, by a code of its own.
    if (expected === past) expect(answer).not.toMatch(/insufficient_scope|bearer_not_allowed|invalid_token|401/)
    else expect(answer).toBe(expected)
  })
})

const everyRoute = Object.values<Operation>(operations).flatMap(({ rest }) =>
  rest.map(
    ({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')] as const,
  ),
)

test.each(everyRoute)('%s %s takes no token, good or bad', async (method, path) => {
  for (const caller of ['good', 'expired', 'revoked', 'foreign', 'lacking'] as const) {
    const headers = { host: authority, authorization: `Bearer ${tokens.get(caller) ?? ''}` }
    expect([caller, told(await send(live.market.url, method, path, headers))]).toEqual([caller, never])
  }
})

test('what the wallet signs passes doors that a token does not', async () => {
  for (const target of ['/api/v1/tasks', '/api/v1/reputation/me', `/api/v1/escrow/${taskId}`]) {
    const headers = await signed('GET', target, undefined, { key: party.key, now: ahead / 1_000 })
    const { status } = await send(live.market.url, 'GET', target, headers)
    expect([target, status === 401 || status === 403]).toEqual([target, false])
  }
})
