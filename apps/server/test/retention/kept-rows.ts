import type { Pool } from 'pg'
import type { Retentions } from '../../src/retentions.ts'

/** Values of columns, as SQL. */
type Columns = Readonly<Record<string, string>>

/** Rows that have a retention, and how a test makes some. */
export type KeptRows = {
  readonly table: string
  /** The column by which they age, and what in it is just past its time, and what is not yet. */
  readonly ages: string
  readonly past: string
  readonly young: string
  readonly is?: Columns
  /** Rows that are as old and stay. */
  readonly spared?: readonly Columns[]
  /** What is true of a row that is not forgotten. */
  readonly keptWhere?: string
}

const minute = "interval '1 minute'"
const agesBy = (column: string, kept: string): Pick<KeptRows, 'ages' | 'past' | 'young'> => ({
  ages: column,
  past: `now() - interval '${kept}' - ${minute}`,
  young: `now() - interval '${kept}' + 5 * ${minute}`,
})
const today = "(now() at time zone 'utc')::date"

const anyNumber = '2 + (random() * 2000000000)::int'
const [over, open] = ["'00000000-0000-4000-8000-000000000001'::uuid", "'00000000-0000-4000-8000-000000000002'::uuid"]

/** What decides over others: a task that is over and one that goes on, a channel that is gone. */
export async function writeDeciding(pool: Pool): Promise<void> {
  for (const [id, status] of [
    [over, "'completed'"],
    [open, "'published'"],
  ] as const)
    await writeRows(pool, 'tasks', 1, {
      id,
      status,
      target: "'any'",
      publisher_type: "'agent'",
      deadline: "now() + interval '30 days'",
    })
  await writeRows(pool, 'channels', 1, {
    ...{ id: "'gone'", status: "'reclaimed'", cumulative_atomic: '0', limit_atomic: '1', deposit_atomic: '1' },
    voucher_signer: "'operator'",
  })
}

