-- Deadlines that their publishers put off (decision 0237); a handful a task, kept as long as it.
create table task_extensions (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  was timestamptz not null,
  deadline timestamptz not null check (deadline > was),
  at timestamptz not null
);
create index task_extensions_by_task on task_extensions (task_id, id);

-- A worker who waits is told alone: neither the publisher nor the worker learns from it who else had applied.
create or replace function address_event() returns trigger language plpgsql as $$
begin
  insert into event_recipients (wallet, xid, seq)
  select distinct wallet, new.xid, new.seq from (
    select publisher_wallet as wallet from tasks
      where id = new.task_id and new.type not in ('worker.not_chosen', 'worker.deadline_moved')
    union all
    select w.wallet from tasks t join workers w on w.id = t.executor_id
      where t.id = new.task_id and new.type not in ('worker.not_chosen', 'worker.deadline_moved')
    union all
    select wallet from workers where id = (new.data ->> 'executor_id')::uuid
  ) parties where wallet is not null;
  return null;
end $$;
