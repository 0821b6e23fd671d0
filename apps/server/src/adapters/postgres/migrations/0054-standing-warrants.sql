-- Standing orders that wallets signed when they consented to a delegated token (decision 0124), by grant, chain and token.
create table standing_warrants (
  grant_id text not null,
  wallet text not null,
  chain_id bigint not null,
  token text not null,
  standing_order jsonb not null,
  good_until timestamptz not null,
  primary key (grant_id, chain_id, token)
);
create index standing_warrants_over on standing_warrants (good_until);
create index standing_warrants_by_wallet on standing_warrants (wallet);
