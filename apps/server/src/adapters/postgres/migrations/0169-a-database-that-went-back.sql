-- A promoted standby or a restored copy may have forgotten what was told to others. Since when that may be so is kept, and
-- whether `restore-check` has looked at it (decision 0280).
alter table event_epoch
  -- When it was seen last that the database may have gone back; null: never.
  add column went_back_at timestamptz,
  -- When `restore-check` last ended with nothing left to read.
  add column checked_at timestamptz;

create or replace function keep_event_epoch(wanted text) returns text language plpgsql volatile as $$
declare
  reason text := coalesce(wanted, event_epoch_fault());
begin
  if reason is null then
    update event_epoch set cluster = event_cluster(), running_since = pg_postmaster_start_time() where cluster is null;
    return null;
  end if;
  lock table outbox in share row exclusive mode;
  reason := coalesce(wanted, event_epoch_fault());
  if reason is not null then
    update event_epoch set cluster = event_cluster(), running_since = pg_postmaster_start_time(),
      begun_at = clock_timestamp(),
      -- A database that was only started anew has what it had.
      went_back_at = case when reason = 'restart' then went_back_at else clock_timestamp() end,
      epoch = greatest(epoch + 1, (event_newest()::text::bigint >> 31) + 1,
        floor(extract(epoch from clock_timestamp()))::bigint - 1767225600);
  end if;
  return reason;
end $$;
