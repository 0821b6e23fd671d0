import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import pg from 'pg'
import { freePort } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { WalletAction } from '@ergon/contract'
import { createPool } from '../../src/adapters/postgres/index.ts'
import { openLinkBook } from '../../src/wire-linked-signer.ts'
import type { Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { adminKey, asAdmin } from '../http/live-admin.ts'
import { anArbiter, rulingFields } from '../http/live-offers.ts'
import {
  applied,
  assign,
  aTask,
  expectStatus,
  paymentAuth,
  submit,
  eventually,
  type Party,
} from '../http/live-market.ts'
import { messageOf, toolCall, unwrapped } from '../mcp/tokens.ts'
import { connectHost } from '../oauth/bearer-client.ts'
import { browser } from '../push/browser.ts'
import { basic, createHand, post, tokensOf } from '../oauth/live-oauth.ts'
import { startSignerDouble, type SignerDouble } from '../oauth/signer-double.ts'
import { isAsked, startLineToDatabase, type LineToDatabase } from './line-to-database.ts'
import { healed, honest, keyed, loseEach, untilAnswered, type Call } from './lose-each.ts'
import { facilitatorSchema } from '@ergon/facilitator/testing'

/**
 * What is decided without money moving by it: rulings, reports, bans, blocks, and what a tool may do. Each answer of
 * the database is lost once; the same call again ends in one decision.
 */

let market: LineToDatabase
let issuer: string
let publisher: Party
let worker: Party
let arbiter: Party
let signer: SignerDouble
const stack = new AsyncDisposableStack()
let books: pg.Pool
beforeAll(async () => {
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  books = new pg.Pool({ connectionString: database.url, max: 1 })
  stack.defer(() => books.end())
  const port = String(await freePort())
  issuer = `http://127.0.0.1:${port}`
  signer = stack.use(await startSignerDouble())
  const signing = { SVC_LINKED_SIGNER_URL: `${signer.url}/`, SVC_LINKED_SIGNER_KEY: signer.key }
  const address = { ...signing, SVC_PORT: port, SVC_BASE_URL: issuer, SVC_MCP_URL: issuer, SVC_OAUTH: 'true' }
  market = stack.use(
    await startLineToDatabase(
      {
        ...address,
        SVC_AUTHORITIES: authority,
        SVC_ADMIN_KEY: adminKey,
        SVC_SETTLE_WAIT_MS: '400',
        SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true',
      },
      { withoutDuties: true },
      { DATABASE_URL: database.url },
    ),
  )
  publisher = await market.live.party(1_000n)
  worker = await market.live.party(0n)
  const admin = (method: string, target: string, body?: unknown) => asAdmin(market.live, method, target, body)
  arbiter = await anArbiter({ market: market.live, admin })
})
afterAll(() => stack.disposeAsync())
beforeEach(() => healed(market))

async function disputed(): Promise<string> {
  const job = await applied(publisher, worker)
  expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
  const submissionId = await submit(worker, job.taskId)
  const said = { reason: 'no_response', description: 'Nobody looks at it.' }
  return String(
    expectStatus(await worker.call('POST', `/api/v1/submissions/${submissionId}/dispute`, said), 201).body['id'],
  )
}
const publishedBy = async (party: Party): Promise<string> =>
  String(expectStatus(await party.call('POST', '/api/v1/tasks', aTask()), 201).body['id'])
const count = async (table: string, where: string, values: readonly unknown[]): Promise<number> =>
  Number((await market.sql<{ n: string }>(`select count(*) n from ${table} where ${where}`, values))[0]?.n)

type Decision = { readonly call: Call; readonly rows: () => Promise<number> }
const decisions: Readonly<Record<string, () => Promise<Decision>>> = {
  rule: async () => {
    const id = await disputed()
    const call = keyed(arbiter, 'POST', `/api/v1/disputes/${id}/ruling`, await rulingFields(arbiter, id))
    return { call, rows: () => count('rulings', 'dispute_id = $1', [id]) }
  },
  appeal: async () => {
    const id = await disputed()
    expectStatus(await arbiter.call('POST', `/api/v1/disputes/${id}/ruling`, await rulingFields(arbiter, id)), 201)
    const call = keyed(worker, 'POST', `/api/v1/disputes/${id}/appeal`, { reason: 'All of it is there, look again.' })
    return { call, rows: () => count('rulings', 'dispute_id = $1 and appealed_by is not null', [id]) }
  },
  report: async () => {
    const id = await publishedBy(publisher)
    const call = keyed(worker, 'POST', '/api/v1/reports', { target: 'task', target_id: id, reason: 'fraud' })
    return { call, rows: () => count('reports', 'target_id = $1', [id]) }
  },
  block: async () => {
    const { wallet } = await market.live.party(0n)
    const call = keyed(worker, 'POST', '/api/v1/users/block', { wallet })
    return { call, rows: () => count('blocks', 'blocked = lower($1)', [wallet]) }
  },
  'hear of news in a browser': () => {
    const asked = browser(randomUUID())
    const call = keyed(worker, 'POST', '/api/v1/account/push', asked)
    return Promise.resolve({ call, rows: () => count('push_subscriptions', 'endpoint = $1', [asked.endpoint]) })
  },
  'begin an account': async () => {
    const [fresh, id] = [await market.live.party(0n), await publishedBy(publisher)]
    const call = keyed(fresh, 'POST', `/api/v1/tasks/${id}/apply`, { message: 'I am near.' })
    return { call, rows: () => count('account_proofs', 'wallet = lower($1) and has_acted', [fresh.wallet]) }
  },
  ban: async () => {
    const { wallet } = await market.live.party(0n)
    const call = () =>
      asAdmin(market.live, 'PUT', `/api/v1/admin/workers/${wallet}/ban`, { banned: true, reason: 'It was asked for.' })
    return { call, rows: () => count('bans', 'wallet = lower($1)', [wallet]) }
  },
  'set while it runs': async () => {
    const actor = { 'x-admin-actor': crypto.randomUUID() }
    const change = { key: 'disputes.arbiters', value: arbiter.wallet, reason: 'Knows gates.' }
    const call = () => asAdmin(market.live, 'PUT', '/api/v1/admin/config', change, actor)
    return { call, rows: () => count('run_config', "key = $1 and value #>> '{}' = $2", [change.key, change.value]) }
  },
  hide: async () => {
    const target_id = await publishedBy(publisher)
    const told = await worker.call('POST', '/api/v1/reports', { target: 'task', target_id, reason: 'fraud' })
    const path = `/api/v1/admin/reports/${String(expectStatus(told, 201).body['id'])}`
    const call = () => asAdmin(market.live, 'PUT', path, { action: 'hide', reason: 'It was asked for.' })
    return { call, rows: () => count('hidden', 'target_id = $1', [target_id]) }
  },
}

describe.each(Object.entries(decisions))('%s', (name, decide) => {
  test('every answer of the database may be lost on its way: the same call again ends in one decision', async () => {
    const made: Decision[] = []
    const firsts = await loseEach(market, name, async () => {
      const decision = await decide()
      made.push(decision)
      return decision.call
    })
    expect(new Set(firsts.map(({ first }) => first.status)).size).toBeGreaterThan(1)
    await Promise.all(
      firsts.map(async ({ call, key, after }) => {
        const last = await untilAnswered(market, call, key)
        expect([after, last.status < 300 ? 'done' : last.body, await made[after]?.rows()]).toEqual([after, 'done', 1])
      }),
    )
  }, 240_000)
})

/** Does this without one more answer each time, until there is none left to lose. */
async function withoutEach(what: (loses: () => { forget(): void }) => Promise<void>): Promise<number> {
  for (let after = 0; after <= 60; after += 1) {
    let loss: ReturnType<LineToDatabase['line']['loseAnswer']> | undefined
    await what(() => (loss = market.line.loseAnswer(after, isAsked)))
    if (loss?.hasHappened() !== true) return after
    await healed(market)
  }
  throw new Error('it goes on and on')
}

/** What a tool hears of an approval that is not known to be over. */
const unsettled = new Set([...honest, 'approval_budget_unavailable', 'APPROVAL_IN_FLIGHT'])

describe('a tool that is let in', () => {
  const me = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const accept = 'application/json, text/event-stream'
    return (await fetch(`${issuer}/mcp`, { method: 'POST', headers: { ...headers, accept }, body })).status
  }

  test('whoever signs in begins anew, whichever answer was lost on the way to the code', async () => {
    const seen: string[] = []
    using fetched = vi.spyOn(globalThis, 'fetch')
    const lost = await withoutEach(async (lose) => {
      fetched.mockClear()
      const loss = lose()
      const first = await createHand(issuer)
        .then((hand) => hand.tokens(worker))
        .catch(() => null)
      loss.forget()
      const answers = await Promise.all(fetched.mock.results.map(({ value }) => value as ReturnType<typeof fetch>))
      // This client goes on with what it has not got; what it hears first is what the service had to say.
      seen.push(
        ...answers
          .flatMap(({ status, url }) => (status >= 400 ? [`${String(status)} ${new URL(url).pathname}`] : []))
          .slice(0, 1),
      )
      await healed(market)
      const { access_token } =
        first?.access_token === undefined ? await (await createHand(issuer)).tokens(worker) : first
      expect(await me(access_token)).toBe(200)
    })
    expect(lost).toBeGreaterThan(5)
    // Nobody is told that something unforeseen happened.
    expect(seen.filter((heard) => !heard.startsWith('503 '))).toEqual([])
    expect(seen.length).toBeGreaterThan(1)
  }, 240_000)

  test('a code whose exchange lost its answer is exchanged, or refused and asked for anew', async () => {
    const lost = await withoutEach(async (lose) => {
      const hand = await createHand(issuer)
      const fields = hand.codeFields(await hand.codeOf(worker))
      const loss = lose()
      const first = await post(`${issuer}/oauth/token`, fields)
      loss.forget()
      if (first.status >= 500) expect(first.status).toBe(503)
      await healed(market)
      const again = first.ok ? await tokensOf(first) : await tokensOf(await post(`${issuer}/oauth/token`, fields))
      const tokens = again.error === undefined ? again : await hand.tokens(worker)
      expect(await me(tokens.access_token)).toBe(200)
    })
    expect(lost).toBeGreaterThan(1)
  })

  test('a token whose revocation lost its answer is dead after the second call', async () => {
    const lost = await withoutEach(async (lose) => {
      const hand = await createHand(issuer)
      const { access_token, refresh_token } = await hand.tokens(worker)
      const loss = lose()
      const first = await hand.revoke(refresh_token)
      loss.forget()
      if (!first.ok) expect(first.status).toBe(503)
      await healed(market)
      if (!first.ok) expect((await hand.revoke(refresh_token)).status).toBe(200)
      expect((await tokensOf(await post(`${issuer}/oauth/token`, hand.refreshFields(refresh_token)))).error).toBe(
        'invalid_grant',
      )
      expect(await me(access_token)).toBe(401)
    })
    expect(lost).toBeGreaterThan(1)
  })

  type Json = Readonly<Record<string, unknown>>
  const tool = async (by: Party, name: string, args: Json): Promise<Json> => {
    const { text, headers } = messageOf(toolCall(name, args))
    return unwrapped(await by.call('POST', '/mcp', text, headers)).body
  }

  test('what a linked signer signs for a tool is asked for and signed once, whichever answer was lost', async () => {
    const owner = await market.live.party(100n)
    const pool = createPool(market.databaseUrl)
    await using stop = new AsyncDisposableStack()
    stop.defer(() => pool.end())
    await openLinkBook(pool, 'a secret of this test, long enough').link(owner.wallet.toLowerCase(), 'a-secret')
    signer.hold(owner.wallet, owner.signer)
    signer.manner = 'signs at once'
    // A document that is signed, or a code that says that nothing is known.
    const heard = new RegExp(`"code":"(${[...honest].join('|')})"|"kind":"paybox_signed"`)
    const lost = await withoutEach(async (lose) => {
      const { taskId, executorId } = await applied(owner, worker)
      const [args, from] = [{ task_id: taskId, executor_id: executorId }, signer.asked.length]
      const loss = lose()
      const first = await tool(owner, 'svc_assign_task', args)
      loss.forget()
      expect(JSON.stringify(first)).toMatch(heard)
      await healed(market)
      const again = await tool(owner, 'svc_assign_task', args)
      const { kind, how_to_return: back } = again['wallet_action'] as WalletAction
      expect(kind).toBe('paybox_signed')
      expect(new Set(signer.asked.slice(from).map(({ request_id }) => request_id)).size).toBe(1)
      expect(await tool(owner, back.tool, back.arguments)).toMatchObject({ status: 'accepted' })
    })
    expect(lost).toBeGreaterThan(5)
    expect(new Set(signer.signed).size).toBe(signer.signed.length)
  }, 240_000)

  test('an approval under a standing order takes one place of it, whichever answer was lost', async () => {
    const host = await connectHost(`${issuer}/mcp`)
    const limits = { usd: '5', count: '50' }
    await host.signIn(publisher, { scopes: [...basic, 'agent:approve'], limits })
    const calls = new Map<string, () => Promise<Reply>>()
    const lost = await withoutEach(async (lose) => {
      const job = await applied(publisher, worker)
      expectStatus(await assign(publisher, job, await paymentAuth(publisher, job)), 200)
      const submissionId = await submit(worker, job.taskId)
      const call = () => host.call('svc_approve_submission', { submission_id: submissionId })
      const loss = lose()
      const first = await call()
      loss.forget()
      if (first.body.code !== undefined) expect(unsettled, JSON.stringify(first.body)).toContain(first.body.code)
      await healed(market)
      calls.set(submissionId, call)
    })
    // What was lost is found out side by side: most of that time goes by in leases that lapse.
    const { reconcile } = market.live.app.market.duties
    const over = async (call: () => Promise<Reply>): Promise<Reply> => {
      await reconcile()
      return call()
    }
    for (const { body } of await Promise.all(
      [...calls.values()].map((call) =>
        eventually(
          () => over(call),
          // An approval that is being carried out answers so, and is none yet.
          ({ body }) => !unsettled.has(String(body.code)) && body['status'] !== 'approving',
          40_000,
        ),
      ),
    ))
      expect(['approved', 'released', 'SUBMISSION_NOT_REVIEWABLE'], JSON.stringify(body)).toContain(
        body['status'] ?? body.details?.['escrow_status'] ?? body.code,
      )
    expect(lost).toBeGreaterThan(1)
    expect(await count('standing_warrants', 'wallet = lower($1)', [publisher.wallet])).toBe(1)
    expect(await count('approval_uses', 'submission_id::text = any($1)', [[...calls.keys()]])).toBe(calls.size)
    const uses = 'standing_uses u join standing_orders o using (order_hash)'
    const taken = `select count(*) n from ${uses} where lower(o.payer) = lower($1)`
    expect((await books.query<{ n: string }>(taken, [publisher.wallet])).rows[0]?.n).toBe(String(calls.size))
  }, 240_000)
})
