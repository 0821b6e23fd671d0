import type { AdminStore, Page, PageRequest, ReportView } from '@ergon/core'
import { toReport, type ReportRow } from './account-rows.ts'
import type { NamedRows } from './named-rows.ts'
import { toTakenDown, type TakenDownRow } from './rows.ts'

type ReportViewRow = ReportRow & {
  state: ReportView['state']
  operator_note: string | null
  decided_by: string | null
  decided_at: Date | null
  wallet: string | null
  title: string | null
  task_id: string | null
  is_hidden: boolean
  is_banned: boolean
} & TakenDownRow

type PageOf = (
  rows: readonly ReportViewRow[],
  total: number,
  page: PageRequest,
  map: (row: ReportViewRow) => ReportView,
) => Page<ReportView>

/** Literals, so that the index of what is open serves. */
const conditions = { open: "r.state = 'open'", closed: "r.state <> 'open'" } as const

/** Reports with what they are about as it is now. */
export function createAdminReports(all: NamedRows, pageOf: PageOf): Pick<AdminStore, 'adminReports' | 'adminReport'> {
  return {
    async adminReports(status, page) {
      const where = conditions[status]
      const [rows, counted] = await Promise.all([
        all<ReportViewRow>(
          `admin-reports-${status}`,
          `${select} where ${where} and ($1::uuid is null or r.id < $1) order by r.id desc limit $2 offset $3`,
          [page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
        all<{ count: bigint }>(`admin-reports-${status}-total`, `select count(*) from reports r where ${where}`, []),
      ])
      return pageOf(rows, Number(counted[0]?.count ?? 0n), page, toReportView)
    },
    async adminReport(reportId) {
      const [row] = await all<ReportViewRow>('admin-report', `${select} where r.id = $1`, [reportId])
      return row === undefined ? null : toReportView(row)
    },
  }
}

/** Ids are unique over all tables, so that only one of the joins of a target finds a row. */
const select = `select r.*, u.wallet, coalesce(t.title, l.title, w.display_name) as title,
    coalesce(t.id, s.task_id) as task_id, s.taken_down_at, s.taken_down_hashes, s.taken_down_keys,
    h.target_id is not null as is_hidden, b.wallet is not null as is_banned
  from reports r
    left join tasks t on r.target = 'task' and t.id = r.target_id
    left join listings l on r.target = 'listing' and l.id = r.target_id
    left join submissions s on r.target = 'submission' and s.id = r.target_id
    left join workers w on w.id = coalesce(l.seller_executor_id, s.executor_id,
      case when r.target = 'worker' then r.target_id end)
    cross join lateral (select coalesce(t.publisher_wallet, w.wallet) as wallet) u
    left join hidden h on h.target_id = r.target_id
    left join bans b on b.wallet = u.wallet`

function toReportView(row: ReportViewRow): ReportView {
  return {
    ...toReport(row),
    state: row.state,
    operatorNote: row.operator_note,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    wallet: row.wallet,
    title: row.title,
    taskId: row.task_id,
    isHidden: row.is_hidden,
    isBanned: row.is_banned,
    takenDown: toTakenDown(row),
  }
}
