-- What is said about a task: between its two sides, or asked and answered in public (decision 0232).
create table task_messages (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  audience text not null check (audience in ('parties', 'public')),
  executor_id uuid not null references workers (id),
  side text not null check (side in ('publisher', 'worker')),
  author text not null,
  text text not null,
  created_at timestamptz not null
);
create index task_messages_by_task on task_messages (task_id, audience, id desc);
create index task_messages_by_thread on task_messages (task_id, executor_id, audience, id desc);
create index task_messages_by_author on task_messages (author, created_at);
create index task_messages_by_worker on task_messages (executor_id);
