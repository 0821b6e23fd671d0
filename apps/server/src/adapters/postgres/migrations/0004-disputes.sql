alter table disputes
  add column opened_by text not null default 'publisher',
  add column verdict text,
  add column split_pct smallint check (split_pct between 1 and 99),
  add column resolution_reason text,
  add column resolved_at timestamptz;
create index disputes_by_task on disputes (task_id, id desc);
create index disputes_by_status on disputes (status, id desc);

create table dispute_statements (
  id uuid primary key,
  dispute_id uuid not null references disputes (id),
  side text not null,
  statement text not null,
  links text[] not null,
  created_at timestamptz not null
);
create index dispute_statements_by_dispute on dispute_statements (dispute_id, id);

-- What left the escrow for the worker, fee included, where that is not the whole bounty.
alter table tasks add column captured_atomic bigint;

-- Every end of a payment excludes every other. A split has two moves: the award is the end, and what remains follows it.
drop index settlements_one_ending;
create unique index settlements_one_ending on settlements (subject)
  where purpose in ('release', 'refund', 'payout', 'award', 'return', 'stepdown') and status in ('claimed', 'in_doubt', 'confirmed');
create unique index settlements_one_remainder on settlements (subject) where purpose = 'remainder' and status in ('claimed', 'in_doubt', 'confirmed');