/** How long each is kept, as it was promised. */
export const keptRows: Readonly<Record<keyof Retentions, readonly KeptRows[]>> = {
  events: [{ table: 'outbox', ...agesBy('at', '90 days'), is: { type: "'task.created'" } }],
  ticks: [
    {
      table: 'channel_ticks',
      ...agesBy('at', '90 days'),
      is: { channel_id: "'gone'", voucher_index: anyNumber },
      spared: [{ channel_id: "'live'" }],
    },
    {
      table: 'channel_orders',
      ...agesBy('sent_at', '90 days'),
      is: { channel_id: "'gone'", status: "'landed'" },
      spared: [{ channel_id: "'live'" }],
    },
  ],
  offers: [
    {
      table: 'settlement_offers',
      ...agesBy('ended_at', '365 days'),
      is: { status: "'refused'", side: "'worker'", task_id: over },
      spared: [{ status: "'settled'" }, { task_id: open }],
    },
  ],
  asks: [
    {
      table: 'portfolio_pieces',
      ...agesBy('asked_at', '30 days'),
      is: { state: "'asked'" },
      keptWhere: "state <> 'ended'",
    },
  ],
  'cash-outs': [
    {
      table: 'cash_outs',
      ...agesBy('created_at', '30 days'),
      is: { status: "'refused'" },
      spared: [{ status: "'landed'" }],
    },
  ],
  deliveries: [
    {
      table: 'webhook_deliveries',
      ...agesBy('created_at', '30 days'),
      is: { status: "'delivered'", kind: "'event'" },
    },
  ],
  keys: [{ table: 'operations', ...agesBy('created_at', '24 hours'), is: { state: "'done'" } }],
  nonces: [
    {
      table: 'nonces',
      ages: 'expires_at',
      past: 'extract(epoch from now()) - 16 * 60',
      young: 'extract(epoch from now()) - 10 * 60',
    },
  ],
  sessions: [{ table: 'sessions', ...agesBy('expires_at', '0 days') }],
  accounts: [
    {
      table: 'account_proofs',
      ...agesBy('begun_at', '1 hour'),
      is: { has_acted: 'false' },
      spared: [{ has_acted: 'true' }],
    },
  ],
  counts: [{ table: 'registration_counts', ages: 'day', past: `${today} - 1`, young: today }],
  'upload-days': [
    { table: 'upload_counts', ages: 'day', past: `${today} - 3`, young: `${today} - 2`, spared: [{ day: 'null' }] },
  ],
  oauth: [
    { table: 'oauth_sign_ins', ...agesBy('expires_at', '0 days') },
    { table: 'oauth_refresh_tokens', ...agesBy('expires_at', '0 days'), is: { grant_id: "'live'" } },
    {
      table: 'oauth_grants',
      ...agesBy('expires_at', '30 days'),
      is: { code_used_at: 'now()', code_expires_at: 'now()' },
    },
    {
      table: 'oauth_grants',
      ...agesBy('code_expires_at', '1 day'),
      is: { code_used_at: 'null', expires_at: "'infinity'" },
      spared: [{ code_used_at: 'now()' }],
    },
    {
      table: 'oauth_clients',
      ...agesBy('used_at', '180 days'),
      is: { created_at: "now() - interval '200 days'" },
    },
    { table: 'oauth_audit', ...agesBy('at', '400 days'), is: { detail: 'n::text' } },
    {
      table: 'oauth_signing_epochs',
      ...agesBy('shown_until', '0 days'),
      is: { epoch: anyNumber },
      spared: [{ shown_until: 'null' }],
      keptWhere: 'epoch > 1',
    },
  ],
  warrants: [{ table: 'standing_warrants', ...agesBy('good_until', '0 days') }],
  links: [
    { table: 'linked_signers', ...agesBy('good_until', '0 days') },
    { table: 'linked_signer_requests', ...agesBy('good_until', '0 days') },
  ],
  mails: [
    {
      table: 'mail_subscriptions',
      ...agesBy('asked_at', '1 day'),
      is: { confirmed_at: 'null' },
      spared: [{ confirmed_at: 'now()' }],
    },
  ],
}

const values: Columns = {
  text: 'gen_random_uuid()::text',
  uuid: 'gen_random_uuid()',
  bytea: "decode(replace(gen_random_uuid()::text, '-', ''), 'hex')",
  'timestamp with time zone': 'now()',
  date: today,
  boolean: 'true',
  jsonb: "'{}'",
  json: "'{}'",
  ARRAY: "'{}'",
  bigint: 'n',
  integer: 'n',
  smallint: '1',
  'double precision': 'n',
}

/** Writes so many rows; what nobody names is made up, and rows that they hang on need not exist. */
export async function writeRows(pool: Pool, table: string, count: number, named: Columns): Promise<void> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null
        and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  )
  const columns = new Map(rows.map(({ name, type }) => [name, values[type] ?? 'null']))
  for (const [name, value] of Object.entries(named)) columns.set(name, value)
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into ${table} (${[...columns.keys()].join(', ')})
        select ${[...columns.values()].join(', ')} from generate_series(1, ${String(count)}) n`,
    )
    await client.query('set session_replication_role = origin')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Rows just past their time, some that are not yet, and some that are as old and stay. */
export async function writeKept(pool: Pool, kept: KeptRows, past: number, others: number): Promise<void> {
  const { table, ages, is = {}, spared = [] } = kept
  await writeRows(pool, table, past, { ...is, [ages]: kept.past })
  await writeRows(pool, table, others, { ...is, [ages]: kept.young })
  for (const columns of spared) await writeRows(pool, table, others, { ...is, [ages]: kept.past, ...columns })
}

export async function countOf(pool: Pool, { table, keptWhere = 'true' }: KeptRows): Promise<number> {
  const { rows } = await pool.query<{ count: bigint }>(`select count(*) from ${table} where ${keptWhere}`)
  return Number(rows[0]?.count)
}
