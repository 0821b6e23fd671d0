import { limits as evidenceLimits } from '@ergon/contract'
import {
  dealtOut,
  newcomerShares,
  passedWhen,
  uploadCharge,
  type UploadBudget,
  type UploadLimits,
  type Uploads,
  type UploadSpent,
} from '@ergon/core'
import type { Pool, QueryConfig } from 'pg'
import { createCounting, inCountingTransaction } from './counting-transaction.ts'
import { forgetRows } from './forget-rows.ts'
import type { IsProven } from './proven-wallets.ts'
import { firstLease, leaseKeeperOf, queues } from './lease-keeper.ts'
import { dayEnd, dayEndColumns, passedOf, utcDay, whenPassed, type DayEndRow } from './utc-day.ts'
import { sayingBusy } from './trouble.ts'
import type { TransactionLine } from './transaction-line.ts'

type UploadSettings = {
  readonly limits: UploadLimits
  /** For how long a file may wait to be handed in. */
  readonly keepMs: number
}

/** The marketplace's half, and that of whoever takes the bytes. */
export type UploadLedger = Uploads & {
  /** How many bytes a link takes; null for one that is unknown, used or purged. */
  allowance(key: string): Promise<number | null>
  /** The bytes are there: room that they do not take is given back. False when the link was purged meanwhile. */
  stored(key: string, bytes: number, now: Date): Promise<boolean>
  /** Forgets so many counts at the most of days that are over; answers how many. */
  forgetDays(limit: number): Promise<number>
}

type Owner = { readonly task_id: string; readonly executor_id: string; readonly day: string }
type UploadRow = Owner & { readonly bytes: bigint; readonly of_newcomers: boolean }
type Scope = { readonly name: string; readonly day: string | null; readonly limit: number }

const hourMs = 3_600_000
/** A bucket's link may be used again with other bytes before a submission; so many different copies are kept of one. */
const mostKept = 8

const after = (now: Date, ms: number): Date => new Date(now.getTime() + ms)

/**
 * Uploads and their counters in PostgreSQL; every transaction touches the counters in one order. `isProven` is asked by
 * the id of a worker.
 */
export function createUploads(pool: Pool, { limits, keepMs }: UploadSettings, isProven: IsProven): UploadLedger {
  const count = createCounting(pool)
  const share = shareOfDay(limits.perDay)
  /** Workers without paid work share a part of the day's room (decision 0317). */
  const isNewcomer = async (executorId: string): Promise<boolean> => share > 0 && !(await isProven(executorId))
  return sayingBusy({
    limits,
    async reserve({ key, taskId, executorId, bytes }, now) {
      const isNew = await isNewcomer(executorId)
      return count<UploadSpent | null>(taskId, async (client) => {
        const { day, ends } = await today(client)
        const owner = { task_id: taskId, executor_id: executorId, day }
        for (const budget of ['task', 'wallet', 'day'] as const) {
          if (!(await take(client, scopeOf(budget, owner, limits), bytes)))
            return { keep: false, answer: { budget, ...ends } }
        }
        const spent = isNew ? await takeShare(client, { share, day, ends }, bytes) : null
        if (spent !== null) return { keep: false, answer: spent }
        for (const name of ['waiting', 'all']) await take(client, { name, day: null, limit: 0 }, bytes)
        await client.query({
          name: 'upload-insert',
          text: `insert into uploads (key, task_id, executor_id, day, bytes, purge_at, of_newcomers)
            values ($1, $2, $3, $4, $5, $6, $7)`,
          values: [key, taskId, executorId, day, bytes, after(now, keepMs), isNew],
        })
        return { keep: true, answer: null }
      })
    },
    async allowance(key) {
      const { rows } = await pool.query<{ bytes: bigint }>({
        name: 'upload-allowance',
        text: 'select bytes from uploads where key = $1 and stored_at is null and not is_purging',
        values: [key],
      })
      return rows[0] === undefined ? null : Number(rows[0].bytes)
    },
    ...storing(count, { limits, keepMs }),
    forgetDays: (limit) =>
      forgetRows(pool, { table: 'upload_counts', where: `day < ${utcDay} - 2`, order: 'day' }, limit),
    ...handedIn(pool),
    ...purging(pool),
    ...sizes(pool, limits),
  })
}

