-- How an account proves itself, kept with its first act (decision 0097). An act that came to nothing leaves has_acted false,
-- and its row goes after an hour.
create table account_proofs (
  wallet text primary key,
  proof text not null,
  has_acted boolean not null default false,
  begun_at timestamptz not null default now()
);
create index account_proofs_unbegun on account_proofs (begun_at) where not has_acted;
