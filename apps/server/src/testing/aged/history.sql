-- The rows that $JOBS finished jobs leave behind, written by the database itself. Triggers and foreign keys are off
-- while they are written: the rows agree with each other, and what a trigger would add is written here.
set session_replication_role = replica;
set synchronous_commit = off;

-- Jobs of one a minute, up to an hour ago. Each has a serial number; what belongs to it is counted from that.
create function pg_temp.moment(n bigint) returns timestamptz language sql immutable as
  $$ select '2025-11-01T00:00:00Z'::timestamptz + n * interval '1 minute' $$;
create function pg_temp.id_of(kind int, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from pg_temp.moment(n)) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
    || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
create function pg_temp.wallet_of(role text, n bigint) returns text language sql immutable as
  $$ select '0x' || substr(md5(role || n), 1, 32) || lpad(to_hex(n), 8, '0') $$;
-- Its blocks end where a fresh local chain begins: nobody takes them for blocks of that chain.
create function pg_temp.block_of(n bigint) returns bigint language sql immutable as $$ select n - $JOBS $$;
create function pg_temp.hash_of(kind text, n bigint) returns text language sql immutable as
  $$ select '0x' || md5(kind || n) || md5(n || kind) $$;

-- One publisher in ten jobs is the same: its lists are as long as the history.
create table aged_jobs as
  select n, pg_temp.id_of(1, n) as task, pg_temp.moment(n) as at,
    case when n % 10 = 0 then 0 else 1 + n % 4999 end as p, case when n % 10 = 1 then 0 else 1 + (n * 7) % 4999 end as w,
    case when n % 100 < 86 then 'completed' when n % 100 < 96 then 'expired' when n % 100 < 99 then 'cancelled' else 'published' end
      as status
  from generate_series(1, $JOBS) n;
create table aged_workers as
  select w, pg_temp.id_of(2, w) as id, pg_temp.wallet_of('worker', w) as wallet from generate_series(0, 4999) w;

insert into workers (id, wallet, display_name, party, tasks_completed, rating_count, created_at, onchain_score)
  select id, wallet, 'Worker ' || w, case when w % 3 = 0 then 'human' else 'agent' end, 20, 20, pg_temp.moment(1), 40 + w % 60
  from aged_workers;
insert into account_proofs (wallet, proof, has_acted, begun_at)
  select wallet, 'key', true, pg_temp.moment(1) from aged_workers
  union all select pg_temp.wallet_of('payer', p), 'key', true, pg_temp.moment(1) from generate_series(0, 4999) p;
insert into identities (network, wallet, agent_id, tx_hash, updated_at)
  select 'localnet', wallet, 1000000 + w, pg_temp.hash_of('identity', w), pg_temp.moment(1) from aged_workers;

insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, publisher_type, publisher_agent_id, target, executor_id, evidence_required, evidence_optional,
    min_reputation, escrow_status, escrow_tx, payment_tx, payment_block, fee_tx, created_at, updated_at, captured_atomic,
    area_lat, area_lng, area_radius_m, idempotency_key, body_hash)
  select j.task, j.status, 'Photograph gate ' || n, repeat('Stand in front of the gate and write what you see. ', 4),
    (array['simple_action', 'physical_presence', 'data_collection'])[1 + n % 3], 1000000 + n % 50 * 10000, 'USDC', 'localnet', 6,
    case when j.status = 'published' then now() + interval '30 days' else j.at + interval '1 day' end,
    pg_temp.wallet_of('payer', p), case when n % 3 = 0 then 'human' else 'agent' end, case when n % 3 = 0 then null else p + 1 end,
    'any', case when j.status = 'completed' then a.id end, array['text_response'], array[]::text[], 0,
    case when j.status = 'completed' then 'released' else 'none' end,
    case when j.status = 'completed' then pg_temp.hash_of('lock', n) end,
    case when j.status = 'completed' then pg_temp.hash_of('capture', n) end, case when j.status = 'completed' then pg_temp.block_of(n) end,
    case when j.status = 'completed' then pg_temp.hash_of('sweep', n / 20) end, j.at, j.at + interval '2 hours',
    case when j.status = 'completed' then 1000000 + n % 50 * 10000 end,
    case when n % 2 = 0 then 40 + (n % 200) / 10.0 end, case when n % 2 = 0 then -3 + (n % 300) / 10.0 end,
    case when n % 2 = 0 then 5000 end, 'job-' || n, md5('job' || n)
  from aged_jobs j join aged_workers a on a.w = j.w;
