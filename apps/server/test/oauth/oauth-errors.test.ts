import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPool } from '../../src/adapters/postgres/index.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import type { Party } from '../http/live-market.ts'
import { ask, toolCall, unwrapped } from '../mcp/tokens.ts'
import { jobs } from '../tour/scene.ts'
import {
  basic,
  choose,
  createHand,
  createVisitor,
  open,
  post,
  startLiveOAuth,
  tokensOf,
  type LiveOAuth,
} from './live-oauth.ts'

/** Spec §7, OAuth and approval errors: each row is brought about with tokens that a consent issued. */
let stack: AsyncDisposableStack
let live: LiveOAuth
let publisher: Party
let scene: ReturnType<typeof jobs>
let hand: Awaited<ReturnType<typeof createHand>>
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  live = stack.use(await startLiveOAuth({ SVC_AUTHORITIES: authority }))
  pool = createPool(live.market.databaseUrl)
  stack.defer(() => pool.end())
  publisher = await live.market.party(100n)
  // None of its jobs is for a person here.
  scene = jobs(publisher, await live.market.party(0n), publisher)
  hand = await createHand(live.issuer)
})
afterAll(() => stack.disposeAsync())

const call = async (token: string | null, tool: string, args = {}): Promise<Reply> =>
  unwrapped(await ask(live.market.url, token, toolCall(tool, args)))
const told = ({ status, body }: Reply) => [status, body.code]
const challengeIn = ({ headers }: Reply): string => String(headers['www-authenticate'] ?? '')

/** A token that may release so much, so often; the wallet signed no standing order. */
async function approving(usd: string, count: string): Promise<string> {
  const more = Object.entries({ approve: 'yes', usd, count })
  return (await hand.tokens(publisher, { scopes: basic, more, signsOrder: false })).access_token
}
const approve = (token: string, submissionId: string): Promise<Reply> =>
  call(token, 'svc_approve_submission', { submission_id: submissionId })

describe('401 with Bearer challenge', () => {
  test.each([
    ['no token', null, 'UNAUTHORIZED', /^Bearer resource_metadata="[^"]+", scope="task:read"$/],
    ['an invalid token', 'e30.e30.e30', 'invalid_token', /^Bearer error="invalid_token", .*scope="task:read"$/],
  ])('%s', async (_what, token, code, challenge) => {
    const reply = await call(token, 'svc_get_fees')
    expect(told(reply)).toEqual([401, code])
    expect(challengeIn(reply)).toMatch(challenge)
  })
})

