-- Filters of the open tasks that wallets are told of (decision 0251); five a wallet. `seen` is the task id up to which a
-- search has looked, and a lease puts `due_at` off.
create table saved_searches (
  wallet text not null,
  slot smallint not null,
  name text not null,
  filter jsonb not null,
  party text not null,
  saved_at timestamptz not null,
  ends_at timestamptz not null,
  told_at timestamptz,
  seen uuid not null,
  due_at timestamptz not null,
  primary key (wallet, slot)
);
create index saved_searches_due on saved_searches (due_at);
create index saved_searches_ends on saved_searches (ends_at);
