-- Pictures of workers (decision 0252): squares of at most 64 kB that this service made, one a worker. `picture` is the
-- name of the one that is shown; JPEG does not get smaller, so it is kept as it is.
alter table workers add column picture text;
create table worker_pictures (
  executor_id uuid primary key,
  name text not null,
  bytes bytea not null,
  set_at timestamptz not null
);
alter table worker_pictures alter column bytes set storage external;
create index worker_pictures_name on worker_pictures (name);
