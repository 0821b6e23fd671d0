-- Scores come from ratings of paid tasks by their parties, not from the registry's mean (decision 0093).
create index ratings_by_agent on ratings ((terms->>'network'), ((terms->>'agentId')::bigint)) where status = 'confirmed';

create temporary table counted on commit drop as
  select r.ratee, r.direction, avg((r.terms->>'score')::double precision) as score, count(*)::integer as count
  from ratings r join tasks t on t.id = r.task_id
  where r.status = 'confirmed' and t.payment_tx is not null and (r.terms->>'score')::double precision between 0 and 100
  group by 1, 2;
update workers w set
  onchain_score = (select c.score from counted c where c.ratee = w.wallet and c.direction = 'publisher_rates_executor'),
  rating_count = coalesce((select c.count from counted c where c.ratee = w.wallet and c.direction = 'publisher_rates_executor'), 0);
update publisher_scores p set
  avg_score = (select c.score from counted c where c.ratee = p.wallet and c.direction = 'executor_rates_publisher'),
  rating_count = coalesce((select c.count from counted c where c.ratee = p.wallet and c.direction = 'executor_rates_publisher'), 0);
