-- Who takes an application back is heard by its publisher, and not by the worker at work (decision 0339).
create or replace function address_event() returns trigger language plpgsql as $$
begin
  insert into event_recipients (wallet, xid, seq)
  select distinct wallet, new.xid, new.seq from (
    select publisher_wallet as wallet from tasks
      where id = new.task_id and new.type not in ('worker.not_chosen', 'worker.deadline_moved')
    union all
    select w.wallet from tasks t join workers w on w.id = t.executor_id
      where t.id = new.task_id
        and new.type not in ('worker.not_chosen', 'worker.deadline_moved', 'worker.application_withdrawn')
    union all
    select wallet from workers where id = (new.data ->> 'executor_id')::uuid
  ) parties where wallet is not null;
  return null;
end $$;
