-- The open market is counted by this index alone, without its rows (decision 0254).
create index tasks_open_counted on tasks (deadline, publisher_wallet, id)
  where status = 'published' and ordered_from is null and evidence_required <> '{}';
