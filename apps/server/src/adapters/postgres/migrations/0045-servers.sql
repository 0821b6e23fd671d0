-- Who runs on this database: what servers must agree on, and secrets as digests under a key that the secret itself
-- makes (decision 0118). A server that ends takes its row away; one that is killed is silent.
create table servers (
  id uuid primary key,
  version text not null,
  facts jsonb not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
