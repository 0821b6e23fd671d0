-- Where a task has to be done. The point has a table of its own, which no list of tasks ever joins; the public area stands with the task.
create table task_places (
  task_id uuid primary key references tasks (id),
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  radius_m integer not null check (radius_m > 0),
  set_at timestamptz not null
);
alter table tasks
  add column area_lat double precision,
  add column area_lng double precision,
  add column area_radius_m integer;

alter table submissions
  add column device jsonb,
  add column verification_due_at timestamptz,
  add column verification_attempts integer not null default 0,
  add column verified_at timestamptz;
create index submissions_to_verify on submissions (verification_due_at) where verification_due_at is not null;

-- Kept across tasks and restarts: what the next position of a worker is held against.
create table position_receipts (
  submission_id uuid primary key references submissions (id),
  task_id uuid not null,
  executor_id uuid not null,
  lat double precision not null,
  lng double precision not null,
  accuracy_m double precision,
  received_at timestamptz not null
);
create index position_receipts_by_worker on position_receipts (executor_id, received_at desc);

create table evidence_files (
  submission_id uuid not null references submissions (id),
  evidence_type text not null,
  task_id uuid not null,
  executor_id uuid not null,
  sha256 text not null,
  primary key (submission_id, evidence_type)
);
create index evidence_files_by_content on evidence_files (sha256, submission_id);

-- One row a hash: a picture and its mirrored, turned and cropped variants. Of two hashes that differ in at most fifteen bits one quarter differs in at most three, so four indexes find them all.
create table image_hashes (
  submission_id uuid not null references submissions (id),
  evidence_type text not null,
  variant smallint not null,
  task_id uuid not null,
  executor_id uuid not null,
  phash bigint not null,
  q0 integer not null generated always as (((phash >> 48) & 65535)::integer) stored,
  q1 integer not null generated always as (((phash >> 32) & 65535)::integer) stored,
  q2 integer not null generated always as (((phash >> 16) & 65535)::integer) stored,
  q3 integer not null generated always as ((phash & 65535)::integer) stored,
  primary key (submission_id, evidence_type, variant)
);
create index image_hashes_q0 on image_hashes (q0);
create index image_hashes_q1 on image_hashes (q1);
create index image_hashes_q2 on image_hashes (q2);
create index image_hashes_q3 on image_hashes (q3);
create index image_hashes_p0 on image_hashes (q0) where variant = 0;
create index image_hashes_p1 on image_hashes (q1) where variant = 0;
create index image_hashes_p2 on image_hashes (q2) where variant = 0;
create index image_hashes_p3 on image_hashes (q3) where variant = 0;