insert into task_history (task_id, status, at)
  select task, s.status, at + s.k * interval '10 minutes' from aged_jobs,
    lateral (values ('published', 0), ('assigning', 1), ('accepted', 2), ('submitted', 3), ('verifying', 4), ('completed', 5))
      s (status, k) where aged_jobs.status = 'completed' or s.k = 0;
insert into task_places (task_id, lat, lng, radius_m, set_at)
  select task, 40 + (n % 200) / 10.0, -3 + (n % 300) / 10.0, 150, at from aged_jobs where n % 2 = 0;
insert into applications (id, task_id, executor_id, status, message, created_at)
  select pg_temp.id_of(10 + k, n), task, a.id, case when k = 0 then 'accepted' else 'rejected' end, 'I am near.', at
  from aged_jobs j cross join generate_series(0, 1) k join aged_workers a on a.w = (j.w + k * 13) % 5000;
insert into submissions (id, task_id, executor_id, status, submitted_at, evidence, checks, pre_check_score, coverage,
    payment_tx, decided_at, verified_at)
  select pg_temp.id_of(3, n), task, a.id, 'approved', at + interval '30 minutes', '{"text_response": "It is open."}', '[]', 0.9, 1,
    pg_temp.hash_of('capture', n), at + interval '1 hour', at + interval '31 minutes'
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed';
insert into evidence_files (submission_id, evidence_type, task_id, executor_id, sha256)
  select pg_temp.id_of(3, n), 'photo', task, a.id, md5('file' || n) || md5('elif' || n)
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed' and n % 2 = 0;
insert into image_hashes (submission_id, evidence_type, variant, task_id, executor_id, phash)
  select pg_temp.id_of(3, n), 'photo', 0, task, a.id, ('x' || substr(md5('image' || n), 1, 16))::bit(64)::bigint
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed' and n % 2 = 0;
insert into position_receipts (submission_id, task_id, executor_id, lat, lng, accuracy_m, received_at)
  select pg_temp.id_of(3, n), task, a.id, 40, -3, 10, at
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed' and n % 2 = 0;
insert into uploads (key, task_id, executor_id, day, bytes, stored_at)
  select 'evidence/' || task || '/' || n, task, a.id, at::date, 100000, at
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed' and n % 2 = 0;

insert into escrows (task_id, hash, payment, audit_due_at)
  select task, pg_temp.hash_of('payment', n),
    jsonb_build_object('hash', pg_temp.hash_of('payment', n), 'payer', pg_temp.wallet_of('payer', p), 'network', 'localnet'),
    'infinity'
  from aged_jobs where status = 'completed';
insert into settlements (id, task_id, submission_id, executor_id, purpose, subject, order_json, status, tx_hash, block_number,
    attempts, must_land, due_at, created_at, updated_at, proof_due_at)
  select pg_temp.id_of(20 + k, n), task, pg_temp.id_of(3, n), a.id, case when k = 0 then 'lock' else 'release' end,
    case when k = 0 then task::text else pg_temp.hash_of('payment', n) end,
    jsonb_build_object('key', k || pg_temp.hash_of('payment', n), 'kind', case when k = 0 then 'authorize' else 'capture' end,
      'payment', jsonb_build_object('hash', pg_temp.hash_of('payment', n), 'payer', pg_temp.wallet_of('payer', p),
        'receiver', a.wallet, 'network', 'localnet')),
    'confirmed', pg_temp.hash_of(case when k = 0 then 'lock' else 'capture' end, n), pg_temp.block_of(n), 0, false, at, at, at, 'infinity'
  from aged_jobs j cross join generate_series(0, 1) k join aged_workers a on a.w = j.w where j.status = 'completed';
