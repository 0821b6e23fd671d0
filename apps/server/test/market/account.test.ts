import { isDeepStrictEqual } from 'node:util'
import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountSections } from '../../src/adapters/postgres/account-sections.ts'
import { presentAccountExport } from '../../src/api/present/account-export.ts'
import {
  appliedJob,
  approval,
  assignJob,
  openStage,
  publisher,
  submittedJob,
  untilQuiet,
  worker,
  type Stage,
} from './stage.ts'

type Row = Readonly<Record<string, unknown>>
type Exported = Readonly<Record<string, readonly Row[]>> & { readonly profile: unknown; readonly executor_id: unknown }

const refusedWith = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as Error
const firstPage = { limit: 100, offset: 0, cursor: null }
const caller = (digit: string): WalletCaller => ({
  kind: 'wallet',
  wallet: `0x${digit.repeat(40)}`,
  agentId: null,
  via: 'signature',
})
const stranger = caller('9')

/** Tables that say nothing of one wallet beyond what the exported ones say. */
const impersonal = [
  'admin_version',
  'run_config',
  'chain_followings',
  'distributions',
  'forgotten_events',
  'hidden',
  'ledger_checks',
  'ledger_totals',
  'event_cursors',
  'event_epoch',
  'event_recipients',
  'migrations',
  'money_audit',
  'money_findings',
  'nonces',
  'oauth_clients',
  'oauth_refresh_tokens',
  'oauth_signing_epochs',
  'registration_counts',
  'servers',
  'sweeps',
  'task_timers',
  'uncounted_orders',
  'upload_counts',
]

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage[Symbol.asyncDispose]())

async function exported(as: WalletCaller, { market } = stage): Promise<Exported> {
  let text = ''
  for await (const part of presentAccountExport(await market.exportAccount(as))) text += part
  return JSON.parse(text) as Exported // the presenter's own shape
}

async function completedJob(on: Stage): Promise<string> {
  const job = await submittedJob(on)
  await on.market.approve(publisher, job.submissionId, await approval(on, job.submissionId))
  await untilQuiet(on)
  return job.taskId
}

/**
 * Something of every kind: work paid and disputed, a listing, scores, sessions, remembered answers, reports and blocks.
 */
async function liveALife(): Promise<void> {
  const { market, pool, store, clock } = stage
  const paid = await completedJob(stage)
  await pool.query(
    "insert into ratings (id, task_id, direction, rater, ratee, terms, comment, document, status) values (gen_random_uuid(), $1, 'publisher_rates_executor', $2, $3, '{}', 'Good work.', 'bytes', 'confirmed')",
    [paid, publisher.wallet, worker.wallet],
  )
  const disputed = await submittedJob(stage)
  const { dispute } = await market.reject(publisher, disputed.submissionId, {
    reason: 'The photo shows another gate.',
    criteria: [],
  })
  await market.addStatement(worker, dispute.id, { statement: 'It was this gate.', links: ['https://example.org/gate'] })
  await market.addStatement(publisher, dispute.id, { statement: 'It was not.', links: [] })
  const left = await appliedJob(stage)
  const { executorId: assigned, paymentAuth } = left
  await market.assign(publisher, left.taskId, { executorId: assigned, notes: 'Ring twice.', paymentAuth })
  await untilQuiet(stage)
  await market.withdraw(worker, left.taskId, 'I am ill.')
  await untilQuiet(stage)
  await market.postListing(worker, {
    title: 'I photograph gates',
    description: 'I photograph any gate of the old town.',
    category: 'sensory',
    unitPriceUsd: '2',
    skills: ['gates'],
    evidence: ['text_response'],
    network: null,
    acceptedNetworks: null,
  })
  const executorId = await market.ownExecutorId(worker)
  await store.putWorkerProfile(executorId, {
    bio: 'I stand in front of gates.',
    capabilities: ['gates'],
    pricing: { gate: 2 },
  })
  await store.putPayoutAddress(executorId, '11111111111111111111111111111111')
  const of = [disputed.submissionId, disputed.taskId, executorId]
  await pool.query(
    'insert into position_receipts (submission_id, task_id, executor_id, lat, lng, received_at) values ($1, $2, $3, 48.2, 16.3, now())',
    of,
  )
  await pool.query(
    "insert into evidence_files (submission_id, evidence_type, task_id, executor_id, sha256) values ($1, 'photo', $2, $3, 'ab')",
    of,
  )
  await pool.query(
    "insert into image_hashes (submission_id, evidence_type, variant, task_id, executor_id, phash) values ($1, 'photo', 0, $2, $3, 7)",
    of,
  )
  await pool.query(
    "insert into uploads (key, task_id, executor_id, day, bytes) values ('a/photo', $1, $2, '2026-01-01', 5)",
    [disputed.taskId, executorId],
  )
  await pool.query(
    'insert into task_places (task_id, lat, lng, radius_m, set_at) values ($1, 48.2, 16.3, 500, now())',
    [disputed.taskId],
  )
  for (const one of [publisher, worker, stranger]) {
    await market.report(one, { target: 'task', targetId: paid, reason: 'spam', note: 'Look at this.' })
    await market.block(one, caller('7').wallet)
    await pool.query(
      "insert into sessions values (gen_random_uuid(), $1, 31337, $2, $2::timestamptz + interval '1 hour')",
      [one.wallet, clock.now()],
    )
    await pool.query(
      "insert into operations (identity, key, operation, body_hash, state, token, lease_until, status, answer) values ($1, 'key', 'tasks.publish', 'hash', 'done', gen_random_uuid(), now(), 201, '{}')",
      [one.wallet],
    )
    await pool.query("insert into account_proofs (wallet, proof, has_acted) values ($1, 'key', true)", [one.wallet])
    await addWebhook(stage, one.wallet)
    await addConsent(stage, one.wallet)
    await pool.query(
      "insert into a2a_push_configs (task_id, wallet, config_id, url, secrets, place, due_at, created_at) values ($1, $2, 'one', 'https://example.org/updates', 'sealed', '0.0', now(), now())",
      [paid, one.wallet],
    )
    await connectTool(stage, one.wallet)
    await store.putScore({
      network: 'localnet',
      agentId: 1,
      role: 'publisher',
      wallet: one.wallet,
      score: 80,
      count: 1,
      at: clock.now(),
    })
  }
  await appliedJob(stage, stranger)
  await setBans(true)
}

