import { readFileSync } from 'node:fs'
import type { Pool, QueryConfig } from 'pg'

/** Migrations in order. A released one never changes; the next one corrects it. */
const migrations = [
  '0001-market',
  '0002-reads',
  '0003-listings',
  '0004-disputes',
  '0005-sessions',
  '0006-operations',
  '0008-verification',
  '0009-admin',
  '0010-money-findings',
  '0011-account',
  '0012-events',
  '0013-webhooks',
  '0014-notifications',
  '0015-a2a',
  '0016-webhook-ed25519',
  '0017-movements',
  '0020-follow',
  '0030-uploads',
  '0032-registrations',
  '0033-counted-ratings',
  '0034-record-order',
  '0036-account-proofs',
  '0037-counted-orders',
  '0039-task-words',
  '0041-history',
  '0042-event-epochs',
  '0043-ledger-audit',
  '0045-servers',
] as const

/** Held while migrating, so that of several servers one does it. */
const lockKey = 7_210_451

/** Building an index may take longer than any request should. */
const patienceMs = 6 * 3_600_000

/** A statement with a patience of its own, which the types of the driver do not know. */
function patiently(text: string, values?: unknown[]): QueryConfig & { readonly query_timeout: number } {
  return { text, query_timeout: patienceMs, ...(values === undefined ? {} : { values }) }
}

/** Brings the schema up to date; every migration in a transaction of its own. */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(patiently('select pg_advisory_lock($1)', [lockKey]))
    await client.query(
      'create table if not exists migrations (name text primary key, at timestamptz not null default now())',
    )
    const done = new Set(
      (await client.query<{ name: string }>('select name from migrations')).rows.map(({ name }) => name),
    )
    for (const name of migrations) {
      if (done.has(name)) continue
      const sql = readFileSync(new URL(`migrations/${name}.sql`, import.meta.url), 'utf8')
      await client.query('begin')
      await client.query(patiently(sql))
      await client.query('insert into migrations (name) values ($1)', [name])
      await client.query('commit')
    }
  } finally {
    // The connection ends with its lock, its settings and, when something failed, its transaction.
    client.release(true)
  }
}
