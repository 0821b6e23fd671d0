create table tasks (
  id uuid primary key,
  status text not null,
  title text not null,
  instructions text not null,
  category text not null,
  bounty_atomic bigint not null check (bounty_atomic > 0),
  token text not null,
  network text not null,
  decimals smallint not null,
  deadline timestamptz not null,
  publisher_wallet text not null,
  publisher_type text not null,
  publisher_agent_id bigint,
  target text not null,
  executor_id uuid,
  evidence_required text[] not null,
  evidence_optional text[] not null,
  location_hint text,
  min_reputation double precision not null,
  escrow_status text not null,
  escrow_tx text,
  payment_tx text,
  payment_block bigint,
  fee_tx text,
  refund_tx text,
  payment_auth text,
  idempotency_key text,
  body_hash text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index tasks_idempotency on tasks (publisher_wallet, idempotency_key) where idempotency_key is not null;
create index tasks_newest on tasks (id desc);
create index tasks_by_status on tasks (status, id desc);
create index tasks_by_category on tasks (category, id desc);
create index tasks_by_publisher on tasks (publisher_wallet, id desc);
create index tasks_due on tasks (deadline) where status in ('published', 'accepted', 'in_progress', 'submitted', 'verifying', 'disputed');
create index tasks_owed_fee on tasks (payment_block) where payment_block is not null and fee_tx is null and escrow_status = 'released';

create table task_history (
  task_id uuid not null references tasks (id),
  status text not null,
  at timestamptz not null,
  seq bigint generated always as identity primary key
);
create index task_history_by_task on task_history (task_id, seq);

create table workers (
  id uuid primary key,
  wallet text not null unique,
  display_name text,
  party text not null,
  tasks_completed integer not null default 0,
  onchain_score double precision,
  rating_count integer not null default 0,
  created_at timestamptz not null
);

create table publisher_scores (
  wallet text primary key,
  avg_score double precision,
  rating_count integer not null,
  updated_at timestamptz not null
);

create table identities (
  network text not null,
  wallet text not null,
  agent_id bigint not null,
  tx_hash text,
  updated_at timestamptz not null,
  primary key (network, wallet)
);

create table applications (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  executor_id uuid not null references workers (id),
  status text not null,
  message text,
  created_at timestamptz not null,
  unique (task_id, executor_id)
);

create table submissions (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  executor_id uuid not null references workers (id),
  status text not null,
  submitted_at timestamptz not null,
  evidence jsonb not null,
  notes text,
  checks jsonb not null,
  pre_check_score double precision,
  coverage double precision,
  rejection_reason text,
  payment_tx text,
  decided_at timestamptz,
  evidence_accessed_at timestamptz
);
create unique index submissions_one_pending on submissions (task_id) where status = 'pending_review';
create index submissions_by_task on submissions (task_id, id desc);

create table disputes (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  submission_id uuid not null unique references submissions (id),
  status text not null,
  reason text not null,
  description text not null,
  criteria text[] not null,
  created_at timestamptz not null
);

create table escrows (
  task_id uuid primary key references tasks (id),
  hash text not null unique,
  payment jsonb not null
);

-- One attempt to move money, written before anything is sent. Its unique indexes are the claims.
create table settlements (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  submission_id uuid,
  executor_id uuid,
  purpose text not null,
  subject text not null,
  order_json jsonb not null,
  status text not null,
  tx_hash text,
  block_number bigint,
  code text,
  attempts integer not null default 0,
  must_land boolean not null,
  rating jsonb,
  due_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index settlements_one_lock on settlements (subject) where purpose = 'lock' and status in ('claimed', 'in_doubt');
create unique index settlements_one_ending on settlements (subject) where purpose in ('release', 'refund', 'payout') and status in ('claimed', 'in_doubt', 'confirmed');
create unique index settlements_one_fee on settlements (subject) where purpose = 'fee' and status in ('claimed', 'in_doubt', 'confirmed');
create index settlements_due on settlements (due_at) where status in ('claimed', 'in_doubt');
create index settlements_by_task on settlements (task_id);

create table sweeps (
  id uuid primary key,
  network text not null,
  token text not null,
  decimals smallint not null,
  key text not null unique,
  status text not null,
  tx_hash text,
  block_number bigint,
  amount bigint,
  attempts integer not null default 0,
  due_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index sweeps_one_open on sweeps (network, token) where status = 'open';
create index sweeps_by_block on sweeps (network, token, block_number) where status = 'confirmed';

create table payment_events (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  type text not null,
  status text not null,
  amount_atomic bigint,
  from_address text,
  to_address text,
  network text not null,
  token text not null,
  decimals smallint not null,
  tx_hash text,
  note text,
  at timestamptz not null
);
create index payment_events_by_task on payment_events (task_id, id);

-- Double entry, append only: the lines of one journal add up to zero.
create table ledger (
  seq bigint generated always as identity primary key,
  journal uuid not null,
  task_id uuid,
  network text not null,
  token text not null,
  account text not null,
  amount_atomic bigint not null,
  at timestamptz not null
);
create index ledger_by_account on ledger (network, token, account);
create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger only grows';
end $$;
create trigger ledger_no_truncate before truncate on ledger for each statement execute function ledger_is_append_only();
create trigger ledger_no_change before update or delete on ledger for each row execute function ledger_is_append_only();

create table ratings (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  direction text not null,
  rater text not null,
  ratee text not null,
  terms jsonb not null,
  comment text,
  document bytea not null,
  status text not null,
  tx_hash text,
  feedback_index integer,
  attempts integer not null default 0,
  due_at timestamptz,
  updated_at timestamptz,
  unique (task_id, direction)
);
create index ratings_due on ratings (due_at) where status = 'due';

create table outbox (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  type text not null,
  task_id uuid,
  data jsonb not null,
  at timestamptz not null
);

create table nonces (
  key bytea primary key,
  expires_at double precision not null
);