/** What a tool may release for a wallet, and released. */
async function addConsent({ pool }: Pick<Stage, 'pool'>, wallet: string): Promise<void> {
  await pool.query('insert into approval_budgets (grant_id, wallet, taken, kept_until) values ($1, $2, 1, now())', [
    `grant of ${wallet}`,
    wallet,
  ])
  await pool.query(
    'insert into approval_uses (grant_id, submission_id, reservation, cents) values ($1, gen_random_uuid(), gen_random_uuid(), 107)',
    [`grant of ${wallet}`],
  )
  await pool.query(
    `insert into standing_warrants (grant_id, wallet, chain_id, token, standing_order, good_until)
     values ($1, $2, 31337, '0x', '{}', now() + interval '1 day')`,
    [`grant of ${wallet}`, wallet],
  )
  await pool.query(
    "insert into linked_signers (wallet, secret, good_until) values ($1, 'sealed', now() + interval '1 day')",
    [wallet],
  )
  await pool.query(
    `insert into linked_signer_requests (id, wallet, subject, asked, good_until)
     values (gen_random_uuid(), $1, 'subject', 'sealed', now() + interval '1 day')`,
    [wallet],
  )
}

/** A tool that was let in, with the sign-in it came by. */
async function connectTool({ pool }: Stage, wallet: string): Promise<void> {
  await pool.query(
    `insert into oauth_sign_ins (rid, client_id, client_name, redirect_uri, scopes, resource, challenge, csrf_hash,
        expires_at, wallet)
      values ($1::text || ' rid', 'c', 'Tool', 'https://tool.example/', '{task:read}', 'r', 'h', 'h', now(), $1)`,
    [wallet],
  )
  await pool.query(
    `with granted as (insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, resource,
        redirect_uri, challenge, code_hash, code_expires_at, created_at, used_at, expires_at)
      values ($1::text || ' id', 'c', 'Tool', $1, 1, '{task:read}', 'r', 'https://tool.example/', 'h', $1::text || ' code',
        now(), now(), now(), now() + interval '1 day') returning *)
    insert into oauth_audit (at, wallet, grant_id, client_id, client_name, kind)
      select now(), wallet, id, client_id, client_name, 'consented' from granted`,
    [wallet],
  )
}

