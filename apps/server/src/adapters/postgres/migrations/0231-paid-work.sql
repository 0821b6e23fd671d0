-- Whether a publisher has paid for work is asked before what strangers share is counted (decision 0317).
create index tasks_paid_by_publisher on tasks (publisher_wallet, created_at) where status = 'completed';
