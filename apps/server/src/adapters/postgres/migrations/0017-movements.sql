-- Every log of the escrow about a payment of ours, booked once: transaction and index name it (decision 0082). A direct
-- payment is here by the log that spent its nonce, which is then its hash.
create table movements (
  network text not null,
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  hash text not null,
  kind text not null,
  atomic numeric(40, 0) not null,
  fee_bps integer,
  task_id uuid,
  settlement_id uuid,
  primary key (network, tx_hash, log_index)
);
create index movements_by_payment on movements (network, hash, block_number, log_index);

-- What was booked before logs were counted: index -1 stands for whichever log of its transaction it was.
insert into movements (network, tx_hash, log_index, block_number, hash, kind, atomic, fee_bps, task_id, settlement_id)
  select t.network, s.tx_hash, -1, coalesce(s.block_number, 0),
    coalesce(s.order_json->'payment'->>'hash', s.order_json->'transfer'->>'nonce'),
    case s.order_json->>'kind' when 'authorize' then 'authorized' when 'capture' then 'captured' when 'void' then 'voided' else 'charged' end,
    coalesce(s.order_json->'amount'->'atomic'->>'$n', s.order_json->'transfer'->'amount'->'atomic'->>'$n', s.order_json->'payment'->'maxAmount'->>'$n')::numeric,
    case s.order_json->>'kind' when 'capture' then 1300 end, s.task_id, s.id
  from settlements s join tasks t on t.id = s.task_id where s.status = 'confirmed' and s.tx_hash is not null
  on conflict do nothing;

-- `sent_until`: until then a copy of the order may be under way. `watch_until`: a refused signature may be used until then.
alter table settlements add column sent_until timestamptz, add column watch_until timestamptz;
create index settlements_watched on settlements (due_at) where status = 'refused' and watch_until is not null;
update settlements set sent_until = due_at, order_json = case when order_json ? 'amount' then order_json || jsonb_build_object('issuedAt', floor(extract(epoch from now()))::bigint) else order_json end
  where status in ('claimed', 'in_doubt');

-- Money that was locked with a signature we had given up goes back like any other.
drop index settlements_one_ending;
create unique index settlements_one_ending on settlements (subject)
  where purpose in ('release', 'refund', 'payout', 'award', 'return', 'stepdown', 'stray') and status in ('claimed', 'in_doubt', 'confirmed');
