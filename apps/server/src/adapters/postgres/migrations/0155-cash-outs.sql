-- Money that wallets sent on without gas (decision 0249). What was sent is kept as long as the ledger, for what a wallet
-- may send is the ledger less this; what came to nothing goes after thirty days.
create table cash_outs (
  id uuid primary key,
  wallet text not null,
  network text not null,
  token text not null,
  decimals int not null,
  token_address text not null,
  to_address text not null,
  amount_atomic bigint not null,
  valid_before bigint not null,
  nonce text not null,
  signature text not null,
  status text not null,
  code text,
  tx_hash text,
  attempts int not null default 0,
  sent_until timestamptz not null,
  due_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (wallet, nonce)
);
create unique index cash_outs_open on cash_outs (wallet, network, token) where status in ('claimed', 'in_doubt');
create index cash_outs_of_wallet on cash_outs (wallet, id);
create index cash_outs_due on cash_outs (due_at) where status in ('claimed', 'in_doubt');
create index cash_outs_unsent on cash_outs (created_at) where status = 'refused';
