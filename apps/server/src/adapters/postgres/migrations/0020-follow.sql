-- A rating on its way ends: when its document was written, its first copy sent, and the latest deadline its rater signed.
alter table ratings add column written_at timestamptz not null default '1970-01-01', add column sent_at timestamptz, add column lands_until timestamptz;
update ratings set sent_at = updated_at, lands_until = updated_at + interval '15 minutes' where status = 'sending';
update ratings set written_at = coalesce(updated_at, now()) where status = 'due';
drop index ratings_sending;
create index ratings_on_their_way on ratings (coalesce(sent_at, written_at)) where status in ('sending', 'due');

-- Fees that were refused once; the few of them that are still owed keep their publisher from publishing.
alter table settlements add column last_refusal text;
create index settlements_fee_refused on settlements (task_id)
  where purpose = 'fee' and ((status = 'refused' and code is not null) or (status in ('claimed', 'in_doubt') and last_refusal is not null));

-- Fees that left the operator contract for the treasury, by whatever hand: a log of the chain is booked once.
create table distributions (
  network text not null,
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  token text not null,
  decimals smallint not null,
  atomic numeric(40, 0) not null,
  primary key (network, tx_hash, log_index)
);
create index distributions_in_order on distributions (network, token, block_number, log_index);
-- What was booked before logs were counted: index -1 stands for whichever log of its transaction it was.
insert into distributions (network, tx_hash, log_index, block_number, token, decimals, atomic)
  select network, tx_hash, -1, coalesce(block_number, 0), token, decimals, coalesce(amount, 0) from sweeps where status = 'confirmed' and tx_hash is not null on conflict do nothing;

-- How far each chain was followed (decision 0083). Whoever moves the due time makes the round.
create table chain_followings (
  network text primary key,
  first_block bigint,
  followed_block bigint,
  followed_at timestamptz,
  head_block bigint,
  head_at timestamptz,
  read_at timestamptz,
  due_at timestamptz not null
);
alter table movements add column missing_since timestamptz;
create index movements_by_block on movements (network, block_number);
create index movements_missing on movements (network) where missing_since is not null;
create index settlements_locks_by_payment on settlements ((order_json->'payment'->>'hash')) where purpose = 'lock';
create index settlements_transfers on settlements (due_at)
  where purpose in ('payout', 'fee') and (status in ('claimed', 'in_doubt') or (status = 'refused' and watch_until is not null));
