import { randomUUID } from 'node:crypto'
import { returnSignature, type WalletAction } from '@ergon/contract'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { TypedData } from '@ergon/protocols'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApprovalBudgets, createPool, type ApprovalBudgets } from '../../src/adapters/postgres/index.ts'
import type { BearerGrant } from '../../src/dispatch/bearer-grants.ts'
import type { Reply } from '../dispatch/send.ts'
import { approveFields, eventually, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'
import { jobs } from '../tour/scene.ts'
import { signedIn } from '../http/live-people.ts'
import { connectTool } from '../oauth/connected.ts'
import { ask, createTokens, toolCall, unwrapped } from './tokens.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** What a token may release (spec §5, OAuth 9): counted in the database, spent only by what may have moved money. */

describe('the count', () => {
  let url: string
  let stack: AsyncDisposableStack
  const pools: ReturnType<typeof createPool>[] = []
  const budgets: ApprovalBudgets[] = []
  beforeAll(async () => {
    stack = new AsyncDisposableStack()
    url = stack.use(await createTestDatabase(serverSchema)).url
    // Two processes.
    for (let process = 0; process < 2; process += 1) {
      const pool = createPool(url)
      stack.defer(() => pool.end())
      pools.push(pool)
      budgets.push(createApprovalBudgets(pool))
    }
  })
  afterAll(() => stack.disposeAsync())

  const one = (): ApprovalBudgets => budgets[0] as ApprovalBudgets // opened above
  const asked = (grantId: string, change: Partial<Parameters<ApprovalBudgets['reserve']>[0]> = {}) => ({
    grantId,
    wallet: '0xad',
    submissionId: randomUUID(),
    reservation: randomUUID(),
    cents: 107n,
    maxCents: 500n,
    maxCount: 3,
    expiresAt: new Date(Date.now() + 900_000),
    ...change,
  })
  const query = async (text: string, values: unknown[] = []): Promise<readonly object[]> =>
    (await pools[0]?.query<object>(text, values))?.rows ?? []

  test('forty requests at once, over two processes, reserve as many as were consented to', async () => {
    const grant = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_none, at) => (budgets[at % 2] as ApprovalBudgets).reserve(asked(grant))),
    ) // opened above
    expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(3)
    expect(answers.filter((answer) => answer === 'exhausted')).toHaveLength(37)
  })

  test('twenty requests at once about one submission take one place', async () => {
    const grant = randomUUID()
    const submissionId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, at) =>
        (budgets[at % 2] as ApprovalBudgets).reserve(asked(grant, { submissionId })),
      ),
    ) // opened above
    expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'known')).toHaveLength(19)
    expect(await query('select taken from approval_budgets where grant_id = $1', [grant])).toEqual([{ taken: 1 }])
  })

  test('what is above the most takes no place', async () => {
    const grant = randomUUID()
    expect(await one().reserve(asked(grant, { cents: 501n }))).toBe('over')
    expect(await query('select taken from approval_budgets where grant_id = $1', [grant])).toEqual([])
    expect(await one().reserve(asked(grant, { cents: 500n }))).toBe('reserved')
  })

  test('a consent to no approval lets none through', async () => {
    expect(await one().reserve(asked(randomUUID(), { maxCount: 0 }))).toBe('exhausted')
  })

  test('a place that is given back is free again, once, and only by whoever holds it', async () => {
    const grant = randomUUID()
    const first = asked(grant, { maxCount: 1 })
    expect(await one().reserve(first)).toBe('reserved')
    await one().giveBack({ ...first, reservation: randomUUID() })
    expect(await one().reserve(asked(grant, { maxCount: 1 }))).toBe('exhausted')
    await one().giveBack(first)
    await one().giveBack(first)
    const [left] = await query('select taken from approval_budgets where grant_id = $1', [grant])
    expect(left).toEqual({ taken: 0 })
    expect(await one().reserve(asked(grant, { maxCount: 1 }))).toBe('reserved')
  })

  test('giving back waits for whoever reserves before it touches what that waits for', async () => {
    const held = asked(randomUUID())
    expect(await one().reserve(held)).toBe('reserved')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      // The two steps of a reservation, with time between them.
      await client.query('begin')
      await client.query('update approval_budgets set taken = taken + 1 where grant_id = $1', [held.grantId])
      const back = one().giveBack(held)
      await eventually(
        () => query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
        (waiting) => waiting.length === 1,
      )
      await expect(
        client.query('insert into approval_uses (grant_id, submission_id, reservation, cents) values ($1, $2, $3, 1)', [
          held.grantId,
          held.submissionId,
          randomUUID(),
        ]),
      ).rejects.toMatchObject({ code: '23505' })
      await client.query('rollback')
      await back
    } finally {
      await client.end()
    }
    expect(await query('select taken from approval_budgets where grant_id = $1', [held.grantId])).toEqual([
      { taken: 0 },
    ])
  })

  test('what is given back later waits for nobody who reserves: that budget is left for the next round', async () => {
    const [held, free] = [asked(randomUUID()), asked(randomUUID())]
    for (const given of [held, free]) expect(await one().reserve(given)).toBe('reserved')
    const both = [held.grantId, free.grantId]
    await query("update approval_uses set reserved_at = now() - interval '11 minutes' where grant_id = any($1)", [both])
    const left = () => query('select grant_id from approval_uses where grant_id = any($1)', [both])
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query('begin')
      await client.query('update approval_budgets set taken = taken + 1 where grant_id = $1', [held.grantId])
      expect(await one().settle(100)).toBeGreaterThan(0)
      expect(await left()).toEqual([{ grant_id: held.grantId }])
      await client.query('rollback')
    } finally {
      await client.end()
    }
    await one().settle(100)
    expect(await left()).toEqual([])
  })

  test('what came to nothing is given back later, and what a call may still be about is not', async () => {
    const grant = randomUUID()
    const [old, young] = [asked(grant, { maxCount: 2 }), asked(grant, { maxCount: 2 })]
    await one().reserve(old)
    await one().reserve(young)
    await query(`update approval_uses set reserved_at = now() - interval '11 minutes' where submission_id = $1`, [
      old.submissionId,
    ])
    await one().settle(100)
    expect(await query('select submission_id from approval_uses where grant_id = $1', [grant])).toEqual([
      { submission_id: young.submissionId },
    ])
    expect(await query('select taken from approval_budgets where grant_id = $1', [grant])).toEqual([{ taken: 1 }])
  })

  test('a token that ended a day ago is forgotten', async () => {
    const grant = randomUUID()
    const last = asked(grant, { expiresAt: new Date(Date.now() - 86_400_001) })
    await one().reserve(last)
    await one().settle(100)
    expect(await query('select 1 from approval_budgets where grant_id = $1', [grant])).toHaveLength(1)
    await one().giveBack(last)
    await one().settle(100)
    expect(await query('select 1 from approval_budgets where grant_id = $1', [grant])).toEqual([])
  })
})

