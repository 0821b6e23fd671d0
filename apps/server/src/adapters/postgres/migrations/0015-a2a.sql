-- Where agents have updates of a task posted. `place` is how far each has heard; `due_at` when to look again.
create table a2a_push_configs (
  task_id uuid not null references tasks (id),
  wallet text not null,
  config_id text not null,
  url text not null,
  -- Token and credentials, sealed.
  secrets bytea not null,
  place text not null,
  attempts int not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (task_id, wallet, config_id)
);
create index a2a_push_configs_due on a2a_push_configs (due_at);
create index a2a_push_configs_by_wallet on a2a_push_configs (wallet);