insert into movements (network, tx_hash, log_index, block_number, hash, kind, atomic, fee_bps, task_id, settlement_id)
  select 'localnet', pg_temp.hash_of(case when k = 0 then 'lock' else 'capture' end, n), 0, pg_temp.block_of(n), pg_temp.hash_of('payment', n),
    case when k = 0 then 'authorized' else 'captured' end, 1000000, case when k = 1 then 1300 end, task, pg_temp.id_of(20 + k, n)
  from aged_jobs cross join generate_series(0, 1) k where status = 'completed';
insert into ledger (journal, task_id, network, token, account, amount_atomic, at)
  select pg_temp.id_of(30 + l.k, n), task, 'localnet', 'USDC', l.account, l.amount, j.at
  from aged_jobs j join aged_workers a on a.w = j.w,
    lateral (values (0, 'wallet:' || pg_temp.wallet_of('payer', p), -1000000), (0, 'escrow:' || pg_temp.hash_of('payment', n), 1000000),
      (1, 'escrow:' || pg_temp.hash_of('payment', n), -1000000), (1, 'wallet:' || a.wallet, 870000), (1, 'operator', 130000),
      (2, 'operator', -130000), (2, 'treasury', 130000)) l (k, account, amount)
  where j.status = 'completed';
insert into payment_events (id, task_id, type, status, amount_atomic, from_address, to_address, network, token, decimals, tx_hash, at)
  select pg_temp.id_of(40 + k, n), task, (array['verify', 'store_auth', 'settle', 'settle', 'disburse_worker'])[k + 1], 'success',
    1000000, pg_temp.wallet_of('payer', p), case when k = 4 then a.wallet end, 'localnet', 'USDC', 6,
    case when k > 1 then pg_temp.hash_of('capture', n) end, at
  from aged_jobs j cross join generate_series(0, 4) k join aged_workers a on a.w = j.w where j.status = 'completed';
insert into sweeps (id, network, token, decimals, key, status, tx_hash, block_number, amount, attempts, due_at, updated_at)
  select pg_temp.id_of(50, n), 'localnet', 'USDC', 6, 'sweep:' || n, 'confirmed', pg_temp.hash_of('sweep', n / 20), pg_temp.block_of(n), 2600000, 1, at, at
  from aged_jobs where n % 20 = 0;
insert into distributions (network, tx_hash, log_index, block_number, token, decimals, atomic)
  select 'localnet', pg_temp.hash_of('sweep', n / 20), 0, pg_temp.block_of(n), 'USDC', 6, 2600000 from aged_jobs where n % 20 = 0;
insert into ratings (id, task_id, direction, rater, ratee, terms, document, status, tx_hash, feedback_index, attempts, updated_at,
    audit_due_at, written_at)
  select pg_temp.id_of(60 + k, n), task, case when k = 0 then 'worker' else 'publisher' end,
    case when k = 0 then pg_temp.wallet_of('payer', p) else a.wallet end,
    case when k = 0 then a.wallet else pg_temp.wallet_of('payer', p) end,
    jsonb_build_object('network', 'localnet', 'agentId', (case when k = 0 then 1000000 + j.w else p + 1 end)::text, 'score', 90),
    '\x7b7d', 'confirmed', pg_temp.hash_of('rating' || k, n), 1, 1, at, 'infinity', at
  from aged_jobs j cross join generate_series(0, 1) k join aged_workers a on a.w = j.w where j.status = 'completed';
insert into publisher_scores (wallet, avg_score, rating_count, updated_at)
  select pg_temp.wallet_of('payer', p), 90, 20, pg_temp.moment(1) from generate_series(0, 4999) p;
insert into disputes (id, task_id, submission_id, status, reason, description, criteria, created_at, verdict, resolved_at)
  select pg_temp.id_of(70, n), task, pg_temp.id_of(3, n), 'resolved', 'poor_quality', 'Not what was asked.', array[]::text[], at, 'release', at
  from aged_jobs where status = 'completed' and n % 50 = 0;
insert into rulings (id, dispute_id, task_id, arbiter, verdict, reason, criteria, nonce, deadline, signature, status, created_at,
    appeal_until, ended_at)
  select pg_temp.id_of(71, n), pg_temp.id_of(70, n), task, pg_temp.wallet_of('arbiter', n % 20), 'release', 'The gate is seen.',
    array[]::text[], md5('ruling' || n), at + interval '1 day', '0x', 'executed', at, at + interval '1 day', at + interval '1 day'
  from aged_jobs where status = 'completed' and n % 50 = 0;
