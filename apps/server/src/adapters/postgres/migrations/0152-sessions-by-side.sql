-- Sessions of a buyer and of a worker, newest first; their tasks are many more (decision 0246).
create index tasks_streams_by_buyer on tasks (publisher_wallet, id desc) where evidence_required = '{}';
create index tasks_streams_by_worker on tasks (executor_id, id desc) where evidence_required = '{}';
