import type { Pool } from 'pg'
import { ask, isTaken } from './ask.ts'
import { keyDays, registrationKeyDays, type Intent, type IntentStore } from './intents.ts'
import { createKeys } from './postgres-keys.ts'
import { intentOf, type IntentRow } from './rows.ts'

// The row of the lease is locked while intents are written, so that a successor that raises the epoch comes wholly
// before them or wholly after them.
const insertSql = `
  with held as (select epoch from account_leases where account = $13 and epoch = $14 for share),
  written as (
    insert into intents (id, network, kind, once_key, sameness, idempotency_key, request_hash, account, account_nonce,
      transactions, call, expectations, status)
    select given.*, 'sent'
    from held, unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::bigint[], $10::jsonb[], $11::jsonb[], $12::jsonb[]) as given
    returning id, idempotency_key, request_hash),
  keyed as (
    insert into request_keys (key, request_hash, intent_id)
    select idempotency_key, request_hash, id from written where idempotency_key is not null)
  select count(*)::int as count from written`

// Waits for an insert of the same ids that is still under way: the primary key lets one of the two in.
const fenceSql = `
  insert into intents (id, network, kind, sameness, request_hash, account, account_nonce, transactions, call,
      expectations, status)
  select id, '', 'tombstone', '', '', '', -1, '[]', '{}', '[]', 'void' from unnest($1::uuid[]) as id
  on conflict (id) do nothing`

type Query = <T extends object>(name: string, text: string, values: unknown[]) => Promise<T[]>

export function createIntentStore(pool: Pool): IntentStore {
  const query: Query = (name, text, values) => ask(pool, name, text, values)
  return {
    insert: (intents, epoch) => insert(pool, intents, epoch),
    async fence(ids) {
      await query('intents-fence', fenceSql, [ids])
      const [row] = await query<{ count: number }>(
        'intents-fenced',
        `select count(*)::int as count from intents
        where id = any($1::uuid[]) and status <> 'void'`,
        [ids],
      )
      return row === undefined || row.count > 0 ? 'written' : 'void'
    },
    ...createKeys(pool),
    async addTransaction(id, transaction, epoch) {
      const rows = await query(
        'intents-replace',
        `
        with held as (select l.account from account_leases l join intents i on lower(i.account) = l.account
          where i.id = $1 and l.epoch = $3 for share of l)
        update intents set transactions = transactions || $2::jsonb
        where id = $1 and status = 'sent' and exists (select 1 from held) returning id`,
        [id, JSON.stringify([transaction]), epoch],
      )
      return rows.length > 0
    },
    ...missing(query),
    ...undecided(query),
    async purge(limit) {
      const rows = await query<{ count: number }>(
        'store-purge',
        `
        with refusals as (delete from request_keys where key in (
          select key from request_keys where refusal is not null and keep_until < now() limit $1) returning 1),
        tombstones as (delete from intents where id in (
          select id from intents where status = 'void' and created_at < now() - interval '1 day' limit $1) returning 1),
        ended as (select id, idempotency_key as key from intents where idempotency_key is not null
          and settled_at < now() - $2 * interval '1 day' order by settled_at limit $1),
        keyless as (update intents i set idempotency_key = null from ended where i.id = ended.id returning 1),
        freed as (delete from request_keys k using ended where k.key = ended.key and k.intent_id = ended.id),
        registered as (select id, 'register ' || idempotency_key as key from registrations
          where idempotency_key is not null and status in ('done', 'failed')
          and created_at < now() - $3 * interval '1 day' order by created_at limit $1),
        unnamed as (update registrations r set idempotency_key = null from registered
          where r.id = registered.id returning 1),
        released as (delete from request_keys k using registered
          where k.key = registered.key and k.registration_id = registered.id)
        select ((select count(*) from refusals) + (select count(*) from tombstones)
          + (select count(*) from keyless) + (select count(*) from unnamed))::int as count`,
        [limit, keyDays, registrationKeyDays],
      )
      return rows[0]?.count ?? 0
    },
  }
}

