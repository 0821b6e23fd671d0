/**
 * Lines for the owner of a wallet, written by the statement that they tell of. `from` has the columns of a grant.
 */
export const audit = (from: string, at: string, kind: string, detail: string): string =>
  `insert into oauth_audit (at, wallet, grant_id, client_id, client_name, kind, detail)
    select ${at}, wallet, id, client_id, client_name, ${kind}, ${detail} from ${from}`

/** A line that is counted where there is one of the same day, and becomes the latest. */
export const audited = (from: string, at: string, kind: string): string =>
  `insert into oauth_audit as a (at, wallet, grant_id, client_id, client_name, kind, day)
    select ${at}, wallet, id, client_id, client_name, ${kind}, (${at}::timestamptz at time zone 'UTC')::date
    from ${from}
    on conflict (grant_id, kind, day) where day is not null
    do update set id = default, at = excluded.at, times = a.times + 1`

/**
 * A line that is counted where it is there already, and becomes the latest: a tool may try the same thing as often as
 * it likes (decision 0131). `from` has `grant_id`, `kind`, `detail`, `submission_id` and `cents`; a grant that is not
 * there gets no line.
 */
export const countedAudit = (from: string, at: string): string =>
  `insert into oauth_audit as a
      (at, wallet, grant_id, client_id, client_name, kind, detail, submission_id, cents)
    select ${at}, g.wallet, g.id, g.client_id, g.client_name, t.kind, t.detail, t.submission_id, t.cents
    from ${from} t join oauth_grants g on g.id = t.grant_id
    on conflict (grant_id, kind, detail, submission_id)
      where kind in ('stepped_up', 'approval_granted', 'approval_refused', 'approval_returned')
    do update set id = default, at = excluded.at, cents = excluded.cents, times = a.times + 1`