-- An accepted offer is kept; of those that came to nothing none is old enough to be forgotten.
insert into settlement_offers (id, task_id, executor_id, side, words, signature, status, created_at, expires_at, ended_at)
  select pg_temp.id_of(72 + k, n), task, a.id, case when k = 0 then 'worker' else 'publisher' end,
    jsonb_build_object('kind', 'split', 'executorPct', 50, 'nonce', md5('offer' || k || n)), '0x',
    case when k = 0 then 'refused' else 'settled' end, case when k = 0 then now() - n % 1440 * interval '1 minute' else at end,
    now() + interval '1 day', case when k = 0 then now() - n % 1440 * interval '1 minute' else at end
  from aged_jobs j cross join generate_series(0, 1) k join aged_workers a on a.w = j.w
  where j.status = 'completed' and n % 20 = 0;
-- A timer is deleted when it has run: those of tasks that wait are all there are.
insert into task_timers (task_id, kind, due_at)
  select task, 'start_by', now() + interval '30 days' from aged_jobs where status = 'published';
-- One job in five was paid by the tick: its channel has ended, its ticks and transactions are not forgotten yet.
insert into meter_terms (task_id, unit, price_atomic, cap_atomic)
  select task, 'minute', 100, 1000000 from aged_jobs where status = 'completed' and n % 5 = 0;
insert into channels (id, task_id, executor_id, network, token, decimals, payer, payee, worker, voucher_signer, status, unit,
    price_atomic, limit_atomic, deposit_atomic, measured, cumulative_atomic, measured_until, vouchers, signature, bound_at, updated_at,
    close_reason, closing_at, submission_id, due_at, audit_due_at, settled_atomic, settlement_tx, settlement_slot, settled_at)
  select 'channel' || n, task, a.id, 'solana-localnet', 'USDC', 6, 'payer' || p, 'payee', 'worker' || j.w, 'operator', 'reclaimed',
    'minute', 100, 1000000, 1000000, 10, 1000, at, 10, 'signed', at, at, 'approve', at, pg_temp.id_of(3, n), at, 'infinity', 1000,
    'settled' || n, n, at
  from aged_jobs j join aged_workers a on a.w = j.w where j.status = 'completed' and n % 5 = 0;
insert into channel_orders (id, channel_id, act, wire, signature, last_valid_height, settled_atomic, deposit_atomic, status, sent_at,
    ended_at)
  select pg_temp.id_of(150 + k, n), 'channel' || n, (array['settle', 'reclaim'])[k + 1], 'wire', 'signature' || k || n, n, 1000,
    1000000, 'landed', now() - n % 1440 * interval '1 minute', now() - n % 1440 * interval '1 minute'
  from aged_jobs cross join generate_series(0, 1) k where status = 'completed' and n % 5 = 0;
insert into channel_ticks (id, channel_id, voucher_index, amount_atomic, cumulative_atomic, measured, signature, evidence, author,
    idempotency_key, body_hash, at)
  select pg_temp.id_of(160 + k, n), 'channel' || n, k, 100, 100 * k, k, 'signed', '{}', 'worker', 'tick-' || k, md5('tick'),
    now() - n % 1440 * interval '1 minute'
  from aged_jobs cross join generate_series(1, 10) k where status = 'completed' and n % 5 = 0;
insert into audit_log (id, at, actor, action, subject, before, after, reason, request_id)
  select pg_temp.id_of(80, n), at, 'admin', 'task.force', task::text, '{}', '{}', 'asked for', md5(n::text)
  from aged_jobs where n % 20 = 0;
insert into listings (id, seller_executor_id, title, description, category, unit_price_micro_usd, skills, evidence, network,
    accepted_networks, availability, orders_count, created_at, updated_at)
  select pg_temp.id_of(90, w), id, 'Gates photographed ' || w, 'Any gate.', 'simple_action', 1000000, array['photo'],
    array['text_response'], 'localnet', array['localnet'], 'active', 3, pg_temp.moment(1), pg_temp.moment(1) from aged_workers;
