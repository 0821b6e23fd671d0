-- Sessions of people: a cookie counts only while its row stands, so signing out ends every copy of it.
create table sessions (
  sid uuid primary key,
  wallet text not null,
  chain_id bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_expiry on sessions (expires_at);

-- The tasks that people publish are listed by themselves.
create index tasks_of_people on tasks (id desc) where publisher_type = 'human';
