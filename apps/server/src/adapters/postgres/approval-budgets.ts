import type { Pool } from 'pg'
import { countedAudit } from './oauth-audit.ts'

/** One release that a token asks for; `cents` of a USD, rounded up. */
export type AskedApproval = {
  readonly grantId: string
  /** Whose consent it is. */
  readonly wallet: string
  readonly submissionId: string
  /** Of this attempt alone: no other gives it back. */
  readonly reservation: string
  readonly cents: bigint
  readonly maxCents: bigint
  readonly maxCount: number
  readonly expiresAt: Date
}

/**
 * `reserved` by this attempt, `known` from an earlier one about the same submission, or what it is past.
 */
export type Reserved = 'reserved' | 'known' | 'over' | 'exhausted'

export type ApprovalBudgets = {
  /** Counts a release in one statement, so that any number of processes share one count. */
  reserve(asked: AskedApproval): Promise<Reserved>
  /** What was refused before money moved is as if it had never been asked; a reservation of another attempt stays. */
  giveBack(asked: Pick<AskedApproval, 'grantId' | 'submissionId' | 'reservation'>): Promise<void>
  /** An approval was refused before it was counted; `submissionId` is null where nobody looked it up. */
  noteRefused(refused: {
    readonly grantId: string
    readonly submissionId: string | null
    readonly code: string
  }): Promise<void>
  /**
   * Decides what attempts have left: a release that came to nothing is given back, one that was made stays for good.
   * Forgets tokens that ended a day ago; answers how many lines it touched.
   */
  settle(limit: number): Promise<number>
}

const reserveSql = `
  with known as (select from approval_uses where grant_id = $1 and submission_id = $2),
  budget as (
    insert into approval_budgets as b (grant_id, wallet, taken, kept_until)
    select $1, $8, 1, $7 where $4::bigint <= $5::bigint and $6 > 0 and not exists (select from known)
    on conflict (grant_id) do update
      set taken = b.taken + 1, kept_until = greatest(b.kept_until, excluded.kept_until)
      where b.taken < $6
    returning 1),
  used as (
    insert into approval_uses (grant_id, submission_id, reservation, cents)
    select $1, $2, $3, $4 from budget returning 1),
  verdict as (select case
    when $4::bigint > $5::bigint then 'over'
    when exists (select from known) then 'known'
    when exists (select from used) then 'reserved'
    else 'exhausted' end as reserved),
  line as (
    select $1 as grant_id, $2::uuid as submission_id, $4::bigint as cents,
      case reserved when 'reserved' then 'approval_granted' else 'approval_refused' end as kind,
      case reserved when 'over' then 'approval_amount_over_limit' when 'exhausted' then 'approval_count_exhausted' end
        as detail
    from verdict where reserved <> 'known'),
  told as (${countedAudit('line', 'now()')})
  select reserved from verdict`

// The budget before the use, as a reservation takes them: neither then waits for the other in a ring.
const giveBackSql = `
  with budget as (select from approval_budgets where grant_id = $1 for update),
  gone as (
    delete from approval_uses
    where grant_id = $1 and submission_id = $2 and reservation = $3 and exists (select from budget)
    returning grant_id, submission_id, cents, 'approval_returned' as kind, null as detail),
  told as (${countedAudit('gone', 'now()')})
  update approval_budgets set taken = taken - 1 where grant_id = $1 and exists (select from gone)`

const noteRefusedSql = `with line as (
    select $1 as grant_id, $2::uuid as submission_id, null::bigint as cents, 'approval_refused' as kind,
      $3::text as detail)
  ${countedAudit('line', 'now()')}`

// Longer than any call lasts, so that no attempt is judged while it runs. Budgets are locked first, in the order of
// their ids, as a reservation takes one: a budget that another holds is left for the next round.
const settleSql = `
  with candidates as (
    select u.grant_id, u.submission_id, s.status = 'approved' as is_made
    from approval_uses u left join submissions s on s.id = u.submission_id
    where not u.is_decided and u.reserved_at < now() - interval '10 minutes'
      and not exists (select from settlements o where o.task_id = s.task_id and o.status in ('claimed', 'in_doubt'))
    order by u.reserved_at limit $1),
  budgets as materialized (
    select grant_id from approval_budgets where grant_id in (select grant_id from candidates)
    order by grant_id for update skip locked),
  old as (
    select c.* from candidates c join budgets using (grant_id)),
  made as (
    update approval_uses u set is_decided = true from old
    where old.is_made and u.grant_id = old.grant_id and u.submission_id = old.submission_id returning 1),
  gone as (
    delete from approval_uses u using old
    where old.is_made is not true and u.grant_id = old.grant_id and u.submission_id = old.submission_id
    returning u.grant_id, u.submission_id, u.cents, 'approval_returned' as kind, null as detail),
  told as (${countedAudit('gone', 'now()')}),
  back as (
    update approval_budgets b set taken = b.taken - g.count
    from (select grant_id, count(*)::int as count from gone group by grant_id) g where b.grant_id = g.grant_id),
  over as (
    delete from approval_budgets where grant_id = any(array(
      select b.grant_id from approval_budgets b where b.kept_until < now() - interval '1 day'
        and not exists (select from approval_uses u where u.grant_id = b.grant_id and not u.is_decided)
      order by b.kept_until limit $1))
    returning 1)
  select ((select count(*) from made) + (select count(*) from gone) + (select count(*) from over))::int as count`

/** Approvals by tokens, counted in PostgreSQL: two processes never release more than one consent allows. */
export function createApprovalBudgets(pool: Pool): ApprovalBudgets {
  return {
    async reserve({ grantId, wallet, submissionId, reservation, cents, maxCents, maxCount, expiresAt }) {
      try {
        const { rows } = await pool.query<{ reserved: Reserved }>({
          name: 'approval-reserve',
          text: reserveSql,
          values: [grantId, submissionId, reservation, cents, maxCents, maxCount, expiresAt, wallet],
        })
        const [row] = rows
        if (row === undefined) throw new Error('a reservation answered no row')
        return row.reserved
      } catch (error) {
        // Another attempt about the same submission was first by less than a statement, and this one took nothing.
        if (isTaken(error)) return 'known'
        throw error
      }
    },
    async giveBack({ grantId, submissionId, reservation }) {
      await pool.query({
        name: 'approval-give-back',
        text: giveBackSql,
        values: [grantId, submissionId, reservation],
      })
    },
    async noteRefused({ grantId, submissionId, code }) {
      await pool.query({
        name: 'approval-note-refused',
        text: noteRefusedSql,
        values: [grantId, submissionId, code],
      })
    },
    async settle(limit) {
      const { rows } = await pool.query<{ count: number }>({
        name: 'approval-settle',
        text: settleSql,
        values: [limit],
      })
      return rows[0]?.count ?? 0
    },
  }
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'
