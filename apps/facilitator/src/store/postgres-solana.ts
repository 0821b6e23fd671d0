import type { Pool } from 'pg'
import { ask, isTaken } from './ask.ts'
import { keyDays, type StoredRefusal } from './intents.ts'
import type { SolanaBound, SolanaIntent, SolanaIntents, SolanaStatus } from './solana-intents.ts'

type Row = {
  id: string
  network: string
  signature: string
  payer: string
  request_hash: string
  idempotency_key: string | null
  wire: Buffer
  blockhash: string
  last_valid_height: string
  status: SolanaStatus
  slot: string | null
  failure: SolanaIntent['failure']
}
type BoundRow = { hash_of_key: string; refusal: StoredRefusal | null } & { [Column in keyof Row]: Row[Column] | null }

// As with intents: a successor that raises the epoch comes wholly before or wholly after. The time is the database's.
const insertSql = `
  with held as (select epoch from account_leases where account = $10 and epoch = $11 for share),
  written as (
    insert into solana_intents (id, network, signature, payer, request_hash, idempotency_key, wire, blockhash,
      last_valid_height, status)
    select $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bytea, $8::text, $9::bigint, 'sent' from held
    where $12::bigint is null or extract(epoch from now()) < $12
    returning id, idempotency_key, request_hash),
  keyed as (
    insert into request_keys (key, request_hash, solana_id)
    select idempotency_key, request_hash, id from written where idempotency_key is not null)
  select (select count(*) from held)::int as held, (select count(*) from written)::int as written`

/** Where the intents of Solana are kept; `account` is the one whose lease this process holds. */
export function createSolanaIntents(pool: Pool, account: string): SolanaIntents {
  return {
    async insert(one, { epoch, settleBefore }) {
      try {
        const [row] = await ask<{ held: number; written: number }>(pool, 'solana-insert', insertSql, [
          one.id,
          one.network,
          one.signature,
          one.payer,
          one.requestHash,
          one.idempotencyKey,
          Buffer.from(one.wire),
          one.blockhash,
          one.lastValidHeight,
          account,
          epoch,
          settleBefore ?? null,
        ])
        if (row?.written === 1) return 'written'
        return row?.held === 1 ? 'late' : 'fenced'
      } catch (error) {
        if (isTaken(error)) return 'conflict'
        throw error
      }
    },
    async find(network, signature) {
      const [row] = await ask<Row>(
        pool,
        'solana-find',
        'select * from solana_intents where network = $1 and signature = $2',
        [network, signature],
      )
      return row === undefined ? undefined : intentOf(row)
    },
    async bound(key) {
      const [row] = await ask<BoundRow>(
        pool,
        'solana-bound',
        `select k.request_hash as hash_of_key, k.refusal, s.* from request_keys k
        left join solana_intents s on s.id = k.solana_id where k.key = $1`,
        [key],
      )
      return row === undefined ? undefined : boundOf(row)
    },
    async mark(id, { status, slot, failure }) {
      await ask(
        pool,
        'solana-mark',
        `update solana_intents set status = $2, slot = $3, failure = $4,
          settled_at = case when $2 in ('succeeded', 'failed', 'expired') then now() end
        where id = $1 and status in ('sent', 'confirmed')`,
        [id, status, slot, failure === null ? null : JSON.stringify(failure)],
      )
    },
    async open(network, limit) {
      const rows = await ask<Row>(
        pool,
        'solana-open',
        `select * from solana_intents where network = $1 and status in ('sent', 'confirmed')
        order by created_at limit $2`,
        [network, limit],
      )
      return rows.map(intentOf)
    },
    purge: (limit) => purge(pool, limit),
  }
}

async function purge(pool: Pool, limit: number): Promise<number> {
  const [row] = await ask<{ count: number }>(
    pool,
    'solana-purge',
    `with gone as (delete from solana_intents where id in (
      select id from solana_intents where settled_at < now() - $2 * interval '1 day' order by settled_at limit $1)
      returning id, idempotency_key),
    freed as (delete from request_keys k using gone where k.key = gone.idempotency_key and k.solana_id = gone.id)
    select count(*)::int as count from gone`,
    [limit, keyDays],
  )
  return row?.count ?? 0
}

function boundOf(row: BoundRow): SolanaBound {
  // A left join: the columns of the intent are all there or all null.
  return {
    requestHash: row.hash_of_key,
    intent: row.id === null ? null : intentOf(row as Row),
    refusal: row.refusal,
  }
}

function intentOf(row: Row): SolanaIntent {
  return {
    id: row.id,
    network: row.network,
    signature: row.signature,
    payer: row.payer,
    requestHash: row.request_hash,
    idempotencyKey: row.idempotency_key,
    wire: new Uint8Array(row.wire),
    blockhash: row.blockhash,
    lastValidHeight: BigInt(row.last_valid_height),
    status: row.status,
    slot: row.slot === null ? null : BigInt(row.slot),
    failure: row.failure,
  }
}