/** The bytes are there: what they do not take is given back. */
function storing(
  count: ReturnType<typeof createCounting>,
  { limits, keepMs }: UploadSettings,
): Pick<UploadLedger, 'stored'> {
  return {
    stored: (key, bytes, now) =>
      count(key, async (client) => {
        const { rows } = await client.query<UploadRow>({
          name: 'upload-lock',
          text: `select task_id, executor_id, day::text, bytes, of_newcomers from uploads
            where key = $1 and stored_at is null and not is_purging for update`,
          values: [key],
        })
        const [row] = rows
        if (row === undefined) return { keep: false, answer: false }
        const charge = uploadCharge(bytes)
        await client.query({
          name: 'upload-stored',
          text: 'update uploads set stored_at = $2, bytes = $3, purge_at = $4 where key = $1',
          values: [key, now, charge, after(now, keepMs)],
        })
        const scopes = [
          ...(['task', 'wallet', 'day'] as const).map((budget) => scopeOf(budget, row, limits).name),
          ...(row.of_newcomers ? [newcomersOf(row.day)] : []),
          'waiting',
          'all',
        ]
        for (const name of scopes) await giveBack(client, name, 0, Number(row.bytes) - charge)
        return { keep: true, answer: true }
      }),
  }
}

/** What a submission does with an upload: it holds the file, then keeps it. */
function handedIn(pool: Pool): Pick<Uploads, 'claim' | 'taken'> {
  return {
    claim: (key, now) =>
      inCountingTransaction(pool, async (client) => {
        const { rowCount } = await client.query({
          name: 'upload-claim',
          text: `update uploads set purge_at = case when purge_at is null then null else greatest(purge_at, $2) end
            where key = $1 and not is_purging and cardinality(kept) < $3`,
          values: [key, after(now, hourMs), mostKept],
        })
        return { keep: true, answer: rowCount === 1 }
      }),
    taken: (key, kept) =>
      inCountingTransaction(pool, async (client) => {
        await client.query({
          name: 'upload-taken',
          text: 'update uploads set kept = array(select distinct unnest(kept || $2::text[])) where key = $1',
          values: [key, kept],
        })
        return { keep: true, answer: undefined }
      }),
  }
}

function sizes(pool: Pool, limits: UploadLimits): Pick<Uploads, 'sizes'> {
  return {
    async sizes() {
      // Health is asked while the database is silent, and waits no longer than for the rest of it.
      const question: QueryConfig & { readonly query_timeout: number } = {
        query_timeout: 2_000,
        name: 'upload-sizes',
        text: `select case scope when 'all' then 'all' when 'waiting' then 'waiting' else 'today' end as scope, files,
            bytes from upload_counts where scope in ('all', 'waiting', 'day:' || ${utcDay})`,
      }
      const { rows } = await pool.query<{ scope: string; files: bigint; bytes: bigint }>(question)
      const of = (scope: string): { readonly files: number; readonly bytes: number } => {
        const row = rows.find((one) => one.scope === scope)
        return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) }
      }
      return {
        ...of('all'),
        waitingFiles: of('waiting').files,
        waitingBytes: of('waiting').bytes,
        todayBytes: of('today').bytes,
        dayLimitBytes: limits.perDay,
      }
    },
  }
}

/** Whether a submission holds the file is read from the submissions themselves, so that no crash can lose it. */
const held = `exists (select 1 from submissions s, jsonb_each(s.evidence) as piece
  where s.task_id = u.task_id and s.executor_id = u.executor_id and piece.value ->> 'key' = any(u.kept))`

