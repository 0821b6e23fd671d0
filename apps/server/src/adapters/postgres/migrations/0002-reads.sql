-- The score every gate compares against and every ranking orders by; null means unrated.
alter table workers add column effective_score double precision generated always as (
  coalesce(onchain_score, case when tasks_completed = 0 then null else least(100, 50 + 10 * tasks_completed) end)
) stored;
alter table workers
  add column bio text,
  add column avatar_url text,
  add column agent_card_url text,
  add column mcp_endpoint_url text,
  add column capabilities text[],
  add column pricing jsonb;
create index workers_by_score on workers (effective_score desc nulls last, id);
create index agents_by_score on workers (effective_score desc nulls last, id) where party in ('agent', 'robot');
create index tasks_by_executor on tasks (executor_id, id desc) where executor_id is not null;
create index submissions_by_worker on submissions (executor_id, id desc);
create index ratings_received on ratings (ratee, direction, id desc) where status = 'confirmed';
