import { startPostgres } from '@ergon/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createApprovalBudgets,
  createDeliveryQueue,
  createIsProven,
  createIsProvenWorker,
  createOAuthStore,
  createPostgresStore,
  createPushConfigs,
  createStandingWarrants,
} from '../../src/adapters/postgres/index.ts'
import { createMailSubscriptions } from '../../src/adapters/postgres/mail-subscriptions.ts'
import { migrate } from '../../src/adapters/postgres/migrate.ts'
import { createPool } from '../../src/adapters/postgres/pool.ts'
import { createPushSubscriptions } from '../../src/adapters/postgres/push-subscriptions.ts'
import { createUploads } from '../../src/adapters/postgres/uploads.ts'
import { growCrowd } from '../../src/testing/aged/grow-history.ts'
import { sendPlans, watchPlans, type Reading } from './watch-plans.ts'

/** A hundred thousand strangers who registered, connected tools, asked to be told, and are all due at once. */
const many = 100_000
/** What one step may touch: pages of 8 KiB, rows of one scan. */
const most = { pages: 9_000, rows: 5_500 }

const owned = new AsyncDisposableStack()
const readings: Reading[] = []
let pool: pg.Pool
let stores: ReturnType<typeof storesOf>
let wallet: `0x${string}`

beforeAll(async () => {
  const postgres = owned.use(await startPostgres({ durable: false }))
  await postgres.createDatabase('crowd')
  const url = postgres.url('crowd')
  const first = createPool(url)
  await migrate(first)
  await first.end()
  await growCrowd(url, many)
  await allDue(url)
  await sendPlans(url)
  owned.use(watchPlans((reading) => readings.push(reading)))
  pool = createPool(url)
  owned.defer(() => pool.end())
  stores = storesOf(pool)
  const { rows } = await pool.query<{ wallet: `0x${string}` }>(
    "select wallet from workers where display_name = 'Stranger 1'",
  )
  wallet = rows[0]?.wallet ?? '0x'
}, 420_000)
afterAll(() => owned.disposeAsync())

/** As after a day without a server. */
async function allDue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const due = "now() - interval '1 minute'"
  await client.query('set session_replication_role = replica')
  for (const table of ['push_subscriptions', 'mail_subscriptions', 'saved_searches'])
    await client.query(`update ${table} set due_at = ${due}`)
  await client.query(`update identities set check_at = ${due}`)
  await client.query(`update standing_warrants set taken_back_due = ${due}, good_until = now() + interval '1 day'`)
  await client.query(`insert into webhook_deliveries
      (id, webhook_id, event_id, event_type, kind, body, status, due_at, created_at)
    select gen_random_uuid(), id, gen_random_uuid(), 'task.created', 'event', '{}', 'pending', ${due}, now()
    from webhooks`)
  await client.query(`insert into task_timers (task_id, kind, due_at) select id, 'start_by', ${due} from tasks
    where title like 'Order %'`)
  await client.query(`insert into a2a_push_configs (task_id, wallet, config_id, url, secrets, place, due_at, created_at)
    select t.id, '0x' || md5(t.id::text), '1', 'https://h' || substr(t.id::text, 1, 5) || '.example/', '', '0.0',
      ${due}, now() from tasks t where title like 'Order %'`)
  await client.query(`insert into uploads (key, task_id, executor_id, day, bytes, purge_at)
    select id::text, id, ordered_from, current_date, 1, ${due} from tasks where title like 'Order %'`)
  await client.query(`insert into channel_openings (channel_id, task_id, wallet, payer, worker, network, token,
      decimals, wire, signature, last_valid_height, at, due_at)
    select id::text, id, publisher_wallet, 'p', 'w', 'solana-localnet', 'USDC', 6, '', '', 0, ${due}, ${due} from tasks
    where title like 'Order %'`)
  await client.query(`insert into settlements (id, task_id, executor_id, purpose, subject, order_json, status, attempts,
      must_land, due_at, created_at, updated_at, proof_due_at)
    select id, id, ordered_from, 'lock', id::text, '{"payment": {"network": "localnet"}}', 'claimed', 0, false, ${due},
      ${due}, ${due}, 'infinity' from tasks where title like 'Order %'`)
  await client.query('vacuum analyze')
  await client.end()
}

