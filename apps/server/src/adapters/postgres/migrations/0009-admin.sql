-- Wallets that may not use the service (decision 0057).
create table bans (
  wallet text primary key,
  reason text not null,
  actor text not null,
  banned_at timestamptz not null
);

-- Settings that were changed while the service ran; what is not here is as the deployment set it (decision 0058).
create table run_config (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null
);

-- One row, moved by every change of the two: each process looks at it and reads them again when it moved.
create table admin_version (
  one boolean primary key default true check (one),
  version bigint not null default 0
);
insert into admin_version default values;
create function admin_version_moves() returns trigger language plpgsql as $$
begin
  update admin_version set version = version + 1;
  return null;
end $$;
create trigger bans_moved after insert or update or delete on bans for each statement execute function admin_version_moves();
create trigger run_config_moved after insert or update or delete on run_config for each statement execute function admin_version_moves();

-- What was done with the admin key, append only.
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb not null,
  after jsonb not null,
  reason text not null,
  request_id text not null
);
create index audit_log_by_subject on audit_log (subject, id desc);
create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log only grows';
end $$;
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function audit_log_is_append_only();
create trigger audit_log_no_change before update or delete on audit_log for each row execute function audit_log_is_append_only();