function purging(pool: Pool): Pick<Uploads, 'leaseDue' | 'purged'> {
  return {
    leaseDue: async (now, until, limit) => {
      const lease = firstLease(now, until)
      const due = await inCountingTransaction(pool, async (client) => {
        const { rows } = await client.query<{ key: string; kept: string[]; bytes: bigint; purge_at: Date | null }>({
          name: 'uploads-lease',
          text: `update uploads u
            set is_purging = not ${held}, purge_at = case when ${held} then null else $2::timestamptz end
            where u.key = any(array(select key from uploads where purge_at <= $1 order by purge_at limit $3
              for update skip locked)) returning u.key, u.kept, u.bytes, u.purge_at`,
          values: [now, lease, limit],
        })
        const settled = rows.filter((row) => row.purge_at === null)
        await giveBack(
          client,
          'waiting',
          settled.length,
          settled.reduce((sum, { bytes }) => sum + Number(bytes), 0),
        )
        return {
          keep: true,
          answer: rows.filter((row) => row.purge_at !== null).map(({ key, kept }) => ({ key, kept })),
        }
      })
      const mine = due.map(({ key }) => ({ keys: [key], due: lease }))
      leaseKeeperOf(pool).keep(queues.uploads, mine, until.getTime() - now.getTime())
      return due
    },
    purged: (key) =>
      inCountingTransaction(pool, async (client) => {
        const { rows } = await client.query<Omit<UploadRow, 'of_newcomers'>>({
          name: 'upload-purged',
          text: 'delete from uploads where key = $1 and is_purging returning task_id, executor_id, day::text, bytes',
          values: [key],
        })
        for (const row of rows)
          for (const name of [`task:${row.task_id}`, 'waiting', 'all'])
            await giveBack(client, name, 1, Number(row.bytes))
        return { keep: true, answer: undefined }
      }),
  }
}

async function today(
  client: TransactionLine,
): Promise<{ readonly day: string; readonly ends: Omit<UploadSpent, 'budget'> }> {
  const {
    rows: [row],
  } = await client.query<DayEndRow & { readonly day: string }>({
    name: 'upload-today',
    text: `select ${utcDay}::text as day, ${dayEndColumns}`,
  })
  if (row === undefined) throw new Error('a question without an answer')
  return { day: row.day, ends: dayEnd(row) }
}

const dayScope = (day: string): string => `day:${day}`
const newcomersOf = (day: string): string => `newcomers:${day}`

type ShareOfDay = { readonly share: number; readonly day: string; readonly ends: Omit<UploadSpent, 'budget'> }

/** What newcomers share of a day's room; 0 where the day has room for few files of the largest size. */
function shareOfDay(perDay: number): number {
  const largest = { ofAddress: 0, inAll: Math.floor(perDay / evidenceLimits.evidenceBytes) }
  return newcomerShares(largest) === null ? 0 : (newcomerShares({ ofAddress: 0, inAll: perDay })?.inAll ?? 0)
}

/** Takes from what is dealt out of the newcomers' share by now; null where there was room. */
async function takeShare(
  client: TransactionLine,
  { share, day, ends }: ShareOfDay,
  bytes: number,
): Promise<UploadSpent | null> {
  const dealt = dealtOut(share, passedOf(ends))
  if (await take(client, { name: newcomersOf(day), day, limit: Math.max(1, dealt) }, bytes)) return null
  return { budget: 'day', ...whenPassed(passedWhen(share, dealt + bytes), ends) }
}

function scopeOf(
  budget: UploadBudget,
  { task_id: taskId, executor_id: executorId, day }: Owner,
  limits: UploadLimits,
): Scope {
  if (budget === 'task') return { name: `task:${taskId}`, day: null, limit: limits.perTask }
  return budget === 'wallet'
    ? { name: `worker:${executorId}:${day}`, day, limit: limits.perWalletDay }
    : { name: dayScope(day), day, limit: limits.perDay }
}

/** False, and nothing taken, where there is no room for so much. */
async function take(client: TransactionLine, { name, day, limit }: Scope, bytes: number): Promise<boolean> {
  if (limit > 0 && bytes > limit) return false
  const { rowCount } = await client.query({
    name: 'upload-take',
    text: `insert into upload_counts as c (scope, day, files, bytes) values ($1, $2, 1, $3)
      on conflict (scope) do update set files = c.files + 1, bytes = c.bytes + excluded.bytes
      where $4::bigint = 0 or c.bytes + excluded.bytes <= $4::bigint`,
    values: [name, day, bytes, limit],
  })
  return rowCount === 1
}

async function giveBack(client: TransactionLine, name: string, files: number, bytes: number): Promise<void> {
  if (files === 0 && bytes === 0) return
  await client.query({
    name: 'upload-give-back',
    text: 'update upload_counts set files = greatest(0, files - $2), bytes = greatest(0, bytes - $3) where scope = $1',
    values: [name, files, bytes],
  })
}
