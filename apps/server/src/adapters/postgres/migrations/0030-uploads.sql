-- Links to upload files of evidence, and what was kept of the files. A row is due at purge_at until a submission holds its file.
create table uploads (
  key text primary key,
  task_id uuid not null references tasks (id),
  executor_id uuid not null,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  kept text[] not null default '{}',
  stored_at timestamptz,
  is_purging boolean not null default false,
  purge_at timestamptz
);
create index uploads_of_worker on uploads (executor_id);
create index uploads_to_purge on uploads (purge_at) where purge_at is not null;

-- Counters instead of sums: by task, by worker and day, by day, of what waits, of all. Those of a day may be forgotten after it.
create table upload_counts (
  scope text primary key,
  day date,
  files bigint not null,
  bytes bigint not null
);
create index upload_counts_by_day on upload_counts (day) where day is not null;
