import { takeSteps, type StepsPatience } from '@ergon/process'
import type { Pool } from 'pg'
import { StartupError } from '../errors.ts'

const migrations: readonly string[] = [
  `create table channels (
     channel_id text primary key,
     seller text not null,
     payer text not null,
     address text not null,
     voucher_signer text not null check (voucher_signer in ('operator', 'client')),
     authorized_signer text not null,
     salt numeric(20) not null,
     open_slot numeric(20) not null,
     grace_sec integer not null,
     deposit bigint not null check (deposit > 0),
     status text not null check (status in ('opening', 'open', 'closing', 'closed', 'void')),
     spent bigint not null default 0 check (spent >= 0),
     held bigint not null default 0 check (held >= 0),
     in_flight integer not null default 0 check (in_flight >= 0),
     taken bigint not null default 0,
     accepted bigint not null default 0,
     payable bigint not null default 0,
     payable_signature text,
     payable_expires_at bigint not null default 0,
     opened_at timestamptz not null default now(),
     used_at timestamptz not null default now(),
     expires_at timestamptz,
     watch_at timestamptz not null default now(),
     lease_until timestamptz,
     close_reason text,
     settled bigint,
     refunded bigint,
     settlement_signature text,
     closed_at timestamptz,
     reclaim_at timestamptz,
     check (spent + held <= deposit),
     check (payable <= spent)
   );
   create index channels_of_payer on channels (payer) where status in ('opening', 'open', 'closing');
   create index channels_of_address on channels (address) where status in ('opening', 'open', 'closing');
   create index channels_live on channels (watch_at) where status in ('opening', 'open', 'closing');
   create index channels_reclaim on channels (reclaim_at) where reclaim_at is not null;
   create index channels_ended on channels (closed_at) where closed_at is not null;
   create table deliveries (
     id uuid primary key default gen_random_uuid(),
     channel_id text not null references channels,
     key text not null,
     request_hash text not null,
     path text not null,
     price bigint not null check (price > 0),
     state text not null check (state in ('asked', 'charged', 'released')),
     attempt integer not null default 1,
     cumulative bigint,
     signature text,
     expires_at bigint not null default 0,
     lease_until timestamptz not null,
     spent_then bigint,
     status integer,
     headers jsonb,
     body bytea,
     asked_at timestamptz not null default now(),
     charged_at timestamptz,
     receipted_at timestamptz,
     unique (channel_id, key)
   );
   create index deliveries_asked on deliveries (channel_id) where state = 'asked';
   create index deliveries_overdue on deliveries (lease_until) where state = 'asked';
   create index deliveries_vouchers on deliveries (channel_id, cumulative) where cumulative is not null;
   create index deliveries_bodies on deliveries (charged_at) where body is not null;
   create index deliveries_old on deliveries (asked_at) where state <> 'asked';
   create table transactions (
     signature text primary key,
     channel_id text not null references channels,
     kind text not null check (kind in ('open', 'topUp', 'close', 'reclaim')),
     wire bytea not null,
     last_valid_height numeric(20) not null,
     settles bigint,
     state text not null default 'sent' check (state in ('sent', 'landed', 'refused', 'expired')),
     error jsonb,
     sent_at timestamptz not null default now()
   );
   create index transactions_of_channel on transactions (channel_id, kind, sent_at)`,
  `alter table transactions add pursue_at timestamptz not null default now() + interval '30 seconds';
   create index transactions_top_ups on transactions (pursue_at) where kind = 'topUp' and state = 'sent'`,
  `create table sponsored (
     day date not null,
     counted text not null,
     used integer not null,
     primary key (day, counted)
   )`,
]

/** Brings the schema up to date. Throws `StartupError` when it never gets its locks, or a newer version was here. */
export async function migrate(pool: Pool, patience?: StepsPatience): Promise<void> {
  const steps = {
    ...{ table: 'gateway_migrations', lock: 7_128_403, steps: migrations },
    tooNew: () => new StartupError('a newer version of the gateway has migrated this database: start that one'),
    held: (cause: unknown) => new StartupError('the migration did not get its locks: end what holds them', { cause }),
  }
  await takeSteps(pool, steps, patience)
}
