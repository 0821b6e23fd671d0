-- What the operator did about a report. Its reporter reads the state, never who did it nor the note.
alter table reports
  add column state text not null default 'open',
  add column operator_note text,
  add column decided_by text,
  add column decided_at timestamptz;
create index reports_open on reports (id desc) where state = 'open';

-- Tasks and listings that strangers no longer find in lists.
create table hidden (
  target_id uuid primary key,
  hidden_at timestamptz not null
);
