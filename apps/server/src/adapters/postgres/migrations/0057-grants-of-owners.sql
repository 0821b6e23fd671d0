-- What the owner of a wallet reads of its tools: steps up and capped approvals beside consents and tokens (decision 0131).
alter table oauth_audit
  add column submission_id uuid,
  add column cents bigint,
  -- The same step up or approval, tried again, is counted in its line: a tool that repeats itself fills nothing.
  add column times integer not null default 1;
create unique index oauth_audit_counted on oauth_audit (grant_id, kind, detail, submission_id) nulls not distinct
  where kind in ('stepped_up', 'approval_granted', 'approval_refused', 'approval_returned');
