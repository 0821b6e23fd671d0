-- What a worker was paid while the rest of a channel waits for its payer's account, and the token accounts that this
-- deployment paid for (decision 0273).
alter table channels
  add column paid_atomic bigint check (paid_atomic between 0 and deposit_atomic),
  add column paid_tx text,
  add column paid_slot bigint,
  add column paid_at timestamptz;

create table accounts_made (
  owner text not null,
  channel_id text not null,
  at timestamptz not null default now()
);
create index accounts_made_by_owner on accounts_made (owner, at);
create index accounts_made_by_time on accounts_made (at);
