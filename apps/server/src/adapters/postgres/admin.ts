import type { AdminStore, AdminWorker } from '@ergon/core'
import type { Pool } from 'pg'
import { namedRows, type NamedRows } from './named-rows.ts'
import { createAdminMetrics } from './admin-metrics.ts'
import { createAdminReports } from './admin-reports.ts'
import { toAdminWorker, toAuditLine, type AdminWorkerRow, type AuditRow } from './admin-rows.ts'
import { readRunChanges } from './admin-tx.ts'
import { toTaskView, type TaskViewRow } from './rows.ts'
import { taskViewColumns, taskViewJoins } from './task-view-columns.ts'
import { pageOf } from './page-of.ts'

type Count = (name: string, from: string, values: unknown[]) => Promise<number>

/** What the operator of a deployment reads; lists show every status. */
export function createAdmin(pool: Pool, identityNetwork: string): AdminStore {
  const all = namedRows(pool)
  const count: Count = async (name, from, values) =>
    Number((await all<{ count: bigint }>(name, `select count(*) from ${from}`, values))[0]?.count ?? 0n)
  return {
    adminVersion: async () =>
      (await all<{ version: bigint }>('admin-version', 'select version from admin_version', []))[0]?.version ?? 0n,
    bannedWallets: async () =>
      (await all<{ wallet: string }>('bans', 'select wallet from bans', [])).map(({ wallet }) => wallet),
    runChanges: () => readRunChanges(pool),
    isBanned: async (wallet) => (await all('is-banned', 'select 1 from bans where wallet = $1', [wallet])).length > 0,
    async adminTasks({ status, search }, page) {
      const values = [
        status,
        search === null ? null : search.toLowerCase(),
        search === null ? null : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
      ]
      const [rows, total] = await Promise.all([
        all<TaskViewRow>(
          'admin-tasks',
          `select ${taskViewColumns} from tasks t ${taskViewJoins}
            where ${taskSearch} and ($4::uuid is null or t.id < $4) order by t.id desc limit $5 offset $6`,
          [...values, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
        count('admin-tasks-total', `tasks t ${taskViewJoins} where ${taskSearch}`, values),
      ])
      return pageOf(rows, total, page, toTaskView)
    },
    ...workerPages(all, count, identityNetwork),
    async auditLines(subject, page) {
      const where = '($1::text is null or subject = $1)'
      const [rows, total] = await Promise.all([
        all<AuditRow>(
          'audit-lines',
          `select * from audit_log where ${where} and ($2::uuid is null or id < $2) order by id desc
            limit $3 offset $4`,
          [subject, page.cursor, page.limit + 1, page.cursor === null ? page.offset : 0],
        ),
        count('audit-lines-total', `audit_log where ${where}`, [subject]),
      ])
      return pageOf(rows, total, page, toAuditLine)
    },
    ...createAdminReports(all, pageOf),
    ...createAdminMetrics(pool),
  }
}

function workerPages(
  all: NamedRows,
  count: Count,
  identityNetwork: string,
): Pick<AdminStore, 'adminWorkers' | 'adminWorker'> {
  const ofWallet = async (wallet: string): Promise<AdminWorker | null> => {
    const [row] = await all<AdminWorkerRow>('admin-worker', `select ${workerColumns} ${walletJoins}`, [
      identityNetwork,
      wallet,
    ])
    return row === undefined ? null : toAdminWorker(row)
  }
  return {
    adminWorker: ofWallet,
    async adminWorkers({ status, search }, { limit, offset }) {
      // A whole wallet finds whoever has it, and nobody who only goes by its name.
      if (search !== null && wholeWallet.test(search)) {
        const known = await ofWallet(search.toLowerCase())
        const isAsked = known !== null && (status === null || (known.ban !== null) === (status === 'banned'))
        const found = isAsked ? [known] : []
        return { rows: found.slice(offset, offset + limit), total: found.length, offset, hasMore: false }
      }
      const values = [
        identityNetwork,
        status,
        search === null ? null : search.toLowerCase(),
        search === null ? null : `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
      ]
      const [rows, total] = await Promise.all([
        all<AdminWorkerRow>(
          'admin-workers',
          `select ${workerColumns} ${workerJoins} where ${workerSearch}
            order by coalesce(w.created_at, b.banned_at) desc, known_wallet limit $5 offset $6`,
          [...values, limit + 1, offset],
        ),
        count('admin-workers-total', `(select 1 ${workerJoins} where ${workerSearch}) found`, values),
      ])
      return { rows: rows.slice(0, limit).map(toAdminWorker), total, offset, hasMore: rows.length > limit }
    },
  }
}

const taskSearch =
  '($1::text is null or t.status = $1) and ($2::text is null or t.id::text = $2 or t.publisher_wallet = $2 or w.wallet = $2 or t.title ilike $3)'

const workerColumns =
  'w.*, i.agent_id, coalesce(w.wallet, b.wallet) as known_wallet, b.reason as ban_reason, b.actor as ban_actor, b.banned_at'
/** A wallet that only published has no row of its own until it is banned. */
const workerJoins =
  'from workers w full join bans b on b.wallet = w.wallet left join identities i on i.wallet = w.wallet and i.network = $1'
/** The same of the wallet `$2`, by the keys of both tables. */
const walletJoins = `from (select * from workers where wallet = $2) w
  full join (select * from bans where wallet = $2) b on b.wallet = w.wallet
  left join identities i on i.wallet = w.wallet and i.network = $1`
const wholeWallet = /^0x[0-9a-f]{40}$/i
const workerSearch =
  "($2::text is null or (b.wallet is not null) = ($2 = 'banned')) and ($3::text is null or w.id::text = $3 or coalesce(w.wallet, b.wallet) = $3 or w.display_name ilike $4)"
