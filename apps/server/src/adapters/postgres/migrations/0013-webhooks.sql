-- Endpoints that wallets have their feeds posted to (decision 0068).
create table webhooks (
  id uuid primary key,
  owner text not null,
  url text not null,
  -- Types, or the one word * for all.
  events text[] not null,
  description text,
  status text not null check (status in ('unverified', 'active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  verified_at timestamptz,
  last_attempt_at timestamptz,
  failing_since timestamptz,
  failure_count integer not null default 0,
  attempt_count bigint not null default 0,
  success_count bigint not null default 0,
  -- An overloaded endpoint is asked for nothing before this.
  held_until timestamptz
);
create index webhooks_by_owner on webhooks (owner);

-- Sealed with a key of the deployment's secret; those that have not expired sign together.
create table webhook_secrets (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index webhook_secrets_by_webhook on webhook_secrets (webhook_id);

-- What was sent or is to be sent. A lease moves the due time and counts up, so that who comes late writes nothing.
create table webhook_deliveries (
  id uuid primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  event_id uuid not null,
  event_type text not null,
  kind text not null check (kind in ('event', 'replay', 'test', 'challenge')),
  -- Orders those that are due at once.
  seq bigint generated always as identity,
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  lease integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null
);
-- The stream reaches an endpoint once, whatever becomes of the consumer's place.
create unique index webhook_deliveries_once on webhook_deliveries (webhook_id, event_id) where kind = 'event';
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at, seq) where status = 'pending';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  attempt integer not null,
  at timestamptz not null,
  duration_ms integer not null,
  request_headers jsonb not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  error text,
  primary key (delivery_id, attempt)
);

-- There was no endpoint before now, so what happened before now is nobody's.
insert into event_cursors (name, xid, seq) select 'webhooks', pg_snapshot_xmin(pg_current_snapshot()), 0;
