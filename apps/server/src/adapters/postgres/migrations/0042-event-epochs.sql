-- Events are read in the order of transaction ids, and those belong to one cluster: a restored database goes on with
-- smaller ones. So a place carries its epoch in the bits above 31, and a new epoch sorts behind every place that was
-- written or handed out before it (decision 0115).
create table event_epoch (
  one boolean primary key default true check (one),
  -- Seconds since 2026 when it began, so that no other copy of the database began the same one; 0 is the first.
  epoch bigint not null check (epoch between 0 and 4294967295),
  -- System identifier and timeline of the cluster it is written by, and since when it runs; null until a server looked.
  cluster text,
  running_since timestamptz,
  begun_at timestamptz not null default now()
);
insert into event_epoch (epoch) values (0);

-- Volatile: whoever waited for the table of events reads the epoch that was begun meanwhile.
create function event_xid(id xid8) returns xid8 language plpgsql volatile as $$
begin
  return (((select epoch from event_epoch) << 31) + id::text::bigint)::text::xid8;
end $$;
alter table outbox alter column xid set default event_xid(pg_current_xact_id());

-- Behind every event of the transactions that are over: below it nothing more is written.
create function event_horizon() returns xid8 language plpgsql stable as $$
begin
  return (((select epoch from event_epoch) << 31) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8;
end $$;

-- A restore to a point in time and a promoted standby keep the identifier and get another timeline.
create function event_cluster() returns text language plpgsql stable as $$
begin
  return (select system_identifier::text from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
exception when insufficient_privilege or undefined_function or feature_not_supported then
  return 'not told';
end $$;

-- The last place that the tables name, or nothing.
create function event_newest() returns xid8 language plpgsql volatile as $$
begin
  return coalesce(greatest((select xid from outbox order by xid desc, seq desc limit 1),
    (select max(xid) from event_cursors), (select xid from forgotten_events)), '0');
end $$;

-- Why the stream needs a new epoch; null when it goes on in this one.
create function event_epoch_fault() returns text language plpgsql volatile as $$
declare
  current_row event_epoch;
  -- Behind every transaction that has ended, and so behind all that is written, as long as the cluster is the same.
  newest xid8;
begin
  select * into current_row from event_epoch;
  newest := event_xid(pg_snapshot_xmax(pg_current_snapshot()));
  if event_newest() > newest then
    return 'future';
  end if;
  if current_row.cluster <> event_cluster() then
    return 'cluster';
  end if;
  -- A crash may take back the newest ids, and a copy of the files all since it was made.
  if current_row.running_since <> pg_postmaster_start_time() then
    return 'restart';
  end if;
  return null;
end $$;

-- Begins a new epoch where one is needed or wanted, and answers why; null when none was begun. Writers of events are
-- waited for, and wait: one of the old epoch that committed later would lie behind its readers.
create function keep_event_epoch(wanted text) returns text language plpgsql volatile as $$
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
      epoch = greatest(epoch + 1, (event_newest()::text::bigint >> 31) + 1,
        floor(extract(epoch from clock_timestamp()))::bigint - 1767225600);
  end if;
  return reason;
end $$;