const sealed = { seal: (text: string) => Buffer.from(text), open: () => '{}' }
function storesOf(db: pg.Pool) {
  return {
    oauth: createOAuthStore(db),
    approvals: createApprovalBudgets(db),
    warrants: createStandingWarrants(db),
    push: createPushSubscriptions(db),
    mails: createMailSubscriptions(db),
    configs: createPushConfigs(db, sealed),
    market: createPostgresStore(db, { identityNetwork: 'localnet' }),
    queue: createDeliveryQueue(db),
    uploads: createUploads(
      db,
      { limits: { perTask: 0, perWalletDay: 0, perDay: 0 }, keepMs: 0 },
      createIsProvenWorker(db),
    ),
  }
}

const begun = Date.now()
/** After what was made due a while ago; a lease is later. */
const [now, later] = [new Date(begun + 600_000), new Date(begun + 1_200_000)]
const claim = { most: 200, leaseMs: 60_000, perLane: 32, underWay: new Map<string, number>() }
const step = 100
const hash = async (): Promise<string> =>
  (await pool.query<{ hash: string }>("select md5('token1') as hash")).rows[0]?.hash ?? ''

/** A step of each, and how many rows it answers at least. */
const all: Readonly<Record<string, readonly [least: number, ask: () => Promise<unknown>]>> = {
  'finding a tool': [1, () => stores.oauth.findClient('crowd-5')],
  'finding a renewal': [1, async () => stores.oauth.findRefresh(await hash(), now)],
  'renewing a grant': [
    1,
    async () => stores.oauth.rotate(await hash(), 'crowd-1', { hash: 'next', expiresAt: later }, now),
  ],
  'the grants of a wallet': [20, () => stores.oauth.grantsOf(wallet, 20, 0)],
  'its last grants': [20, () => stores.oauth.grantsOf(wallet, 20, 1_000)],
  'its live grants': [step, () => stores.oauth.liveGrantsOf(wallet, now, step)],
  'its log': [20, () => stores.oauth.logOf(wallet, null, 20, 0)],
  'forgetting tools and grants': [step, () => stores.oauth.purge(now, step)],
  'settling approvals': [0, () => stores.approvals.settle(step)],
  'forgetting orders': [0, () => stores.warrants.purge(step)],
  'orders taken back': [step, () => stores.warrants.leaseTakenBack(step)],
  'who is proven': [0, () => createIsProven(pool)(wallet)],
  'browsers to be told': [100, () => stores.push.claim(claim)],
  'browsers to be told, again': [28, () => stores.push.claim({ ...claim, perLane: 7 })],
  'mailboxes to be told': [32, () => stores.mails.claim(claim)],
  'agents to be told': [
    step,
    () => stores.configs.claim({ most: step, leaseMs: 60_000, perAddress: 4, perWallet: 4, underWay: new Map() }),
  ],
  'searches to be looked for': [step, () => stores.market.leaseSearches(now, later, step)],
  'identities to be looked at': [step, () => stores.market.leaseIdentities('localnet', now, later, step)],
  'timers that ran out': [step, () => stores.market.leaseTimers('localnet', now, later, step)],
  'payments to go on with': [step, () => stores.market.leaseSettlements('localnet', now, later, later, step)],
  'files to be removed': [step, () => stores.uploads.leaseDue(now, later, step)],
  'endpoints to post to': [
    50,
    () =>
      stores.queue.leaseDeliveries({
        ...{ now, until: later, limit: 50, perEndpoint: 5, mostUnproven: 10, underWay: new Map() },
      }),
  ],
}

test.each(Object.keys(all))('with a hundred thousand of everything, %s reads no more than its share', async (name) => {
  const [least, ask] = all[name] ?? [0, () => Promise.resolve(null)]
  readings.length = 0
  const answer = await ask()
  const count = Array.isArray(answer) ? answer.length : typeof answer === 'number' ? answer : answer === null ? 0 : 1
  expect(count).toBeGreaterThanOrEqual(least)
  expect(readings.length).toBeGreaterThan(0)
  expect(
    readings
      .filter(({ pages, rows }) => pages > most.pages || rows > most.rows)
      .map(({ text, pages, rows, table }) => `${String(pages)} pages, ${String(rows)} rows of ${table}: ${text}`),
  ).toEqual([])
})
