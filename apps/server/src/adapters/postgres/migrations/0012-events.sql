-- A consumer reads in the order (xid, seq) and only below the oldest transaction still running: whatever commits later sorts later, so nothing is skipped.
alter table outbox add column xid xid8 not null default pg_current_xact_id();
create index outbox_in_order on outbox (xid, seq);
create index outbox_by_task on outbox (task_id, xid, seq);

-- Whose feed an event is in, decided when it happens: a worker who stepped down keeps what they saw.
create table event_recipients (
  wallet text not null,
  xid xid8 not null,
  seq bigint not null,
  primary key (wallet, xid, seq)
);

create function address_event() returns trigger language plpgsql as $$
begin
  insert into event_recipients (wallet, xid, seq)
  select distinct wallet, new.xid, new.seq from (
    select publisher_wallet as wallet from tasks where id = new.task_id
    union all
    select w.wallet from tasks t join workers w on w.id = t.executor_id where t.id = new.task_id
    union all
    select wallet from workers where id = (new.data ->> 'executor_id')::uuid
  ) parties where wallet is not null;
  return null;
end $$;
create trigger outbox_addressed after insert on outbox for each row execute function address_event();

insert into event_recipients (wallet, xid, seq)
select t.publisher_wallet, o.xid, o.seq from outbox o join tasks t on t.id = o.task_id
union
select w.wallet, o.xid, o.seq from outbox o join tasks t on t.id = o.task_id join workers w on w.id = t.executor_id
on conflict do nothing;

-- How far a durable consumer has come.
create table event_cursors (
  name text primary key,
  xid xid8 not null,
  seq bigint not null
);
