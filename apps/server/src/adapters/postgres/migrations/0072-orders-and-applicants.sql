-- An order is between two parties for as long as its buyer wants: also after its seller stepped down (decision 0155).
alter table tasks add column ordered_from uuid;
update tasks t set ordered_from = o.listing_id from uncounted_orders o where o.task_id = t.id;

-- Whoever was not chosen is told so alone: neither the publisher nor the worker learns from it who else had applied.
create or replace function address_event() returns trigger language plpgsql as $$
begin
  insert into event_recipients (wallet, xid, seq)
  select distinct wallet, new.xid, new.seq from (
    select publisher_wallet as wallet from tasks where id = new.task_id and new.type <> 'worker.not_chosen'
    union all
    select w.wallet from tasks t join workers w on w.id = t.executor_id
      where t.id = new.task_id and new.type <> 'worker.not_chosen'
    union all
    select wallet from workers where id = (new.data ->> 'executor_id')::uuid
  ) parties where wallet is not null;
  return null;
end $$;
