import pg from 'pg'
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

export async function readTableFacts(url: string, facilitatorUrl: string): Promise<TableFacts> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const rows = async <R extends pg.QueryResultRow>(text: string): Promise<readonly R[]> =>
    (await client.query<R>(text)).rows
  try {
    const sums = await rows<{ account: string; sum: string }>(
      'select account, sum(amount_atomic)::text as sum from ledger group by account',
    )
    const submissions = await rows<{ id: string; status: string }>('select id, status from submissions')
    return {
      tasks: await rows<TaskRow>('select id, status, escrow_status, publisher_wallet from tasks'),
      settlements: await rows<SettlementRow>(
        "select id, task_id, purpose, status, tx_hash, order_json #>> '{payment,hash}' as hash from settlements",
      ),
      ledger: new Map(sums.map(({ account, sum }) => [account, BigInt(sum)])),
      unbalanced: (
        await rows<{ journal: string }>('select journal from ledger group by journal having sum(amount_atomic) <> 0')
      ).map(({ journal }) => journal),
      applications: new Set((await rows<{ id: string }>('select id from applications')).map(({ id }) => id)),
      submissions: new Map(submissions.map(({ id, status }) => [id, status])),
      events: await rows<EventRow>('select task_id, type, id from outbox where task_id is not null order by xid, seq'),
      movements: await movementsOf(rows),
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
  } finally {
    await client.end()
  }
}

type Rows = <R extends pg.QueryResultRow>(text: string) => Promise<readonly R[]>

async function movementsOf(rows: Rows): Promise<readonly string[] | undefined> {
  const [has] = await rows<{ there: boolean }>("select to_regclass('movements') is not null as there")
  if (has?.there !== true) return undefined
  return (await rows<{ tx_hash: string; log_index: number }>('select tx_hash, log_index from movements')).map(
    ({ tx_hash, log_index }) => `${tx_hash}:${String(log_index)}`,
  )
}
