-- Parties settle between themselves (decision 0167), and an arbiter rules with a wallet (decision 0168).
alter table tasks add column turn jsonb;
alter table settlements add column offer_id uuid;

create table settlement_offers (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  executor_id uuid not null references workers (id),
  side text not null check (side in ('publisher', 'worker')),
  words jsonb not null,
  message text,
  signature text not null,
  answer text,
  payments jsonb,
  status text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index settlement_offers_by_task on settlement_offers (task_id, id desc);

create table rulings (
  id uuid primary key,
  dispute_id uuid not null references disputes (id),
  task_id uuid not null references tasks (id),
  arbiter text not null,
  verdict text not null,
  split_pct smallint check (split_pct between 1 and 99),
  reason text not null,
  criteria text[] not null,
  nonce text not null,
  deadline timestamptz not null,
  signature text not null,
  status text not null,
  appealed_by text,
  appeal_reason text,
  created_at timestamptz not null,
  appeal_until timestamptz not null,
  ended_at timestamptz,
  constraint rulings_dispute_id_key unique (dispute_id)
);
create index rulings_by_task on rulings (task_id);