/** An endpoint with its secret, and a delivery that was tried. */
async function addWebhook({ pool }: Stage, owner: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into webhooks (id, owner, url, events, status, created_at, updated_at) values (gen_random_uuid(), $1, 'https://hooks.example/', '{*}', 'active', now(), now()) returning id",
    [owner],
  )
  const id = rows[0]?.id
  await pool.query(
    "insert into webhook_secrets (id, webhook_id, sealed, created_at) values (gen_random_uuid(), $1, 'sealed', now())",
    [id],
  )
  await pool.query(
    `with sent as (insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, due_at,
            created_at)
        values (gen_random_uuid(), $1, gen_random_uuid(), 'task.created', 'event', $2, 'delivered', now(), now())
        returning id)
     insert into webhook_attempts (delivery_id, attempt, at, duration_ms, request_headers) select id, 1, now(), 5, '{}'
     from sent`,
    [id, JSON.stringify({ for: owner })],
  )
}

async function setBans(banned: boolean): Promise<void> {
  for (const one of [publisher, worker, stranger])
    await stage.market.setBan(one.wallet, banned, {
      actor: 'ada',
      reason: 'To be seen in the export.',
      requestId: 'request-1',
    })
}

const keysOf = (table: string): string => accountSections.find((one) => one.table === table)?.without.join() ?? ''

describe('the export of an account (spec §2)', () => {
  beforeAll(liveALife, 60_000)
  afterAll(() => setBans(false))

  test('every table of the schema is exported, or named as holding nothing of a wallet', async () => {
    const { rows } = await stage.pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
    )
    const known = new Set([...accountSections.map(({ table }) => table), 'workers', ...impersonal])
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
  })

  test.each([
    ['the worker', worker],
    ['the publisher', publisher],
  ] as const)('holds every row that names %s', async (_who, as) => {
    const file = await exported(as)
    const { rows: own } = await stage.pool.query<{ id: string }>('select id from workers where wallet = $1', [
      as.wallet,
    ])
    const names = [as.wallet, ...own.map(({ id }) => id)]
    for (const table of new Set(accountSections.map((one) => one.table))) {
      const { rows } = await stage.pool.query<{ row: Row }>(`select to_jsonb(x) as row from ${table} x`)
      const mine = rows.map(({ row }) => row).filter((row) => names.some((name) => JSON.stringify(row).includes(name)))
      const given = accountSections.filter((one) => one.table === table).flatMap(({ name }) => file[name] ?? [])
      const missing = mine.filter(
        (row) =>
          !given.some((one) => Object.entries(one).every(([field, value]) => isDeepStrictEqual(value, row[field]))),
      )
      expect(missing, `${table} without ${keysOf(table)}`).toEqual([])
    }
    expect(accountSections.filter(({ name }) => (file[name] ?? []).length === 0).map(({ name }) => name)).toEqual(
      as === worker
        ? [
            'task_places',
            'tasks_published',
            'settlement_offers',
            'rulings',
            'meter_terms',
            'channels',
            'channel_openings',
            'channel_ticks',
            'channel_orders',
            'publisher_decisions',
          ]
        : [
            'submissions',
            'position_receipts',
            'evidence_files',
            'uploads',
            'image_hashes',
            'applications',
            'tasks_worked',
            'listings',
            'settlement_offers',
            'rulings',
            'meter_terms',
            'channels',
            'channel_openings',
            'channel_ticks',
            'channel_orders',
          ],
    )
  })

  test('names the worker and the profile, and neither authorizations nor rows of another party', async () => {
    const file = await exported(worker)
    expect(file).toMatchObject({
      executor_id: await stage.market.ownExecutorId(worker),
      profile: { bio: 'I stand in front of gates.', wallet: worker.wallet },
      submissions: [{}, {}],
    })
    const text = JSON.stringify(file)
    for (const secret of [
      'order_json',
      'sealed',
      'payment_auth',
      'lease_until',
      'document',
      stranger.wallet,
      await stage.market.ownExecutorId(stranger),
    ])
      expect(text).not.toContain(secret)
    expect(file['dispute_statements']).toMatchObject([{ side: 'worker', statement: 'It was this gate.' }])
  })

  test('of a wallet nobody knows is empty and whole', async () => {
    const file = await exported(caller('8'))
    expect(file).toMatchObject({
      executor_id: null,
      profile: null,
      submissions: [],
      applications: [],
      reports: [],
      blocked_users: [],
    })
    expect(accountSections.filter(({ name }) => file[name]?.length !== 0)).toEqual([])
  })

  test('goes on past a page, each row once', async () => {
    const many = caller('6')
    await stage.pool.query(
      "insert into blocks (id, blocker, blocked, created_at) select gen_random_uuid(), $1, 'w' || n, now() from generate_series(1, 901) n",
      [many.wallet],
    )
    const blocked = (await exported(many))['blocked_users'] ?? []
    expect(new Set(blocked.map((row) => row['blocked'])).size).toBe(901)
    expect(blocked).toHaveLength(901)
  })
})

