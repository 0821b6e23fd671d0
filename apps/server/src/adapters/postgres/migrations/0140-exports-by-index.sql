-- An account's export finds what is of a worker or a channel, however much is of others.
create index settlement_offers_by_worker on settlement_offers (executor_id);
create index channel_orders_by_channel on channel_orders (channel_id);
