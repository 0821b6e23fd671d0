-- What came of no offer is forgotten some time after it ended (decision 0201).
create index settlement_offers_ended on settlement_offers (ended_at) where status in ('refused', 'withdrawn', 'expired');
