-- A tool renews its access as often as it likes, and keeps one line a day for it (decision 0309).
alter table oauth_audit add column day date;
create unique index oauth_audit_of_day on oauth_audit (grant_id, kind, day) where day is not null;
