-- What the comparison of the ledger with the chains found (decision 0059). A finding is open until its check no longer finds it.
create table money_findings (
  id bigint generated always as identity primary key,
  kind text not null,
  -- The check that found it, and that alone resolves it.
  scope text not null,
  -- What it is about, so that one trouble is one row.
  subject text not null,
  task_id uuid,
  settlement_id uuid,
  network text not null,
  token text,
  decimals smallint,
  amount_atomic bigint,
  detail text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  resolved_at timestamptz
);
create unique index money_findings_open on money_findings (scope, kind, subject) where resolved_at is null;

-- One row: whoever moves the due time makes the round.
create table money_audit (
  one boolean primary key default true check (one),
  due_at timestamptz not null default '-infinity',
  sums_due_at timestamptz not null default '-infinity',
  last_run timestamptz
);
insert into money_audit default values;

alter table escrows add column audit_due_at timestamptz not null default '-infinity';
create index escrows_to_audit on escrows (audit_due_at);
alter table settlements add column proof_due_at timestamptz not null default '-infinity';
create index settlements_to_prove on settlements (proof_due_at) where status = 'confirmed' and tx_hash is not null;
create index settlements_unnamed on settlements (id) where status = 'confirmed' and tx_hash is null;
alter table ratings add column audit_due_at timestamptz not null default '-infinity';
create index ratings_to_audit on ratings (audit_due_at) where status = 'confirmed';
create index ratings_sending on ratings (updated_at) where status = 'sending';
create index tasks_completed_by_executor on tasks (executor_id, publisher_wallet) where status = 'completed' and executor_id is not null;
create index ledger_by_journal on ledger (journal);
