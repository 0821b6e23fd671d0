-- Releases that a delegated token made or is about to make, beside how many its wallet consented to (spec §5, OAuth 9).
create table approval_budgets (
  grant_id text primary key,
  wallet text not null,
  taken integer not null,
  kept_until timestamptz not null
);
create index approval_budgets_over on approval_budgets (kept_until);
create index approval_budgets_by_wallet on approval_budgets (wallet);

-- One line a submission: whoever asks again about the same one takes nothing more.
create table approval_uses (
  grant_id text not null references approval_budgets (grant_id) on delete cascade,
  submission_id uuid not null,
  reservation uuid not null,
  cents bigint not null,
  reserved_at timestamptz not null default now(),
  is_decided boolean not null default false,
  primary key (grant_id, submission_id)
);
create index approval_uses_undecided on approval_uses (reserved_at) where not is_decided;
