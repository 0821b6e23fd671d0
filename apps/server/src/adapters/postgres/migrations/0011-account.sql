alter table workers
  add column solana_payout_address text,
  add column anonymised_at timestamptz;

create table reports (
  id uuid primary key,
  reporter text not null,
  target text not null,
  target_id uuid not null,
  reason text not null,
  note text,
  created_at timestamptz not null,
  -- Who reports the same thing again has one report.
  unique (reporter, target, target_id)
);
create index reports_by_reporter on reports (reporter, id desc);
create index reports_by_target on reports (target, target_id);

create table blocks (
  id uuid primary key,
  blocker text not null,
  blocked text not null,
  created_at timestamptz not null,
  unique (blocker, blocked)
);

create index applications_by_worker on applications (executor_id, id desc);
create index sessions_by_wallet on sessions (wallet);
create index payment_events_by_payer on payment_events (from_address) where from_address is not null;
create index payment_events_by_payee on payment_events (to_address) where to_address is not null;
create index ratings_given on ratings (rater);
