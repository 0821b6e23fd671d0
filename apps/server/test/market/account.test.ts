import { isDeepStrictEqual } from 'node:util'
import type { WalletCaller } from '@ergon/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountSections } from '../../src/adapters/postgres/account-sections.ts'
import { presentAccountExport } from '../../src/api/present/account-export.ts'
import { appliedJob, assignJob, openStage, publisher, submittedJob, worker, type Stage } from './stage.ts'
import {
  caller,
  stranger,
  liveALife,
  setBans,
  completedJob,
  postGates,
  addNotices,
  addPicture,
  addPortfolio,
  addConsent,
  addWebhook,
} from './account-life.ts'
import { refusedWith } from './refused-with.ts'

type Row = Readonly<Record<string, unknown>>
type Exported = Readonly<Record<string, readonly Row[]>> & { readonly profile: unknown; readonly executor_id: unknown }

/** Tables that say nothing of one wallet beyond what the exported ones say. */
const impersonal = [
  'accounts_made',
  'admin_version',
  'run_config',
  'chain_followings',
  'distributions',
  'forgotten_events',
  'hidden',
  'ledger_checks',
  'ledger_totals',
  'lost_sweeps',
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
  'task_search',
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

const keysOf = (table: string): string => accountSections.find((one) => one.table === table)?.without.join() ?? ''

describe('the export of an account (spec §2)', () => {
  beforeAll(() => liveALife(stage))
  afterAll(() => setBans(stage, false))

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
            'task_extensions',
            'task_invitations',
            'settlement_offers',
            'rulings',
            'meter_terms',
            'channels',
            'channel_openings',
            'channel_ticks',
            'channel_orders',
            'cash_outs',
            'publisher_decisions',
          ]
        : [
            'submissions',
            'position_receipts',
            'evidence_files',
            'uploads',
            'image_hashes',
            'pictures',
            'applications',
            'tasks_worked',
            'listings',
            'task_extensions',
            'task_invitations',
            'settlement_offers',
            'rulings',
            'meter_terms',
            'channels',
            'channel_openings',
            'channel_ticks',
            'channel_orders',
            'cash_outs',
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

  test('what it said about itself is gone, what others rely on stays, and asking again changes nothing', async () => {
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
    await postGates(quiet)
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
    await addNotices(quiet, worker.wallet)
    await addPicture(quiet, worker.wallet)
    await addPortfolio(quiet, taskId)
    await pool.query(
      "insert into task_messages (id, task_id, audience, executor_id, side, author, text, created_at) values (gen_random_uuid(), $1, 'parties', $2, 'worker', $3, 'My phone is 555.', now())",
      [taskId, executorId, worker.wallet],
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
      picture: null,
      capabilities: null,
      pricing: null,
      solana_payout_address: null,
      tasks_completed: 1,
    })
    for (const personal of [
      'I live next door.',
      'I am near.',
      'My neighbour.',
      'I photograph',
      'gates"',
      'me.png',
      'My phone',
    ])
      expect(JSON.stringify(after), personal).not.toContain(personal)
    expect(after).toMatchObject({
      sessions: [],
      push_configs: [],
      push_subscriptions: [],
      mail_notices: [],
      saved_searches: [],
      pictures: [],
      portfolio: [],
      portfolio_pictures: [],
      task_messages: [{ text: '' }],
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
    // A picture that was being made meanwhile is kept no more.
    await addPicture(quiet, worker.wallet)
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
  })
})
