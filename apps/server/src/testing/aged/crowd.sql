-- What $MANY strangers leave behind who registered, connected tools and asked to be told, and mostly did no work. The
-- first of them did all of it again and again: its lists are long.
set session_replication_role = replica;
set synchronous_commit = off;

create table crowd as
  select n, '0x' || md5('crowd' || n) || lpad(to_hex(n), 8, '0') as wallet, gen_random_uuid() as executor,
    now() - n % 43200 * interval '1 minute' as at, case when n % 10 = 0 then 1 else n end as owner
  from generate_series(1, $MANY) n;
create unique index on crowd (n);

insert into workers (id, wallet, display_name, party, created_at)
  select executor, wallet, 'Stranger ' || n, case when n % 3 = 0 then 'human' else 'agent' end, at from crowd;
insert into account_proofs (wallet, proof, has_acted, begun_at) select wallet, 'key', true, at from crowd;
insert into identities (network, wallet, agent_id, tx_hash, updated_at, check_at)
  select 'localnet', wallet, 2000000 + n, '0x' || md5(n::text), at, now() + n % 43200 * interval '1 minute' from crowd;
insert into listings (id, seller_executor_id, title, description, category, unit_price_micro_usd, skills, evidence, network,
    accepted_networks, availability, orders_count, created_at, updated_at)
  select gen_random_uuid(), executor, 'Anything ' || n, 'Any thing.', 'simple_action', 1000000, array['crowd'],
    array['text_response'], 'localnet', array['localnet'], 'active', 0, at, at from crowd;
insert into reports (id, reporter, target, target_id, reason, created_at)
  select gen_random_uuid(), o.wallet, 'worker', c.executor, 'spam', c.at from crowd c join crowd o on o.n = c.owner;

-- Half of the tools were never used; of the other half each has a grant, and the first owner has a tenth of them.
insert into oauth_clients (id, name, redirect_uris, created_at, used_at)
  select 'crowd-' || n, 'Tool ' || n, array['https://tool.example/' || n], case when n % 2 = 0 then now() else at end,
    case when n % 2 = 0 then now() else at + interval '1 second' end from crowd;
insert into oauth_sign_ins (rid, client_id, client_name, redirect_uri, scopes, resource, challenge, csrf_hash, expires_at, outcome,
    wallet)
  select 'crowd-' || n, 'crowd-' || n, 'Tool ' || n, 'https://tool.example/' || n, array['agent:read'], 'mcp', 'c', 'h',
    now() + n % 10 * interval '1 minute', 'finished', wallet from crowd;
insert into oauth_grants (id, client_id, client_name, wallet, chain_id, scopes, resource, redirect_uri, challenge, code_hash,
    code_expires_at, code_used_at, created_at, used_at, expires_at, revoked_at)
  select 'crowd-' || c.n, 'crowd-' || c.n, 'Tool ' || c.n, o.wallet, 31337, array['agent:read'], 'mcp',
    'https://tool.example/' || c.n, 'c', md5('code' || c.n), c.at, case when c.n % 50 > 0 then c.at end, c.at, c.at,
    c.at + interval '180 days', case when c.n % 7 = 0 then c.at end
  from crowd c join crowd o on o.n = c.owner;
-- The first grant was renewed three hundred times a day for half a month.
insert into oauth_refresh_tokens (hash, grant_id, expires_at, used_at)
  select md5('token' || n), 'crowd-' || n, at + interval '60 days', null from crowd
  union all select md5('used' || n), 'crowd-1', now() + n * interval '4 minutes', now() - n * interval '5 minutes'
    from generate_series(1, 4500) n;
insert into oauth_audit (at, wallet, grant_id, client_id, client_name, kind, detail)
  select c.at, o.wallet, 'crowd-' || c.n, 'crowd-' || c.n, 'Tool ' || c.n, 'consented', 'agent:read'
  from crowd c join crowd o on o.n = c.owner order by c.at;
insert into approval_budgets (grant_id, wallet, taken, kept_until)
  select 'crowd-' || c.n, o.wallet, 1, c.at + interval '60 days' from crowd c join crowd o on o.n = c.owner;
insert into approval_uses (grant_id, submission_id, reservation, cents, reserved_at, is_decided)
  select 'crowd-' || n, gen_random_uuid(), gen_random_uuid(), 100, at, true from crowd;
insert into standing_warrants (grant_id, wallet, chain_id, token, standing_order, good_until)
  select 'crowd-' || c.n, o.wallet, 31337, '0x1', '{}', c.at + interval '60 days' from crowd c join crowd o on o.n = c.owner;

-- Who wants to be told, and has heard everything.
insert into webhooks (id, owner, url, events, status, created_at, updated_at, verified_at, attempt_count, success_count)
  select executor, wallet, 'https://hooks.example/' || n, array['*'], 'active', at, at, at, 10, 10 from crowd;
insert into webhook_secrets (id, webhook_id, sealed, created_at) select gen_random_uuid(), executor, '\x00', at from crowd;
insert into push_subscriptions (id, wallet, endpoint, p256dh, auth, kinds, language, place, due_at, created_at)
  select gen_random_uuid(), wallet, 'https://push' || n % 4 || '.example/' || n, 'key', 'auth', array['work'], 'en', '0.0',
    now() + interval '1 hour' + n % 3600 * interval '1 second', at from crowd;
insert into mail_subscriptions (id, wallet, address, kinds, language, asked_at, confirmed_at, due_at)
  select gen_random_uuid(), wallet, n || '@mail.example', array['work'], 'en', at, at,
    now() + interval '1 hour' + n % 3600 * interval '1 second' from crowd;
insert into saved_searches (wallet, slot, name, filter, party, saved_at, ends_at, seen, due_at)
  select wallet, 1, 'Near me', '{}', 'agent', at, now() + interval '90 days', '00000000-0000-7000-8000-000000000000',
    now() + interval '1 hour' + n % 3600 * interval '1 second' from crowd;
insert into linked_signers (wallet, secret, good_until) select wallet, '\x00', at + interval '365 days' from crowd;

-- Sessions of metered work that ended: each stranger had one, the first of them ten thousand.
insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, publisher_type, target, executor_id, evidence_required, evidence_optional, min_reputation, escrow_status,
    created_at, updated_at)
  select gen_random_uuid(), 'completed', 'Session ' || c.n, 'By the minute.', 'simple_action', 1000000, 'USDC',
    'solana-localnet', 6, c.at + interval '1 day', o.wallet, case when c.n % 2 = 0 then 'human' else 'agent' end, 'any', o.executor,
    array[]::text[], array[]::text[], 0, 'none', c.at, c.at
  from crowd c join crowd o on o.n = c.owner;
-- Orders of services that a stranger placed and nobody takes any more.
insert into tasks (id, status, title, instructions, category, bounty_atomic, token, network, decimals, deadline,
    publisher_wallet, publisher_type, target, evidence_required, evidence_optional, min_reputation, escrow_status,
    created_at, updated_at, ordered_from)
  select gen_random_uuid(), 'expired', 'Order ' || c.n, 'As listed.', 'simple_action', 1000000, 'USDC', 'localnet', 6,
    c.at + interval '1 day', o.wallet, case when c.n % 2 = 0 then 'human' else 'agent' end, 'any',
    array['text_response'], array[]::text[], 0, 'none', c.at, c.at, o.executor
  from crowd c join crowd o on o.n = c.owner;
drop table crowd;
set session_replication_role = origin;
