-- Records that are told in an order are numbered here: ids of several processes are in the order of their clocks.
-- What was written before is numbered by its time; of one lock the balance was verified first.
do $$
declare one record;
begin
  for one in select * from (values
    ('payment_events', 'at, type <> ''verify'', id'), ('settlements', 'created_at, id'),
    ('submissions', 'submitted_at, id'), ('dispute_statements', 'created_at, id')) as ordered (name, sorted) loop
    execute format('alter table %I add column seq bigint', one.name);
    execute format('update %1$I set seq = numbered.seq from (select id, row_number() over (order by %2$s) as seq from %1$I) numbered where numbered.id = %1$I.id', one.name, one.sorted);
    execute format('alter table %I alter column seq set not null, alter column seq add generated always as identity', one.name);
    execute format('select setval(pg_get_serial_sequence(%1$L, ''seq''), (select coalesce(max(seq), 0) + 1 from %1$I), false)', one.name);
  end loop;
end $$;
drop index payment_events_by_task;
create index payment_events_by_task on payment_events (task_id, seq);
drop index submissions_by_task;
create index submissions_by_task on submissions (task_id, seq desc);
drop index dispute_statements_by_dispute;
create index dispute_statements_by_dispute on dispute_statements (dispute_id, seq);
