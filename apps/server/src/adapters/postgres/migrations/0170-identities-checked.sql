-- When an identity is held against the registry again (decision 0281). What is stored already is looked at within a
-- month, so that no day has to look at all of it.
alter table identities add column check_at timestamptz not null default now();
update identities set check_at = now() + random() * interval '30 days';
create index identities_due on identities (check_at);
