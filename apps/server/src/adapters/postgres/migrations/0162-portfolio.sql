-- Work that is shown on profiles by consent of both sides (decision 0256); a piece a task, kept as long as it. Pictures
-- are made anew from evidence, four a piece, and are there only while the piece is asked for or shown.
create table portfolio_pieces (
  id uuid primary key,
  task_id uuid not null unique references tasks (id),
  executor_id uuid not null references workers (id),
  publisher text not null,
  state text not null check (state in ('asked', 'allowed', 'declined', 'ended')),
  asks smallint not null,
  sources text[] not null,
  done_at timestamptz not null,
  asked_at timestamptz not null,
  answered_at timestamptz
);
create index portfolio_pieces_shown on portfolio_pieces (executor_id, id) where state = 'allowed';
create index portfolio_pieces_by_worker on portfolio_pieces (executor_id);
create index portfolio_pieces_by_publisher on portfolio_pieces (publisher);
create index portfolio_pieces_waiting on portfolio_pieces (asked_at) where state = 'asked';

create table portfolio_pictures (
  piece_id uuid not null references portfolio_pieces (id) on delete cascade,
  place smallint not null,
  name text not null,
  bytes bytea not null,
  primary key (piece_id, place)
);
-- What is a JPEG already is not made smaller by trying again.
alter table portfolio_pictures alter column bytes set storage external;