insert into money_findings (kind, scope, subject, network, detail, first_seen, last_seen, resolved_at)
  select 'stuck', 'test', task::text, 'localnet', 'was late', at, at, at from aged_jobs where n % 50 = 0;
insert into reports (id, reporter, target, target_id, reason, created_at)
  select pg_temp.id_of(100, n), pg_temp.wallet_of('worker', n), 'task', task, 'spam', at from aged_jobs where n % 100 = 0;
insert into blocks (id, blocker, blocked, created_at)
  select pg_temp.id_of(101, n), pg_temp.wallet_of('payer', p), pg_temp.wallet_of('worker', w), at from aged_jobs where n % 100 = 0
  on conflict do nothing;
insert into bans (wallet, reason, actor, banned_at)
  select pg_temp.wallet_of('banned', n), 'spam', 'admin', at from aged_jobs where n % 200 = 0;

-- Events are kept for a while only; here all of them are there. The transaction of each is one of long ago.
insert into outbox (id, type, task_id, data, at, xid)
  select pg_temp.id_of(110 + k, n), (array['task.created', 'worker.applied', 'task.assigned', 'payment.escrowed', 'task.submitted',
      'submission.received', 'submission.approved', 'payment.released'])[k + 1],
    task, jsonb_build_object('task_id', task, 'network', 'localnet'), at, '3'::xid8
  from aged_jobs cross join generate_series(0, 7) k where status = 'completed' or k = 0;
insert into event_recipients (wallet, xid, seq)
  select pg_temp.wallet_of('payer', j.p), o.xid, o.seq from outbox o join aged_jobs j on j.task = o.task_id
  union all
  select a.wallet, o.xid, o.seq from outbox o join aged_jobs j on j.task = o.task_id join aged_workers a on a.w = j.w
    where o.type <> 'task.created';
insert into nonces (key, expires_at)
  select decode(md5('nonce' || n), 'hex'), extract(epoch from now()) + n % 600 from generate_series(1, $JOBS) n;
insert into operations (identity, key, operation, body_hash, state, token, lease_until, status, answer, created_at)
  select pg_temp.wallet_of('payer', p), 'job-' || n, 'tasks.publish', md5('job' || n), 'done', pg_temp.id_of(120, n), at, 201, '{}',
    now() - n % 1440 * interval '1 minute'
  from aged_jobs;
insert into sessions (sid, wallet, chain_id, created_at, expires_at)
  select gen_random_uuid(), pg_temp.wallet_of('payer', p), 31337, now(), now() + n % 720 * interval '1 minute'
  from aged_jobs where n % 5 = 0;
insert into registration_counts (day, counted, used)
  select current_date, md5('counted' || n), 1 from generate_series(1, $JOBS / 10) n;
insert into upload_counts (scope, day, files, bytes)
  select 'worker:' || id || ':' || current_date, current_date, 3, 300000 from aged_workers;
insert into webhooks (id, owner, url, events, status, created_at, updated_at, verified_at)
  select pg_temp.id_of(130, p), pg_temp.wallet_of('payer', p), 'https://hooks.example/' || p, array['*'], 'paused', now(), now(), now()
  from generate_series(0, 999) p;
insert into webhook_deliveries (id, webhook_id, event_id, event_type, kind, body, status, attempts, due_at, created_at)
  select pg_temp.id_of(140, n), pg_temp.id_of(130, p % 1000), pg_temp.id_of(110, n), 'task.created', 'event', '{}', 'delivered', 1, at, at
  from aged_jobs;
insert into webhook_attempts (delivery_id, attempt, at, duration_ms, request_headers, response_status)
  select pg_temp.id_of(140, n), 1, at, 20, '{}', 200 from aged_jobs;

insert into ledger_totals (network, token, part, escrowed, operator, treasury, paid, balance, lines)
  select network, token, 0, sum(escrowed), sum(operator), sum(treasury),
    (select sum(amount_atomic) from payment_events where type = 'disburse_worker'), sum(balance), count(*)
  from ledger_sums group by network, token;
drop table aged_jobs, aged_workers;
set session_replication_role = origin;
