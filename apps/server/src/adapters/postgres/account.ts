import type { AccountStore, Block, Page, PageRequest, Report } from '@ergon/core'
import type { Pool, QueryResultRow } from 'pg'
import { toReport, type ReportRow } from './account-rows.ts'
import { namedRows, type NamedRows } from './named-rows.ts'
import { createAccountExport } from './account-export.ts'
import { pageOf } from './page-of.ts'

type BlockRow = { id: string; blocker: string; blocked: string; created_at: Date }

type One = <R extends QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<R>
type PageOf = <R extends QueryResultRow & { id: string }, T>(
  name: string,
  from: string,
  wallet: string,
  page: PageRequest,
  map: (row: R) => T,
) => Promise<Page<T>>

const onlyOf =
  (all: NamedRows): One =>
  async <R extends QueryResultRow>(name: string, text: string, values: unknown[]) => {
    const row = (await all<R>(name, text, values))[0]
    if (row === undefined) throw new Error(`${name} answered no row`)
    return row
  }

/** The rows of one wallet, the newest first. */
const pagesOf =
  (all: NamedRows, one: One): PageOf =>
  async <R extends QueryResultRow & { id: string }, T>(
    name: string,
    from: string,
    wallet: string,
    page: PageRequest,
    map: (row: R) => T,
  ) => {
    const [rows, total] = await Promise.all([
      all<R>(name, `select * from ${from} = $1 and ($2::uuid is null or id < $2) order by id desc limit $3 offset $4`, [
        wallet,
        page.cursor,
        page.limit + 1,
        page.cursor === null ? page.offset : 0,
      ]),
      one<{ count: bigint }>(`${name}-total`, `select count(*) from ${from} = $1`, [wallet]),
    ])
    return pageOf(rows, Number(total.count), page, map)
  }

/** Exports, payout addresses, reports and blocks of one wallet. */
export function createAccount(pool: Pool): AccountStore {
  const all = namedRows(pool)
  const one = onlyOf(all)
  const pageOf = pagesOf(all, one)
  return {
    ...createAccountExport(pool),
    ...payoutRows(all),
    ...reportRows(one, pageOf),
    ...blockRows(all, pageOf),
  }
}

function payoutRows(all: NamedRows): Pick<AccountStore, 'payoutAddress' | 'putPayoutAddress'> {
  return {
    async payoutAddress(executorId) {
      return (
        (
          await all<{ address: string | null }>(
            'payout-address',
            'select solana_payout_address as address from workers where id = $1',
            [executorId],
          )
        )[0]?.address ?? null
      )
    },
    async putPayoutAddress(executorId, address) {
      await all('payout-address-put', 'update workers set solana_payout_address = $2 where id = $1', [
        executorId,
        address,
      ])
    },
  }
}

function reportRows(one: One, pageOf: PageOf): Pick<AccountStore, 'putReport' | 'reportsOf'> {
  return {
    putReport: async (report) =>
      toReport(
        await one<ReportRow>(
          'report-put',
          `insert into reports (id, reporter, target, target_id, reason, note, created_at)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (reporter, target, target_id) do update set reporter = excluded.reporter returning *`,
          [report.id, report.reporter, report.target, report.targetId, report.reason, report.note, report.createdAt],
        ),
      ),
    reportsOf: (wallet, page) =>
      pageOf<ReportRow, Report>('reports-of', 'reports where reporter', wallet, page, toReport),
  }
}

function blockRows(
  all: NamedRows,
  pageOf: PageOf,
): Pick<AccountStore, 'putBlock' | 'removeBlock' | 'blocksOf' | 'areApart'> {
  return {
    putBlock: async (block, most) => {
      const [row] = await all<BlockRow>(
        'block-put',
        `insert into blocks (id, blocker, blocked, created_at)
          select $1::uuid, $2::text, $3::text, $4::timestamptz
            where (select count(*) from (select 1 from blocks where blocker = $2 limit $5) kept) < $5::integer
              or exists (select 1 from blocks where blocker = $2 and blocked = $3)
          on conflict (blocker, blocked) do update set blocker = excluded.blocker returning *`,
        [block.id, block.blocker, block.blocked, block.createdAt, most],
      )
      return row === undefined ? null : toBlock(row)
    },
    removeBlock: async (blocker, blocked) =>
      (
        await all('block-remove', 'delete from blocks where blocker = $1 and blocked = $2 returning id', [
          blocker,
          blocked,
        ])
      ).length > 0,
    blocksOf: (wallet, page) => pageOf<BlockRow, Block>('blocks-of', 'blocks where blocker', wallet, page, toBlock),
    areApart: async (left, right) =>
      (
        await all(
          'are-apart',
          'select 1 from blocks where (blocker = $1 and blocked = $2) or (blocker = $2 and blocked = $1) limit 1',
          [left, right],
        )
      ).length > 0,
  }
}

function toBlock(row: BlockRow): Block {
  return { id: row.id, blocker: row.blocker, blocked: row.blocked, createdAt: row.created_at }
}
