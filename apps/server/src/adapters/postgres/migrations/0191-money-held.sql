-- A start asks what is held, and under which contracts, before it serves other rows (decision 0298).
create index tasks_money_held on tasks (network)
  where escrow_status in ('authorizing', 'authorized', 'releasing', 'refunding');
