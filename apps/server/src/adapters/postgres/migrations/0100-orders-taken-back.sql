-- A standing order whose grant was taken back stays until the facilitator knows (decision 0188).
alter table standing_warrants
  add column taken_back_due timestamptz,
  add column taken_back_tries integer not null default 0;
create index standing_warrants_taken_back on standing_warrants (taken_back_due) where taken_back_due is not null;
