import type pg from 'pg'
import { overConnection } from '../../postgres/over-connection.ts'
import { queryDatabase } from '../../testing/query-database.ts'

export type TaskRow = {
  readonly id: string
  readonly status: string
  readonly escrow_status: string
  readonly publisher_wallet: string
}
export type SettlementRow = {
  readonly id: string
  readonly task_id: string
  readonly purpose: string
  readonly status: string
  readonly tx_hash: string | null
  readonly hash: string | null
}
export type EventRow = { readonly task_id: string; readonly type: string; readonly id: string }

/** What the service believes, read from its tables past the service. */
export type TableFacts = {
  readonly tasks: readonly TaskRow[]
  readonly settlements: readonly SettlementRow[]
  /** Sum of the ledger by account. */
  readonly ledger: ReadonlyMap<string, bigint>
  /** Journals whose lines do not add up to zero. */
  readonly unbalanced: readonly string[]
  readonly applications: ReadonlySet<string>
  readonly submissions: ReadonlyMap<string, string>
  /** In the order a consumer reads them. */
  readonly events: readonly EventRow[]
  /** Booked logs as `tx:index`, each as often as it is booked; undefined where the service keeps no such table. */
  readonly movements: readonly string[] | undefined
  readonly sweepsOpen: number
  /** What the facilitator has promised to land and has not landed yet. */
  readonly intentsOpen: number
}

/** Where the rows of a storm begin, in a database that had a history before. */
export type AfterHistory = { readonly at: string; readonly ledgerSeq: string; readonly eventSeq: string }
export const noHistory: AfterHistory = { at: '-infinity', ledgerSeq: '0', eventSeq: '0' }

/** What the tables hold now is history from here on: read while nobody writes. */
export async function markHistory(url: string): Promise<AfterHistory> {
  const [row] = await queryDatabase(
    url,
    `select clock_timestamp()::text as at, coalesce((select max(seq) from ledger), 0)::text as ledger,
      coalesce((select max(seq) from outbox), 0)::text as event`,
  )
  return { at: String(row?.['at']), ledgerSeq: String(row?.['ledger']), eventSeq: String(row?.['event']) }
}

export function readTableFacts(url: string, facilitatorUrl: string, after: AfterHistory): Promise<TableFacts> {
  return overConnection(url, async (client) => {
    const rows: Rows = async <R extends pg.QueryResultRow>(text: string, ...values: readonly string[]) =>
      (await client.query<R>(text, [...values])).rows
    const sums = await rows<{ account: string; sum: string }>(
      'select account, sum(amount_atomic)::text as sum from ledger where seq > $1 group by account',
      after.ledgerSeq,
    )
    const submissions = await rows<{ id: string; status: string }>(
      'select id, status from submissions where submitted_at > $1',
      after.at,
    )
    return {
      tasks: await rows<TaskRow>(
        'select id, status, escrow_status, publisher_wallet from tasks where created_at > $1',
        after.at,
      ),
      settlements: await rows<SettlementRow>(
        "select id, task_id, purpose, status, tx_hash, order_json #>> '{payment,hash}' as hash from settlements where created_at > $1",
        after.at,
      ),
      ledger: new Map(sums.map(({ account, sum }) => [account, BigInt(sum)])),
      unbalanced: (
        await rows<{ journal: string }>(
          'select journal from ledger where seq > $1 group by journal having sum(amount_atomic) <> 0',
          after.ledgerSeq,
        )
      ).map(({ journal }) => journal),
      applications: new Set(
        (await rows<{ id: string }>('select id from applications where created_at > $1', after.at)).map(({ id }) => id),
      ),
      submissions: new Map(submissions.map(({ id, status }) => [id, status])),
      events: await rows<EventRow>(
        'select task_id, type, id from outbox where task_id is not null and seq > $1 order by xid, seq',
        after.eventSeq,
      ),
      movements: await movementsOf(rows, after),
      sweepsOpen: Number(
        (
          await rows<{ count: string }>(
            "select count(*)::text as count from sweeps where status = 'open' and attempts > 0",
          )
        )[0]?.count ?? 0,
      ),
      intentsOpen: Number(
        (await queryDatabase(facilitatorUrl, "select count(*)::text as count from intents where status = 'sent'"))[0]?.[
          'count'
        ] ?? 0,
      ),
    }
  })
}

type Rows = <R extends pg.QueryResultRow>(text: string, ...values: readonly string[]) => Promise<readonly R[]>

async function movementsOf(rows: Rows, { at }: AfterHistory): Promise<readonly string[] | undefined> {
  const [has] = await rows<{ there: boolean }>("select to_regclass('movements') is not null as there")
  if (has?.there !== true) return undefined
  return (
    await rows<{ tx_hash: string; log_index: number }>(
      `select m.tx_hash, m.log_index from movements m left join tasks t on t.id = m.task_id
        where t.id is null or t.created_at > $1`,
      at,
    )
  ).map(({ tx_hash, log_index }) => `${tx_hash}:${String(log_index)}`)
}