describe('an account that is deleted is anonymised', () => {
  test('but not while work or money is in flight, and the tasks are named', async () => {
    const { market } = stage
    const job = await submittedJob(stage)
    for (const one of [worker, publisher])
      await expect(market.anonymiseAccount(one)).rejects.toThrow(
        refusedWith('ACCOUNT_BUSY', { task_ids: expect.arrayContaining([job.taskId]) as unknown }),
      )
    expect((await exported(worker)).profile).toMatchObject({ bio: 'I stand in front of gates.' })
  })

  test('what it said of itself is gone, what others rely on stays, and asking again changes nothing', async () => {
    await using quiet = await openStage()
    const { market, pool, store } = quiet
    const taskId = await completedJob(quiet)
    const executorId = await market.ownExecutorId(worker)
    await store.putWorkerProfile(executorId, {
      bio: 'Me.',
      avatarUrl: 'https://example.org/me.png',
      capabilities: ['gates'],
    })
    await store.putPayoutAddress(executorId, '11111111111111111111111111111111')
    await pool.query('update submissions set notes = $1', ['I live next door.'])
    await market.postListing(worker, {
      title: 'I photograph gates',
      description: 'I photograph any gate of the old town.',
      category: 'sensory',
      unitPriceUsd: '2',
      skills: ['gates'],
      evidence: ['text_response'],
      network: null,
      acceptedNetworks: null,
    })
    await market.block(worker, stranger.wallet)
    await market.report(worker, { target: 'task', targetId: taskId, reason: 'other', note: 'My neighbour.' })
    await pool.query(
      "insert into sessions values (gen_random_uuid(), $1, 31337, now(), now() + interval '1 hour'), (gen_random_uuid(), $2, 31337, now(), now() + interval '1 hour')",
      [worker.wallet, publisher.wallet],
    )
    for (const one of [worker, publisher]) {
      await addWebhook(quiet, one.wallet)
      await addConsent(quiet, one.wallet)
    }
    await pool.query(
      "insert into a2a_push_configs (task_id, wallet, config_id, url, secrets, place, due_at, created_at) values ($1, $2, 'one', 'https://example.org/updates', 'sealed', '0.0', now(), now())",
      [taskId, worker.wallet],
    )
    const open = await appliedJob(quiet)
    const before = await pool.query('select * from ledger order by seq')
    await market.anonymiseAccount(worker)
    const after = await exported(worker, quiet)
    expect(after.profile).toMatchObject({
      id: executorId,
      wallet: worker.wallet,
      display_name: null,
      bio: null,
      avatar_url: null,
      capabilities: null,
      pricing: null,
      solana_payout_address: null,
      tasks_completed: 1,
    })
    for (const personal of ['I live next door.', 'I am near.', 'My neighbour.', 'I photograph', 'gates"', 'me.png'])
      expect(JSON.stringify(after), personal).not.toContain(personal)
    expect(after).toMatchObject({
      sessions: [],
      push_configs: [],
      standing_orders: [],
      blocked_users: [],
      listings: [{ availability: 'paused' }],
      tasks_worked: [{ id: taskId, status: 'completed' }],
      submissions: [{ notes: null, status: 'approved' }],
    })
    expect((await pool.query('select * from ledger order by seq')).rows).toEqual(before.rows)
    expect((await pool.query('select wallet from sessions')).rows).toEqual([{ wallet: publisher.wallet }])
    expect(
      (
        await pool.query(
          'select w.owner from webhooks w join webhook_secrets s on s.webhook_id = w.id join webhook_deliveries d on d.webhook_id = w.id',
        )
      ).rows,
    ).toEqual([{ owner: publisher.wallet }])
    expect(after).toMatchObject({ webhooks: [], webhook_deliveries: [] })
    await expect(assignJob(quiet, open)).rejects.toThrow(refusedWith('WORKER_NOT_APPLIED'))
    await market.anonymiseAccount(worker)
    const again = await exported(worker, quiet)
    expect({ ...again, exported_at: null, profile: null }).toEqual({ ...after, exported_at: null, profile: null })
    expect(await market.registerWorker(worker, { name: null, party: 'agent' })).toMatchObject({
      id: executorId,
      displayName: null,
    })
  })

  test('a deletion that races an assignment wins or loses, and never both', async () => {
    await using quiet = await openStage()
    const ends: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const seller = caller('abcdef45'[round] ?? '0')
      await quiet.market.ensureIdentity(seller.wallet)
      const job = await appliedJob(quiet, seller)
      const [assigned, forgotten] = await Promise.allSettled([
        assignJob(quiet, job),
        quiet.market.anonymiseAccount(seller),
      ])
      const { rows } = await quiet.pool.query<{ status: string }>('select status from tasks where id = $1', [
        job.taskId,
      ])
      ends.push(`${rows[0]?.status ?? ''} ${assigned.status} ${forgotten.status}`)
    }
    expect(
      [...new Set(ends)].filter(
        (end) => !['accepted fulfilled rejected', 'published rejected fulfilled'].includes(end),
      ),
    ).toEqual([])
  }, 30_000)
})

