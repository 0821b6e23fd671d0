-- What a publisher and its worker can rely on, and what becomes due without anybody's doing (decisions 0157, 0158).
alter table tasks add column policy jsonb, add column review_until timestamptz;

create table task_timers (
  task_id uuid not null references tasks (id),
  kind text not null
    check (kind in ('review_half', 'review_late', 'review_end', 'outcome', 'offer_end', 'ruling_end', 'start_by')),
  due_at timestamptz not null,
  attempts integer not null default 0,
  primary key (task_id, kind)
);
create index task_timers_due on task_timers (due_at);
