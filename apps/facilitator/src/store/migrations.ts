import { takeSteps, type DatabaseSteps } from '@ergon/process'
import type { Pool } from 'pg'
import { StartupError } from '../errors.ts'

const migrations: readonly string[] = [
  `create table intents (
     id uuid primary key,
     network text not null,
     kind text not null,
     once_key text,
     sameness text not null,
     idempotency_key text,
     request_hash text not null,
     account text not null,
     account_nonce bigint not null,
     transactions jsonb not null,
     call jsonb not null,
     expectations jsonb not null,
     status text not null check (status in ('sent', 'succeeded', 'failed')),
     outcome jsonb,
     created_at timestamptz not null default now(),
     settled_at timestamptz
   );
   create unique index intents_once on intents (network, once_key) where status <> 'failed';
   create unique index intents_idempotency on intents (idempotency_key) where status <> 'failed';
   create index intents_open on intents (network, account, account_nonce) where status = 'sent';
   create table registrations (
     id uuid primary key,
     network text not null,
     agent_uri text not null,
     recipient text,
     status text not null check (status in ('pending', 'mint_confirmed', 'done', 'failed')),
     agent_id text,
     mint_transaction text,
     transfer_transaction text,
     error text,
     created_at timestamptz not null default now()
   );
   create unique index registrations_in_flight on registrations (network, agent_uri, coalesce(recipient, ''))
     where status in ('pending', 'mint_confirmed');
   create table relay_nonces (
     network text not null,
     rater text not null,
     nonce text not null,
     request jsonb not null,
     deadline bigint not null,
     primary key (network, rater, nonce)
   );`,
  `drop table relay_nonces;
   alter table registrations add column metadata jsonb not null default '[]', add column idempotency_key text,
     add column request_hash text not null default '';
   create unique index registrations_idempotency on registrations (idempotency_key) where status <> 'failed';`,
  // A key is bound to one thing for good; epochs fence a predecessor off; tombstones keep what was not written
  // unwritten.
  `create table account_leases (account text primary key, epoch bigint not null);
   create table request_keys (
     key text primary key,
     request_hash text not null,
     intent_id uuid,
     registration_id uuid,
     refusal jsonb,
     keep_until timestamptz
   );
   create index request_keys_forgettable on request_keys (keep_until) where refusal is not null;
   insert into request_keys (key, request_hash, intent_id)
     select idempotency_key, request_hash, id from intents where idempotency_key is not null and status <> 'failed';
   insert into request_keys (key, request_hash, registration_id)
     select 'register ' || idempotency_key, request_hash, id from registrations
     where idempotency_key is not null and status <> 'failed';
   drop index intents_idempotency;
   drop index registrations_idempotency;
   alter table intents drop constraint intents_status_check, add column missed_at timestamptz;
   alter table intents add constraint intents_status_check check (status in ('sent', 'succeeded', 'failed', 'void'));
   create index intents_void on intents (created_at) where status = 'void';
   alter table registrations drop constraint registrations_status_check;
   alter table registrations add constraint registrations_status_check
     check (status in ('pending', 'mint_confirmed', 'done', 'failed', 'void'));`,
  // What identities and ratings cost today, by whom it is counted against (decision 0092).
  `create table gas_spent (
     day date not null,
     key text not null,
     gas bigint not null,
     primary key (day, key)
   );`,
  // What ended long ago is found by its age, and gives its key free (decision 0103).
  `create index intents_keyed on intents (settled_at) where idempotency_key is not null and settled_at is not null;
   create index registrations_keyed on registrations (created_at)
     where idempotency_key is not null and status in ('done', 'failed');`,
  // Releases under standing orders, counted in the row of the order and named in one of their own (decision 0124).
  `create table standing_orders (
     order_hash text primary key,
     network text not null,
     payer text not null,
     uses integer not null,
     spent numeric(40) not null,
     not_after bigint not null
   );
   create index standing_orders_over on standing_orders (not_after);
   create table standing_uses (
     order_hash text not null references standing_orders (order_hash) on delete cascade,
     payment text not null,
     amount numeric(40) not null,
     once_key text not null,
     holders integer not null default 1,
     is_kept boolean not null default false,
     reserved_at timestamptz not null default now(),
     primary key (order_hash, payment)
   );
   create index standing_uses_undecided on standing_uses (reserved_at) where not is_kept;`,
  // What is signed for Solana: the very bytes, and until which block they may land (decision 0150).
  `create table solana_intents (
     id uuid primary key,
     network text not null,
     signature text not null,
     payer text not null,
     request_hash text not null,
     idempotency_key text,
     wire bytea not null,
     blockhash text not null,
     last_valid_height bigint not null,
     status text not null check (status in ('sent', 'confirmed', 'succeeded', 'failed', 'expired')),
     slot bigint,
     failure jsonb,
     created_at timestamptz not null default now(),
     settled_at timestamptz
   );
   create unique index solana_intents_once on solana_intents (network, signature);
   create index solana_intents_open on solana_intents (network, created_at) where status in ('sent', 'confirmed');
   create index solana_intents_ended on solana_intents (settled_at) where settled_at is not null;
   alter table request_keys add column solana_id uuid;`,
  // What a reorganization may still undo is found by its age, however much has landed before it.
  `create index intents_succeeded on intents (settled_at) where status = 'succeeded';`,
  // What landed and is not deep is followed over restarts (decision 0259). What ended more than a day ago is deep; what
  // a facilitator of the version before settles is not, until a process has looked.
  `alter table intents add column is_deep boolean not null default true;
   alter table intents alter column is_deep set default false;
   update intents set is_deep = false
     where status = 'sent' or status = 'succeeded' and settled_at > now() - interval '1 day';
   create index intents_shallow on intents (network, account, account_nonce)
     where status = 'succeeded' and not is_deep;`,
  // Where the database was when it was looked at last, and when it was seen to be elsewhere (decision 0283).
  `alter table account_leases add column place text, add column went_back_at bigint;
   create function database_place() returns text language plpgsql stable as $$
   begin
     return concat_ws('/', (select system_identifier from pg_control_system()),
       left(pg_walfile_name(pg_current_wal_lsn()), 8),
       (select oid from pg_database where datname = current_database()));
   exception when insufficient_privilege or undefined_function or feature_not_supported then
     return 'not told';
   end $$;`,
]

const steps: DatabaseSteps = {
  ...{ table: 'facilitator_migrations', lock: 7_128_402, steps: migrations },
  tooNew: () => new StartupError('a newer version of the facilitator has migrated this database: start that one'),
  held: (cause) => new StartupError('the migration did not get its locks: end what holds them', { cause }),
}

/** Brings the schema up to date. Throws `StartupError` when it never gets its locks, or a newer version was here. */
export async function migrate(pool: Pool): Promise<void> {
  await takeSteps(pool, steps)
}
