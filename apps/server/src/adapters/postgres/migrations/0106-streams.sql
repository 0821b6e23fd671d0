-- The sessions of a buyer that run: there are few at a time (decision 0204).
create index tasks_streams_live on tasks (publisher_wallet) where status = 'accepted' and evidence_required = '{}';
