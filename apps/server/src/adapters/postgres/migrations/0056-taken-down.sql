-- Evidence that the operator took down is deleted; the SHA-256 of each piece of it stays,
-- and the names of its files, so that whoever asks for one hears why it is gone.
alter table submissions
  add column taken_down_at timestamptz,
  add column taken_down_hashes jsonb,
  add column taken_down_keys text[];
