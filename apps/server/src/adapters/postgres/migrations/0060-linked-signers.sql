-- External signers that wallets linked (spec §5, OAuth 12; decision 0135). Secrets and documents are sealed.
create table linked_signers (
  wallet text primary key,
  -- Null once the signer ended the link by itself.
  secret bytea,
  linked_at timestamptz not null default now(),
  good_until timestamptz not null
);
create index linked_signers_over on linked_signers (good_until);

-- One request at the signer about one subject: whoever asks again asks the same one, until nothing of it can be used.
create table linked_signer_requests (
  id uuid primary key,
  wallet text not null,
  subject text not null,
  asked bytea not null,
  signature bytea,
  good_until timestamptz not null,
  unique (wallet, subject)
);
create index linked_signer_requests_over on linked_signer_requests (good_until);
