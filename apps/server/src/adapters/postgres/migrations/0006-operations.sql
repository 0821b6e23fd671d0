-- What a key of a caller stands for (decision 0050). The state is moved by the transaction that writes, so that a row
-- which says in_flight has written nothing.
create table operations (
  identity text not null,
  key text not null,
  operation text not null,
  body_hash text not null,
  state text not null check (state in ('in_flight', 'written', 'done')),
  -- Whoever holds the token and a lease that stands may write; a lease that lapsed may be taken over.
  token uuid not null,
  lease_until timestamptz not null,
  -- Ids of what was created, stamped by the transaction that created it.
  created jsonb not null default '{}',
  status smallint,
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (identity, key, operation)
);
create index operations_by_age on operations (created_at);
