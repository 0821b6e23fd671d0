-- Workers whom a publisher invited to an open task (decision 0238); fifty a task, kept as long as it.
create table task_invitations (
  id uuid primary key,
  task_id uuid not null references tasks (id),
  executor_id uuid not null references workers (id),
  publisher text not null,
  at timestamptz not null,
  unique (task_id, executor_id)
);
create index task_invitations_by_publisher on task_invitations (publisher, at);
create index task_invitations_by_worker on task_invitations (executor_id, at);
