-- An Ed25519 signature is made for endpoints that ask for it (decision 0077).
alter table webhooks add column signs_ed25519 boolean not null default false;
