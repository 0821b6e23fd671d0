-- Tools get in by wallet (spec §5, OAuth). Codes and tokens are known by their digest alone.
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  created_at timestamptz not null,
  -- A client that nobody signs in with is forgotten.
  used_at timestamptz not null
);
create index oauth_clients_by_use on oauth_clients (used_at);
create index oauth_clients_unused on oauth_clients (created_at) where used_at = created_at;

-- Ten minutes each.
create table oauth_sign_ins (
  rid text primary key,
  client_id text not null,
  client_name text not null,
  client_host text,
  redirect_uri text not null,
  state text,
  scopes text[] not null,
  resource text not null,
  challenge text not null,
  csrf_hash text not null,
  expires_at timestamptz not null,
  outcome text not null default 'open' check (outcome in ('open', 'denied', 'allowed', 'finished')),
  proof text,
  wallet text,
  chain_id bigint,
  granted text[],
  max_cents bigint,
  max_count integer
);
create index oauth_sign_ins_by_expiry on oauth_sign_ins (expires_at);
create index oauth_sign_ins_of_wallet on oauth_sign_ins (wallet) where wallet is not null;

-- Everything that one consent issued, with the code that it was issued for.
create table oauth_grants (
  id text primary key,
  client_id text not null,
  client_name text not null,
  wallet text not null,
  chain_id bigint not null,
  scopes text[] not null,
  max_cents bigint,
  max_count integer,
  resource text not null,
  redirect_uri text not null,
  challenge text not null,
  code_hash text not null unique,
  code_expires_at timestamptz not null,
  code_used_at timestamptz,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_for text
);
create index oauth_grants_of_wallet on oauth_grants (wallet, created_at desc);
create index oauth_grants_by_expiry on oauth_grants (expires_at);
create index oauth_grants_unredeemed on oauth_grants (code_expires_at) where code_used_at is null;

create table oauth_refresh_tokens (
  hash text primary key,
  grant_id text not null references oauth_grants on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index oauth_refresh_tokens_of_grant on oauth_refresh_tokens (grant_id);
create index oauth_refresh_tokens_by_expiry on oauth_refresh_tokens (expires_at);

-- Keys are derived from the deployment's secret and these numbers; no key is kept (decision 0123).
create table oauth_signing_epochs (
  epoch integer primary key,
  signs_from timestamptz not null,
  shown_until timestamptz
);
insert into oauth_signing_epochs (epoch, signs_from) values (1, '2000-01-01T00:00:00Z');
