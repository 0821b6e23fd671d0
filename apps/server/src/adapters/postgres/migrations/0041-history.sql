-- What a reader asks for is found by an index, and no reader sums history.

-- Who hears of an event is looked up by the event; a feed of few types reads those alone.
create index event_recipients_in_order on event_recipients (xid, seq) include (wallet);
create index outbox_by_type on outbox (type, xid, seq);
-- What has expired is deleted by age.
create index nonces_by_expiry on nonces (expires_at);
create index tasks_by_asset on tasks (network, token);
create index evidence_files_by_worker on evidence_files (executor_id);
create index image_hashes_by_worker on image_hashes (executor_id);
create index movements_by_task on movements (task_id) where task_id is not null;
create index movements_direct on movements (network, block_number) where kind = 'charged' and fee_bps is null;
create index settlements_by_worker on settlements (executor_id) where executor_id is not null;
create index ratings_of_wallet on ratings (ratee);
-- Fees that came in lately may have been sent on already.
create index ledger_income on ledger (network, token, at) include (amount_atomic) where account = 'operator' and amount_atomic > 0;

-- Running totals of the ledger. A row has sixteen parts, so that writers seldom wait for one another; a transaction
-- writes to one of them for each token, whatever it books.
create table ledger_totals (
  network text not null,
  token text not null,
  part smallint not null,
  escrowed numeric(40, 0) not null default 0,
  operator numeric(40, 0) not null default 0,
  treasury numeric(40, 0) not null default 0,
  -- What was paid to workers.
  paid numeric(40, 0) not null default 0,
  -- Of all accounts together; zero, or the ledger is wrong.
  balance numeric(40, 0) not null default 0,
  lines bigint not null default 0,
  primary key (network, token, part)
) with (fillfactor = 50);

-- What lines of the ledger add up to, token by token.
create view ledger_sums as
select seq, network, token, case when account like 'escrow:%' then amount_atomic else 0 end as escrowed,
  case when account = 'operator' then amount_atomic else 0 end as operator,
  case when account = 'treasury' then amount_atomic else 0 end as treasury, amount_atomic as balance
from ledger;

-- A journal is written by one statement and adds up to zero, or it is not written.
create function total_ledger() returns trigger language plpgsql as $$
begin
  if exists (select 1 from fresh group by journal, network, token having sum(amount_atomic) <> 0) then
    raise exception 'a journal adds up to zero' using errcode = 'check_violation';
  end if;
  insert into ledger_totals as t (network, token, part, escrowed, operator, treasury, balance, lines)
  select network, token, pg_backend_pid() % 16, sum(case when account like 'escrow:%' then amount_atomic else 0 end),
    sum(case when account = 'operator' then amount_atomic else 0 end),
    sum(case when account = 'treasury' then amount_atomic else 0 end), sum(amount_atomic), count(*)
  from fresh group by network, token order by network, token
  on conflict (network, token, part) do update set escrowed = t.escrowed + excluded.escrowed,
    operator = t.operator + excluded.operator, treasury = t.treasury + excluded.treasury,
    balance = t.balance + excluded.balance, lines = t.lines + excluded.lines;
  return null;
end $$;
create trigger ledger_totalled after insert on ledger referencing new table as fresh
  for each statement execute function total_ledger();

create function total_payout() returns trigger language plpgsql as $$
begin
  insert into ledger_totals as t (network, token, part, paid)
  values (new.network, new.token, pg_backend_pid() % 16, coalesce(new.amount_atomic, 0))
  on conflict (network, token, part) do update set paid = t.paid + excluded.paid;
  return null;
end $$;
create trigger payouts_totalled after insert on payment_events for each row
  when (new.type = 'disburse_worker' and new.status = 'success') execute function total_payout();

insert into ledger_totals (network, token, part, escrowed, operator, treasury, balance, lines)
select network, token, 0, sum(escrowed), sum(operator), sum(treasury), sum(balance), count(*)
from ledger_sums group by network, token;
insert into ledger_totals as t (network, token, part, paid)
select network, token, 0, sum(coalesce(amount_atomic, 0)) from payment_events
where type = 'disburse_worker' and status = 'success' group by network, token
on conflict (network, token, part) do update set paid = excluded.paid;

-- How far the audit has added the ledger up itself, and to what: it never reads a line twice but the newest.
create table ledger_checks (
  network text not null,
  token text not null,
  escrowed numeric(40, 0) not null,
  operator numeric(40, 0) not null,
  treasury numeric(40, 0) not null,
  balance numeric(40, 0) not null,
  lines bigint not null,
  primary key (network, token)
);
-- Events up to here are kept no longer.
create table forgotten_events (one boolean primary key default true check (one), xid xid8 not null, seq bigint not null);

alter table money_audit add column checked_seq bigint not null default 0;
