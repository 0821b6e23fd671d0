-- Which total an account counts towards, for the running totals and for whoever adds the lines up again.
create function ledger_figure(account text) returns text language sql immutable parallel safe as $$
  select case when account like 'escrow:%' then 'escrowed' when account in ('operator', 'treasury') then account end
$$;
create or replace view ledger_sums as
select seq, network, token, case when figure = 'escrowed' then amount_atomic else 0 end as escrowed,
  case when figure = 'operator' then amount_atomic else 0 end as operator,
  case when figure = 'treasury' then amount_atomic else 0 end as treasury, amount_atomic as balance
from (select l.*, ledger_figure(l.account) as figure from ledger l) lines;

-- Of the sixteen parts a transaction holds one until it ends. Its rows, one for each token, are taken in whatever order
-- the tokens are booked; the part is taken first, so that two transactions never wait for each other.
create function ledger_part() returns smallint language plpgsql as $$
declare
  part constant integer := pg_backend_pid() % 16;
begin
  perform pg_advisory_xact_lock(7210452, part);
  return part;
end $$;

create or replace function total_ledger() returns trigger language plpgsql as $$
declare
  own constant smallint := ledger_part();
begin
  if exists (select 1 from fresh group by journal, network, token having sum(amount_atomic) <> 0) then
    raise exception 'a journal adds up to zero' using errcode = 'check_violation';
  end if;
  insert into ledger_totals as t (network, token, part, escrowed, operator, treasury, balance, lines)
  select network, token, own, coalesce(sum(amount_atomic) filter (where figure = 'escrowed'), 0),
    coalesce(sum(amount_atomic) filter (where figure = 'operator'), 0),
    coalesce(sum(amount_atomic) filter (where figure = 'treasury'), 0), sum(amount_atomic), count(*)
  from (select f.*, ledger_figure(f.account) as figure from fresh f) lines
  group by network, token order by network, token
  on conflict (network, token, part) do update set escrowed = t.escrowed + excluded.escrowed,
    operator = t.operator + excluded.operator, treasury = t.treasury + excluded.treasury,
    balance = t.balance + excluded.balance, lines = t.lines + excluded.lines;
  return null;
end $$;

create or replace function total_payout() returns trigger language plpgsql as $$
begin
  insert into ledger_totals as t (network, token, part, paid)
  values (new.network, new.token, ledger_part(), coalesce(new.amount_atomic, 0))
  on conflict (network, token, part) do update set paid = t.paid + excluded.paid;
  return null;
end $$;

-- What was paid to workers is added up again as well, in the order in which it was written.
create index payouts_in_order on payment_events (seq) where type = 'disburse_worker' and status = 'success';
alter table ledger_checks add column paid numeric(40, 0) not null default 0;
-- Numbers are given before commits: what is added up for good was seen by a round long before, whatever clock its writer
-- had. `seen_at` is the time of the database.
alter table money_audit add column checked_payout bigint not null default 0,
  add column seen_seq bigint not null default 0, add column seen_payout bigint not null default 0,
  add column seen_at timestamptz not null default '-infinity';
