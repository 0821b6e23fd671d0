-- A rating on its way ends: when its document was written, its first copy sent, and the latest deadline its rater signed.
alter table ratings add column written_at timestamptz not null default '1970-01-01', add column sent_at timestamptz, add column lands_until timestamptz;
update ratings set sent_at = updated_at, lands_until = updated_at + interval '15 minutes' where status = 'sending';
update ratings set written_at = coalesce(updated_at, now()) where status = 'due';
drop index ratings_sending;
create index ratings_on_their_way on ratings (coalesce(sent_at, written_at)) where status in ('sending', 'due');

-- Fees that were refused once; the few of them that are still owed keep their publisher from publishing.
create index settlements_fee_refused on settlements (task_id) where purpose = 'fee' and code is not null and status in ('in_doubt', 'refused');
