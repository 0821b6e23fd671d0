-- What became of delegated access, for the owner of the wallet to read: consents, tokens, revocations.
create table oauth_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  wallet text not null,
  grant_id text not null,
  client_id text not null,
  client_name text not null,
  kind text not null,
  detail text
);
create index oauth_audit_of_wallet on oauth_audit (wallet, id desc);
create index oauth_audit_by_age on oauth_audit (at);