describe('an approval by a token', () => {
  const tokens = createTokens()
  let live: LiveMarket
  let publisher: Party
  let worker: Party
  let scene: ReturnType<typeof jobs>
  let stack: AsyncDisposableStack
  let pool: ReturnType<typeof createPool>
  beforeAll(async () => {
    stack = new AsyncDisposableStack()
    live = stack.use(await startLiveMarket({}, undefined, { grants: tokens.grants }))
    pool = createPool(live.databaseUrl)
    stack.defer(() => pool.end())
    publisher = await live.party(100n)
    worker = await live.party(0n)
    scene = jobs(publisher, worker, await signedIn(live, publisher))
  })
  afterAll(() => stack.disposeAsync())

  const issue = (change: Partial<BearerGrant> = {}): string =>
    tokens.issue(publisher.wallet, {
      scopes: new Set(['agent:approve'] as const),
      approval: { maxCents: 107n, maxCount: 2 },
      ...change,
    })
  const approve = async (token: string, submissionId: string, fields: object = {}): Promise<Reply> =>
    unwrapped(
      await ask(live.url, token, toolCall('svc_approve_submission', { submission_id: submissionId, ...fields })),
    )
  const takenOf = async (grantId: string): Promise<number> =>
    (await pool.query<{ taken: number }>('select taken from approval_budgets where grant_id = $1', [grantId])).rows[0]
      ?.taken ?? 0

  test('within its limits pays the worker and counts', async () => {
    const { submissionId } = await scene.submitted()
    const token = issue({ grantId: 'pays' })
    const reply = await approve(token, submissionId, await approveFields(publisher, submissionId))
    expect(reply.body, JSON.stringify(reply.body)).toMatchObject({ status: 'approved' })
    expect(await takenOf('pays')).toBe(1)
  })

  test('that is refused before money moved gives its place back: two tries leave none taken', async () => {
    const { submissionId } = await scene.submitted()
    const token = issue({ grantId: 'refused', approval: { maxCents: 107n, maxCount: 1 } })
    for (let round = 0; round < 2; round += 1) {
      const reply = await approve(token, submissionId)
      expect(reply.body.code).toBe('LIFECYCLE_ORDER_REQUIRED')
      expect(await takenOf('refused')).toBe(0)
    }
  })

  test('one cent above the most is refused, and the larger of bounty and escrow is what counts', async () => {
    const { taskId, submissionId } = await scene.submitted()
    const fields = await approveFields(publisher, submissionId)
    const small = issue({ approval: { maxCents: 106n, maxCount: 2 } })
    expect((await approve(small, submissionId, fields)).body.code).toBe('approval_amount_over_limit')
    // The bounty says less than what lies in escrow.
    await pool.query('update tasks set bounty_atomic = 10000 where id = $1', [taskId])
    expect((await approve(small, submissionId, fields)).body.code).toBe('approval_amount_over_limit')
  })

  test('is told to the owner of the wallet, and so is each refusal', async () => {
    const grantId = await connectTool(live.databaseUrl, publisher.wallet)
    const issued = (approval: BearerGrant['approval']): string => issue({ grantId, approval })
    const [paid, { taskId, submissionId }] = [await scene.submitted(), await scene.submitted()]
    const within = issued({ maxCents: 107n, maxCount: 1 })
    const fields = await approveFields(publisher, paid.submissionId)
    await approve(within, paid.submissionId)
    expect((await approve(within, paid.submissionId, fields)).body).toMatchObject({ status: 'approved' })
    await approve(within, submissionId)
    await approve(issued({ maxCents: 106n, maxCount: 5 }), submissionId)
    await approve(issued(null), submissionId)
    await pool.query("update tasks set token = 'EURC' where id = $1", [taskId])
    await approve(issued({ maxCents: 10_000n, maxCount: 5 }), submissionId)
    const { rows } = await pool.query<{ line: readonly unknown[] }>(
      `select json_build_array(kind, detail, submission_id, cents, times) as line from oauth_audit
        where grant_id = $1 and kind like 'approval%' order by id`,
      [grantId],
    )
    expect(rows.map(({ line }) => line)).toEqual([
      ['approval_returned', null, paid.submissionId, 107, 1],
      ['approval_granted', null, paid.submissionId, 107, 2],
      ['approval_refused', 'approval_count_exhausted', submissionId, 107, 1],
      ['approval_refused', 'approval_amount_over_limit', submissionId, 107, 1],
      ['approval_refused', 'approval_budget_missing', null, null, 1],
      ['approval_refused', 'approval_amount_unknown', submissionId, null, 1],
    ])
  })

  test('past its limit goes through with what the answer gives the wallet to sign, and is not counted', async () => {
    const { submissionId } = await scene.submitted()
    const token = issue({ grantId: 'past', approval: { maxCents: 1n, maxCount: 1 } })
    const refused = await approve(token, submissionId, { rating: 80 })
    expect(refused.body.code).toBe('approval_amount_over_limit')
    const approval = await signedAction(refused, 'approval')
    const ordered = await approve(token, submissionId, approval)
    expect(ordered.body.code).toBe('LIFECYCLE_ORDER_REQUIRED')
    const reply = await approve(token, submissionId, await signedAction(ordered, 'lifecycle_order'))
    expect(reply.body, JSON.stringify(reply.body)).toMatchObject({ status: 'approved' })
    expect(await takenOf('past')).toBe(0)
  })

  /** Signs what an action carries, and returns it the way it says. */
  async function signedAction({ body }: Reply, parameter: string): Promise<object> {
    const action = body['wallet_action'] as WalletAction
    expect([action.kind, action.how_to_return.tool]).toEqual(['eip712', 'svc_approve_submission'])
    expect(action.how_to_return.parameter).toBe(parameter)
    return returnSignature(action, await publisher.signer.signTypedData(action.typed_data as unknown as TypedData))
  }
})
