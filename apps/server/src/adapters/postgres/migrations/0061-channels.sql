-- Tasks that are paid by the unit, the channels that fund them and every accepted unit (decision 0137).
create table meter_terms (
  task_id uuid primary key references tasks (id),
  unit text not null,
  price_atomic bigint not null check (price_atomic > 0),
  cap_atomic bigint not null check (cap_atomic >= price_atomic)
);

create table channels (
  id text primary key,
  task_id uuid not null unique references tasks (id),
  executor_id uuid not null references workers (id),
  network text not null,
  token text not null,
  decimals integer not null,
  payer text not null,
  payee text not null,
  worker text not null,
  voucher_signer text not null,
  status text not null,
  unit text not null,
  price_atomic bigint not null,
  limit_atomic bigint not null,
  deposit_atomic bigint not null check (limit_atomic <= deposit_atomic),
  measured bigint not null,
  cumulative_atomic bigint not null check (cumulative_atomic between 0 and limit_atomic),
  measured_until timestamptz not null,
  vouchers integer not null,
  signature text,
  bound_at timestamptz not null,
  updated_at timestamptz not null
);
create index channels_by_worker on channels (executor_id);

create table channel_ticks (
  id uuid primary key,
  channel_id text not null references channels (id),
  voucher_index integer not null,
  amount_atomic bigint not null check (amount_atomic > 0),
  cumulative_atomic bigint not null,
  measured bigint not null,
  signature text not null,
  evidence jsonb not null,
  note text,
  author text not null,
  idempotency_key text,
  body_hash text,
  at timestamptz not null,
  unique (channel_id, voucher_index)
);
create unique index channel_ticks_idempotency on channel_ticks (channel_id, idempotency_key)
  where idempotency_key is not null;