/** How long a transaction has not been seen. */
function missing(query: Query): Pick<IntentStore, 'miss' | 'regain'> {
  return {
    async miss(ids) {
      const rows = await query<{ id: string; ms: number }>(
        'intents-miss',
        `update intents set missed_at = coalesce(missed_at, now())
        where id = any($1::uuid[]) returning id, (extract(epoch from now() - missed_at) * 1000)::float8 as ms`,
        [ids],
      )
      return new Map(rows.map(({ id, ms }) => [id, ms]))
    },
    async regain(ids) {
      await query('intents-regain', 'update intents set missed_at = null where id = any($1::uuid[])', [ids])
    },
  }
}

/** What a chain has decided, has still to decide, or decides again. */
function undecided(query: Query): Pick<IntentStore, 'settle' | 'open' | 'reopen' | 'shallow' | 'restate'> {
  return {
    async settle(settled) {
      await query(
        'intents-settle',
        `update intents set status = done.status, outcome = done.outcome, is_deep = done.is_deep,
          settled_at = now(), missed_at = null
        from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::boolean[]) as done (id, status, outcome, is_deep)
        where intents.id = done.id
          and (intents.status = 'sent' or intents.status = 'failed' and done.status = 'succeeded')`,
        [
          settled.map((one) => one.id),
          settled.map((one) => one.status),
          settled.map((one) => JSON.stringify(one.outcome)),
          settled.map((one) => one.isDeep),
        ],
      )
    },
    async open(network) {
      return (
        await query<IntentRow>(
          'intents-open',
          `select * from intents where network = $1 and status = 'sent' order by account, account_nonce`,
          [network],
        )
      ).map(intentOf)
    },
    async reopen(network, account, fromNonce, settledForMs) {
      return (
        await query<IntentRow>(
          'intents-reopen',
          `with undone as (select id, settled_at from intents
          where network = $1 and account = $2 and account_nonce >= $3 and status = 'succeeded'
            and (not is_deep or settled_at > now() - interval '10 minutes'))
        update intents set status = 'sent', outcome = null, is_deep = false, settled_at = null, missed_at = null
        where id in (select id from undone) and status = 'succeeded'
          and exists (select 1 from undone where settled_at <= now() - $4 * interval '1 millisecond')
        returning *`,
          [network, account, fromNonce, settledForMs],
        )
      ).map(intentOf)
    },
    async shallow(network, account, fromNonce, limit) {
      const rows = await query<IntentRow & { settled_for_ms: number }>(
        'intents-shallow',
        `select *, (extract(epoch from now() - settled_at) * 1000)::float8 as settled_for_ms from intents
        where network = $1 and account = $2 and account_nonce >= $3 and status = 'succeeded' and not is_deep
        order by account_nonce limit $4`,
        [network, account, fromNonce, limit],
      )
      return rows.map((row) => ({ intent: intentOf(row), settledForMs: row.settled_for_ms }))
    },
    async restate(restated) {
      await query(
        'intents-restate',
        `update intents set outcome = coalesce(now_is.outcome, intents.outcome), is_deep = now_is.is_deep
        from unnest($1::uuid[], $2::jsonb[], $3::boolean[]) as now_is (id, outcome, is_deep)
        where intents.id = now_is.id and intents.status = 'succeeded'`,
        [
          restated.map((one) => one.id),
          restated.map((one) => (one.outcome === undefined ? null : JSON.stringify(one.outcome))),
          restated.map((one) => one.isDeep),
        ],
      )
    },
  }
}

async function insert(
  pool: Pool,
  intents: readonly Intent[],
  epoch: number,
): Promise<'written' | 'conflict' | 'fenced'> {
  const column = <T>(pick: (intent: Intent) => T): T[] => intents.map(pick)
  try {
    const [row] = await ask<{ count: number }>(pool, 'intents-insert', insertSql, [
      column((one) => one.id),
      column((one) => one.network),
      column((one) => one.kind),
      column((one) => one.onceKey),
      column((one) => one.sameness),
      column((one) => one.idempotencyKey),
      column((one) => one.requestHash),
      column((one) => one.account),
      column((one) => one.accountNonce),
      column((one) => JSON.stringify(one.transactions)),
      column((one) => JSON.stringify(one.call)),
      column((one) => JSON.stringify(one.expectations)),
      intents[0]?.account.toLowerCase(),
      epoch,
    ])
    return row?.count === intents.length ? 'written' : 'fenced'
  } catch (error) {
    if (isTaken(error)) return 'conflict'
    throw error
  }
}
