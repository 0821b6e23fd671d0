-- Which process goes on with a consumer of the stream, until when, and how often its next event failed.
alter table event_cursors
  add column holder uuid,
  add column held_until timestamptz,
  add column failures integer not null default 0;
