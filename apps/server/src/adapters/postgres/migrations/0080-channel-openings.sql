-- Openings that this deployment has signed, each written before it is sent, as long as anything of it is on the ledger
-- (decision 0163).
create table channel_openings (
  channel_id text primary key,
  task_id uuid not null references tasks (id),
  wallet text not null,
  payer text not null,
  worker text not null,
  network text not null,
  token text not null,
  decimals integer not null,
  wire text not null,
  signature text not null,
  last_valid_height bigint not null,
  at timestamptz not null,
  due_at timestamptz not null
);
create index channel_openings_by_wallet on channel_openings (wallet);
create index channel_openings_due on channel_openings (due_at);