describe('blocks and reports', () => {
  test('a blocked worker applies to no task of the blocker, nor the blocker to theirs, until the block is taken back', async () => {
    await using quiet = await openStage()
    const { market } = quiet
    await expect(market.block(worker, worker.wallet)).rejects.toThrow(refusedWith('VALIDATION_FAILED'))
    const block = await market.block(publisher, worker.wallet)
    expect((await market.block(publisher, worker.wallet)).id).toBe(block.id)
    await expect(appliedJob(quiet)).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    const listing = await market.postListing(worker, {
      title: 'I photograph gates',
      description: 'I photograph any gate of the old town.',
      category: 'sensory',
      unitPriceUsd: '2',
      skills: [],
      evidence: ['text_response'],
      network: null,
      acceptedNetworks: null,
    })
    await expect(
      market.orderListing(publisher, listing.id, {
        bountyUsd: null,
        deadlineHours: 24,
        instructions: null,
        network: null,
        paymentAuth: null,
      }),
    ).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    expect(await market.blocked(publisher, firstPage)).toMatchObject({ total: 1, rows: [{ blocked: worker.wallet }] })
    expect(await market.blocked(worker, firstPage)).toMatchObject({ total: 0 })
    expect([
      await market.unblock(worker, publisher.wallet),
      await market.unblock(publisher, worker.wallet),
      await market.unblock(publisher, worker.wallet),
    ]).toEqual([false, true, false])
    await market.block(worker, publisher.wallet)
    await expect(appliedJob(quiet)).rejects.toThrow(refusedWith('PARTY_BLOCKED'))
    await market.unblock(worker, publisher.wallet)
    expect((await appliedJob(quiet)).executorId).toBe(listing.sellerExecutorId)
  })

  test('the same thing is reported once, and only what exists', async () => {
    await using quiet = await openStage()
    const { market } = quiet
    const { taskId, executorId } = await appliedJob(quiet)
    const first = await market.report(worker, { target: 'task', targetId: taskId, reason: 'fraud', note: null })
    expect(await market.report(worker, { target: 'task', targetId: taskId, reason: 'spam', note: 'again' })).toEqual(
      first,
    )
    await market.report(worker, { target: 'worker', targetId: executorId, reason: 'other', note: null })
    expect(await market.reports(worker, { ...firstPage, limit: 1 })).toMatchObject({
      total: 2,
      hasMore: true,
      rows: [{ target: 'worker' }],
    })
    expect(await market.reports(publisher, firstPage)).toMatchObject({ total: 0, rows: [] })
    for (const [target, code] of [
      ['task', 'TASK_NOT_FOUND'],
      ['submission', 'SUBMISSION_NOT_FOUND'],
      ['worker', 'WORKER_NOT_FOUND'],
      ['listing', 'LISTING_NOT_FOUND'],
    ] as const) {
      await expect(
        market.report(worker, {
          target,
          targetId: '01890a5d-ac96-774b-bcce-b302099a8057',
          reason: 'other',
          note: null,
        }),
      ).rejects.toThrow(refusedWith(code))
    }
  })
})
