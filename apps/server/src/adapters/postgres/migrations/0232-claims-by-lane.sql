-- Whoever posts notices finds the oldest of each lane by an index, however many are due (decision 0318).
create index push_subscriptions_by_lane on push_subscriptions ((split_part(endpoint, '/', 3)), due_at);
create index a2a_push_configs_by_lane on a2a_push_configs ((split_part(url, '/', 3)), due_at);
