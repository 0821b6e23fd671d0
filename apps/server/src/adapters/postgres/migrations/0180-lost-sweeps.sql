-- Sweeps that their chain took back: the fees that name one are found by it, and owed again when it stays lost.
create table lost_sweeps (
  network text not null,
  tx_hash text not null,
  token text not null,
  lost_at timestamptz not null default now(),
  primary key (network, tx_hash, token)
);
create index lost_sweeps_by_age on lost_sweeps (lost_at);
create index tasks_by_fee_tx on tasks (fee_tx) where fee_tx is not null;