describe('403', () => {
  test('insufficient_scope: valid token lacks scope', async () => {
    const { access_token: token } = await hand.tokens(publisher, { scopes: ['task:read'] })
    const reply = await call(token, 'svc_publish_task')
    expect(told(reply)).toEqual([403, 'insufficient_scope'])
    expect(challengeIn(reply)).toMatch(/^Bearer error="insufficient_scope", .*, scope="agent:publish"$/)
    expect(reply.body.message).toMatch(/Reconnect it and allow agent:publish/)
  })

  test('bearer_not_allowed: door refuses delegated tokens', async () => {
    const { access_token: token } = await hand.tokens(publisher)
    const reply = await call(token, 'svc_submit_work')
    expect(told(reply)).toEqual([403, 'bearer_not_allowed'])
    expect(challengeIn(reply)).toBe('')
  })

  test('approval_amount_over_limit: release exceeds consented cap', async () => {
    const { submissionId } = await scene.submitted()
    const reply = await approve(await approving('1.06', '3'), submissionId)
    expect(told(reply)).toEqual([403, 'approval_amount_over_limit'])
    expect(reply.body['wallet_action']).toMatchObject({ kind: 'eip712', how_to_return: { parameter: 'approval' } })
  })

  test('approval_count_exhausted: approvals used up', async () => {
    const token = await approving('5', '1')
    const { gid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { gid: string }
    await pool.query(
      `insert into approval_budgets (grant_id, wallet, taken, kept_until) values ($1, $2, 1, now() + interval '1 day')`,
      [gid, publisher.wallet.toLowerCase()],
    )
    expect(told(await approve(token, (await scene.submitted()).submissionId))).toEqual([
      403,
      'approval_count_exhausted',
    ])
  })

  test('approval_budget_missing: token carries no limit', async () => {
    const more = Object.entries({ approve: 'yes', usd: '5', count: '1' })
    const code = await hand.codeOf(publisher, { more, signsOrder: false })
    // No consent of ours leaves the limits out.
    await pool.query('update oauth_grants set max_cents = null, max_count = null where code_used_at is null')
    const { access_token: token } = await tokensOf(await post(`${live.issuer}/oauth/token`, hand.codeFields(code)))
    expect(told(await approve(token, (await scene.submitted()).submissionId))).toEqual([403, 'approval_budget_missing'])
  })

  test('approval_amount_unknown: neither bounty nor escrow names an amount', async () => {
    const { taskId, submissionId } = await scene.submitted()
    // A token whose dollars nobody knows.
    await pool.query(`update tasks set token = 'EURC' where id = $1`, [taskId])
    expect(told(await approve(await approving('5', '1'), submissionId))).toEqual([403, 'approval_amount_unknown'])
  })

  test('approval_budget_unavailable: approval counter unreachable', async () => {
    const [{ submissionId }, token] = [await scene.submitted(), await approving('5', '1')]
    await pool.query('alter table approval_uses rename to approval_uses_away')
    try {
      expect(told(await approve(token, submissionId))).toEqual([403, 'approval_budget_unavailable'])
    } finally {
      await pool.query('alter table approval_uses_away rename to approval_uses')
    }
  })
})

test('400 invalid_grant: refresh token rotated or reused; family revoked', async () => {
  const refresh = async (token: string) => {
    const answer = await post(`${live.issuer}/oauth/token`, hand.refreshFields(token))
    return { status: answer.status, ...(await tokensOf(answer)) }
  }
  const first = await hand.tokens(publisher)
  const second = await refresh(first.refresh_token)
  expect(second.status).toBe(200)
  const reused = await refresh(first.refresh_token)
  expect([reused.status, reused.error]).toEqual([400, 'invalid_grant'])
  expect(reused.error_description).toContain('its family is revoked, sign in again')
  const renewed = await refresh(second.refresh_token)
  expect([renewed.status, renewed.error]).toEqual([400, 'invalid_grant'])
  await expect.poll(async () => told(await call(second.access_token, 'svc_get_fees'))).toEqual([401, 'invalid_token'])
})

test('409 delivery_already_used, 400 signature_mismatch, 404', async () => {
  const visitor = createVisitor()
  const begun = await open(visitor, hand.authorizeUrl())
  const { text, token } = await choose(visitor, begun, publisher.wallet)
  const deliver = async (delivery_token: string, signature: string, rid = begun.rid) => {
    const answer = await post(`${live.issuer}/oauth/consent/${rid}/signature`, { delivery_token, signature })
    const { error, status } = (await answer.json()) as { readonly error?: string; readonly status?: string }
    return [answer.status, error ?? status]
  }
  const signature = await publisher.signer.signMessage(text)
  const notFound = [404, 'not_found']
  expect(await deliver(token, await publisher.signer.signMessage(`${text} `))).toEqual([400, 'signature_mismatch'])
  expect(await deliver(token, 'no hex')).toEqual([400, 'signature_mismatch'])
  expect(await deliver(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, signature)).toEqual(notFound)
  expect(await deliver(token, signature, '0'.repeat(32))).toEqual(notFound)
  expect(await deliver('', signature)).toEqual(notFound)
  expect(await deliver(token, signature)).toEqual([200, 'signed'])
  expect(await deliver(token, signature)).toEqual([409, 'delivery_already_used'])
})
