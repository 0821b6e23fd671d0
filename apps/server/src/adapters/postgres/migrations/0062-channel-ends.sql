-- How a channel ends: why it was closed, every transaction before it is sent, and what the ledger showed (decision 0148).
alter table channels
  add column close_reason text,
  add column closing_at timestamptz,
  add column submission_id uuid references submissions (id),
  add column rating jsonb,
  add column attempts integer not null default 0,
  add column due_at timestamptz not null default now(),
  add column audit_due_at timestamptz not null default now(),
  add column settled_atomic bigint check (settled_atomic between 0 and deposit_atomic),
  add column settlement_tx text,
  add column settlement_slot bigint,
  add column settled_at timestamptz;
alter table channels alter column due_at drop default, alter column audit_due_at drop default;
create index channels_due on channels (status, due_at) where status <> 'reclaimed';
create index channels_audit_due on channels (audit_due_at) where status <> 'reclaimed';
create index channels_closing on channels (task_id) where status = 'closing';

create table channel_orders (
  id uuid primary key,
  channel_id text not null references channels (id),
  act text not null,
  wire text not null,
  signature text not null unique,
  last_valid_height bigint not null,
  settled_atomic bigint not null,
  deposit_atomic bigint not null,
  status text not null,
  sent_at timestamptz not null,
  ended_at timestamptz
);
create unique index channel_orders_open on channel_orders (channel_id) where status = 'sent';
create index channel_orders_ended on channel_orders (sent_at) where status <> 'sent';
create index channel_ticks_by_time on channel_ticks (at);
