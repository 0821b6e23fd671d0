import { ownClock } from '@ergon/dev-env/testing'
import { randomUUID } from 'node:crypto'
import { lowerAddress } from '@ergon/protocols'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createApprovalBudgets,
  createOAuthStore,
  createPool,
  createStandingWarrants,
} from '../../src/adapters/postgres/index.ts'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { eventually, expectStatus, startLiveMarket, type Party } from '../http/live-market.ts'
import { ask, toolCall } from '../mcp/tokens.ts'
import { connectHost, type BearerHost } from './bearer-client.ts'
import { connectTool } from './connected.ts'
import { startAnother, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

/** The owner of a wallet reads what its tools may do and did, and takes it back (decision 0131). */
const path = '/api/v1/account/grants'
const stack = new AsyncDisposableStack()
let live: LiveOAuth
let owner: Party
let pool: ReturnType<typeof createPool>
beforeAll(async () => {
  live = stack.use(await startLiveOAuth({ SVC_AUTHORITIES: authority }))
  pool = createPool(live.market.databaseUrl, { size: 2 })
  stack.defer(() => pool.end())
  owner = await live.market.party(0n)
})
afterAll(() => stack.disposeAsync())

type Grant = Readonly<Record<string, unknown>> & { readonly grant_id: string }
type Entry = Readonly<Record<string, unknown>> & { readonly kind: string }

const listed = async (by: Party = owner, query = ''): Promise<readonly Grant[]> =>
  expectStatus(await by.call('GET', `${path}${query}`), 200).body['grants'] as readonly Grant[] // the contract's output
const logged = async (by: Party, query = ''): Promise<readonly Entry[]> =>
  expectStatus(await by.call('GET', `${path}/log${query}`), 200).body['entries'] as readonly Entry[] // the same
const connect = (): Promise<BearerHost> => connectHost(`${live.issuer}/mcp`)
const limits = { usd: '5.00', count: '3' }
const doors = [
  ['GET', path],
  ['GET', `${path}/log`],
  ['DELETE', path],
  ['DELETE', `${path}/${'a'.repeat(43)}`],
] as const
const told = ({ status, body }: Reply) => [status, body.code]

describe('the list of the owner', () => {
  test('tells who was let in with what, from where, and what is left of it', async () => {
    const host = await connect()
    await host.signIn(owner, { scopes: ['task:read', 'agent:approve'], limits })
    const [one] = await listed()
    expect(one).toMatchObject({
      state: 'live',
      client_name: 'Host',
      client_host: null,
      redirect_host: 'tool.example',
      account: `eip155:31337:${owner.wallet.toLowerCase()}`,
      scopes: ['task:read', 'agent:approve'],
      approvals: { max_usd: 5, max_count: 3, left: 3 },
      revoked_at: null,
      revoked_for: null,
    })
    const { until } = one?.['approvals'] as { readonly until: string }
    expect(Date.parse(until) - Date.parse(String(one?.['created_at']))).toBeCloseTo(900_000, -4)
    const asked = { wallet: owner.wallet, reservation: randomUUID(), cents: 107n, maxCents: 500n, maxCount: 3 }
    const submissionId = randomUUID()
    const given = { ...asked, grantId: one?.grant_id ?? '', submissionId, expiresAt: new Date() }
    expect(await createApprovalBudgets(pool).reserve(given)).toBe('reserved')
    expect((await listed())[0]).toMatchObject({ approvals: { left: 2 } })
    await pool.query("update oauth_grants set code_used_at = now() - interval '16 minutes' where id = $1", [
      one?.grant_id,
    ])
    expect((await listed())[0]).toMatchObject({ state: 'live', approvals: { left: 0 } })
  })

  test('is paged, newest first, and of nobody else', async () => {
    const [party, stranger] = [await live.market.party(0n), await live.market.party(0n)]
    const ids: string[] = []
    for (const clientName of ['One', 'Two', 'Three'])
      ids.unshift(await connectTool(live.market.databaseUrl, party.wallet, { clientName }))
    const first = expectStatus(await party.call('GET', `${path}?limit=2`), 200).body
    expect(first).toMatchObject({ total: 3, count: 2, offset: 0, has_more: true })
    const second = expectStatus(await party.call('GET', `${path}?limit=2&offset=2`), 200).body
    expect(second).toMatchObject({ total: 3, count: 1, offset: 2, has_more: false })
    const pages = [first, second].flatMap((page) => page['grants'] as readonly Grant[])
    expect(pages.map(({ grant_id }) => grant_id)).toEqual(ids)
    expect(expectStatus(await stranger.call('GET', path), 200).body).toMatchObject({ grants: [], total: 0 })
    expect(await logged(stranger)).toEqual([])
    expect(told(await stranger.call('DELETE', `${path}/${String(ids[0])}`))).toEqual([404, 'GRANT_NOT_FOUND'])
    expect(expectStatus(await stranger.call('DELETE', path), 200).body).toEqual({ revoked: 0 })
    expect((await listed(party)).map(({ state }) => state)).toEqual(['live', 'live', 'live'])
  })

  test('names the host of a document, and calls a code that nobody fetched waiting, then unused', async () => {
    const party = await live.market.party(0n)
    const clientId = 'https://editor.example/client.json'
    const id = await connectTool(live.market.databaseUrl, party.wallet, { clientId })
    expect(await listed(party)).toMatchObject([{ client_id: clientId, client_host: 'editor.example' }])
    await pool.query('update oauth_grants set code_used_at = null where id = $1', [id])
    expect(await listed(party)).toMatchObject([{ state: 'waiting', last_used_at: null }])
    await pool.query("update oauth_grants set code_expires_at = now() - interval '1 second' where id = $1", [id])
    expect(await listed(party)).toMatchObject([{ state: 'unused', last_used_at: null }])
  })

  test('tells when a tool was last there, without a write for each call', async () => {
    const [party, host] = [await live.market.party(0n), await connect()]
    await host.signIn(party, { scopes: ['task:read'] })
    const [id, ago] = [(await listed(party))[0]?.grant_id, new Date(Date.now() - 3_600_000)]
    await pool.query('update oauth_grants set used_at = $2 where id = $1', [id, ago])
    const lastUsed = async (): Promise<number> => Date.parse(String((await listed(party))[0]?.['last_used_at']))
    expectStatus(await host.call('svc_get_fees'), 200)
    expect(await eventually(lastUsed, (at) => at > Date.now() - 60_000)).toBeGreaterThan(Date.now() - 60_000)
    await pool.query('update oauth_grants set used_at = $2 where id = $1', [id, ago])
    for (let count = 0; count < 20; count += 1) await host.call('svc_get_fees')
    expect(await lastUsed()).toBe(ago.getTime())
  })
})

describe('a note of use', () => {
  const store = () => createOAuthStore(pool)
  const usedAt = async (id: string): Promise<number> =>
    (
      await pool.query<{ used_at: Date }>('select used_at from oauth_grants where id = $1', [id])
    ).rows[0]?.used_at.getTime() ?? 0

  test('is written when the last is half a minute old, however many processes tell of it', async () => {
    const [id, now] = [await connectTool(live.market.databaseUrl, owner.wallet), new Date()]
    const before = new Date(now.getTime() - 30_000)
    await pool.query('update oauth_grants set used_at = $2 where id = $1', [id, before])
    await store().noteUses([id, 'nobody'], now)
    expect(await usedAt(id)).toBe(before.getTime())
    await store().noteUses([id], new Date(now.getTime() + 1))
    expect(await usedAt(id)).toBe(now.getTime() + 1)
  })

  test('does not wait for whoever holds the grant', async () => {
    const id = await connectTool(live.market.databaseUrl, owner.wallet)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select 1 from oauth_grants where id = $1 for update', [id])
      await store().noteUses([id], new Date(Date.now() + 60_000))
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect(await usedAt(id)).toBeLessThan(Date.now() + 30_000)
  })
})

describe('what the owner takes back', () => {
  test('is what was given until then: a consent that comes meanwhile is another one', async () => {
    const party = await live.market.party(0n)
    const before = new Date(Date.now() - 1_000)
    const id = await connectTool(live.market.databaseUrl, party.wallet)
    const store = createOAuthStore(pool)
    expect(await store.liveGrantsOf(lowerAddress(party.wallet), before, 10)).toEqual([])
    expect(await store.liveGrantsOf(lowerAddress(party.wallet), new Date(), 10)).toEqual([id])
  })

  test('is refused by another process within a second, with its tokens and its standing order', async () => {
    await using other = await startAnother(live)
    const [party, host] = [await live.market.party(0n), await connect()]
    const { access_token: token } = await host.signIn(party, { scopes: ['task:read', 'agent:approve'], limits })
    const there = (): Promise<Reply> =>
      ask(other.at, token, toolCall('svc_get_fees'), { host: new URL(live.issuer).host })
    expect((await there()).status).toBe(200)
    const id = (await listed(party))[0]?.grant_id ?? ''
    const key = { grantId: id, chainId: 31337, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3' }
    expect(await createStandingWarrants(pool).find(key)).not.toBeNull()
    const revoked = expectStatus(await party.call('DELETE', `${path}/${id}`), 200)
    const ownMs = ownClock()
    expect(revoked.body).toMatchObject({ grant_id: id, state: 'revoked', revoked_for: 'revoked_by_owner' })
    expect(await createStandingWarrants(pool).find(key)).toBeNull()
    const last = await eventually(there, ({ status }) => status === 401)
    const tookMs = await ownMs()
    process.stdout.write(`a revocation was seen by another process after ${tookMs.toFixed(0)} ms\n`)
    expect(told(last)).toEqual([401, 'invalid_token'])
    expect(tookMs).toBeLessThan(1_000)
    expect(told(await host.call('svc_get_fees'))).toEqual([401, 'invalid_token'])
    // Once more it stays what it is.
    const again = expectStatus(await party.call('DELETE', `${path}/${id}`), 200)
    expect(again.body).toEqual(revoked.body)
    expect((await logged(party)).filter(({ kind }) => kind === 'revoked')).toHaveLength(1)
  })

  test('can be everything at once: more than one batch of it, and nothing of others', async () => {
    const [party, stranger] = [await live.market.party(0n), await live.market.party(0n)]
    const tools: BearerHost[] = [await connect(), await connect()]
    for (const host of tools) await host.signIn(party, { scopes: ['task:read'] })
    await connectTool(live.market.databaseUrl, stranger.wallet)
    await pool.query(
      `insert into oauth_grants select gen_random_uuid()::text, client_id, client_name, wallet, chain_id, scopes,
          max_cents, max_count, resource, redirect_uri, challenge, gen_random_uuid()::text, code_expires_at,
          code_used_at, created_at, used_at, expires_at from oauth_grants, generate_series(1, 60) where wallet = $1`,
      [party.wallet.toLowerCase()],
    )
    expect(expectStatus(await party.call('DELETE', path), 200).body).toEqual({ revoked: 122 })
    await Promise.all(
      tools.map((host) =>
        eventually(
          () => host.call('svc_get_fees'),
          ({ status }) => status === 401,
        ),
      ),
    )
    for (const host of tools) expect(told(await host.call('svc_get_fees'))).toEqual([401, 'invalid_token'])
    expect(await listed(stranger)).toMatchObject([{ state: 'live' }])
    expect(expectStatus(await party.call('DELETE', path), 200).body).toEqual({ revoked: 0 })
  })

  test('is for the wallet itself: a token is refused at every one of these doors', async () => {
    const [party, host] = [await live.market.party(0n), await connect()]
    const { access_token: token } = await host.signIn(party, { scopes: ['task:read'] })
    const headers = { host: authority, authorization: `Bearer ${token}` }
    for (const [method, target] of doors)
      expect(told(await send(live.market.url, method, target, headers))).toEqual([403, 'bearer_not_allowed'])
    expect(await listed(party)).toMatchObject([{ state: 'live' }])
  })
})

test('where the rail is off these doors say so, signed and unsigned', async () => {
  await using without = await startLiveMarket({ DATABASE_URL: live.market.databaseUrl }, live.market.rig, {
    unproven: true,
    withoutDuties: true,
  })
  for (const [method, target] of doors) {
    expect(told(await without.known(owner).call(method, target))).toEqual([404, 'FEATURE_DISABLED'])
    expect(told(await send(without.url, method, target, { host: authority }))).toEqual([404, 'FEATURE_DISABLED'])
  }
})

describe('the log of the owner', () => {
  test('has each kind once, is paged, and is in the export of the account', async () => {
    const [party, host] = [await live.market.party(0n), await connect()]
    await host.signIn(party, { scopes: ['task:read', 'agent:approve'], limits })
    // Refused for want of a scope, three times: one entry.
    for (let count = 0; count < 3; count += 1)
      expect(told(await host.call('svc_publish_task', {}))).toEqual([403, 'insufficient_scope'])
    const grantId = (await listed(party))[0]?.grant_id ?? ''
    await approvals(party, grantId)
    expectStatus(await party.call('DELETE', `${path}/${grantId}`), 200)
    const entries = await eventually(
      () => logged(party),
      (all) => all.some(({ kind }) => kind === 'stepped_up'),
    )
    expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual(
      expect.arrayContaining([
        ['consented', 'task:read agent:approve by signature'],
        ['token_issued', null],
        ['stepped_up', 'agent:publish'],
        ['approval_granted', null],
        ['approval_returned', null],
        ['approval_refused', 'approval_amount_over_limit'],
        ['revoked', 'revoked_by_owner'],
      ]),
    )
    expect(entries).toHaveLength(7)
    expect(entries.find(({ kind }) => kind === 'approval_granted')).toMatchObject({ amount_usd: 1.07, times: 1 })
    const paged: Entry[] = []
    for (let cursor = ''; ;) {
      const page = expectStatus(await party.call('GET', `${path}/log?limit=3${cursor}`), 200).body
      paged.push(...(page['entries'] as readonly Entry[]))
      const next = page['next_cursor']
      if (typeof next !== 'string') break
      cursor = `&cursor=${next}`
    }
    expect(paged).toEqual(entries)
    const file = expectStatus(await party.call('GET', '/api/v1/account/export'), 200).body
    const kept = file['tool_log'] as readonly Entry[] // the export's own shape
    expect(kept.map(({ kind }) => kind).sort()).toEqual(entries.map(({ kind }) => kind).sort())
    expect(kept).toContainEqual(expect.objectContaining({ kind: 'approval_granted', cents: 107 }))
    expect(file['connected_tools']).toMatchObject([{ id: grantId, revoked_for: 'revoked_by_owner' }])
  })

  /** One that is made and comes to nothing, and one above the limit. */
  async function approvals(party: Party, grantId: string): Promise<void> {
    const budgets = createApprovalBudgets(pool)
    const asked = { grantId, wallet: party.wallet, maxCents: 500n, maxCount: 3, expiresAt: new Date() }
    const one = { ...asked, submissionId: randomUUID(), reservation: randomUUID(), cents: 107n }
    expect(await budgets.reserve(one)).toBe('reserved')
    await budgets.giveBack(one)
    const large = { ...asked, submissionId: randomUUID(), reservation: randomUUID(), cents: 501n }
    expect(await budgets.reserve(large)).toBe('over')
  }

  test('counts what a tool tries again and again in one entry, the latest first', async () => {
    const party = await live.market.party(0n)
    const grantId = await connectTool(live.market.databaseUrl, party.wallet)
    const budgets = createApprovalBudgets(pool)
    const one = {
      grantId,
      wallet: party.wallet,
      submissionId: randomUUID(),
      cents: 107n,
      maxCents: 500n,
      maxCount: 1,
      expiresAt: new Date(),
    }
    for (let count = 0; count < 5; count += 1) {
      const attempt = { ...one, reservation: randomUUID() }
      expect(await budgets.reserve(attempt)).toBe('reserved')
      await budgets.giveBack(attempt)
    }
    expect(await budgets.reserve({ ...one, reservation: randomUUID() })).toBe('reserved')
    const other = { ...one, submissionId: randomUUID(), reservation: randomUUID() }
    expect(await budgets.reserve(other)).toBe('exhausted')
    await budgets.noteRefused({ grantId, submissionId: null, code: 'approval_budget_missing' })
    await budgets.noteRefused({ grantId, submissionId: null, code: 'approval_budget_missing' })
    expect((await logged(party, '?limit=4')).map(({ kind, detail, times }) => [kind, detail, times])).toEqual([
      ['approval_refused', 'approval_budget_missing', 2],
      ['approval_refused', 'approval_count_exhausted', 1],
      ['approval_granted', null, 6],
      ['approval_returned', null, 5],
    ])
  })

  test('tells what the duty gave back', async () => {
    const party = await live.market.party(0n)
    const grantId = await connectTool(live.market.databaseUrl, party.wallet)
    const budgets = createApprovalBudgets(pool)
    const one = { grantId, wallet: party.wallet, submissionId: randomUUID(), reservation: randomUUID(), cents: 107n }
    await budgets.reserve({ ...one, maxCents: 500n, maxCount: 1, expiresAt: new Date() })
    await pool.query("update approval_uses set reserved_at = now() - interval '11 minutes' where grant_id = $1", [
      grantId,
    ])
    await eventually(
      () => budgets.settle(100).then(() => logged(party)),
      (all) => all.some(({ kind }) => kind === 'approval_returned'),
    )
    expect((await logged(party))[0]).toMatchObject({ kind: 'approval_returned', amount_usd: 1.07 })
  })
})
