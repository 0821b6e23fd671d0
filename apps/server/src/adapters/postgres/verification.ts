import {
  fixOf,
  type DueVerification,
  type NearTwin,
  type TaskPlace,
  type Twin,
  type TwinSearch,
  type VerificationStore,
  type VerificationTx,
} from '@ergon/core'
import type { Pool } from 'pg'
import { firstLease, leaseKeeperOf, queues } from './lease-keeper.ts'
import { toSubmission, toTask, type SubmissionRow, type TaskRow } from './rows.ts'
import type { TransactionLine } from './transaction-line.ts'

type DeviceRow = { readonly clock: string | null; readonly utc_offset_min: number | null } | null
type TwinRow = { submission_id: string; task_id: string; executor_id: string }

/** What checks are held against: places, positions, files and hashes of everything that was ever submitted. */
export function createVerification(pool: Pool): VerificationStore {
  return {
    ...whereAndWhen(pool),
    async leaseVerifications(now, leaseUntil, limit) {
      const { rows } = await pool.query<SubmissionRow & { device: DeviceRow; verification_attempts: number }>({
        name: 'verifications-lease',
        text: `update submissions set verification_due_at = $2, verification_attempts = verification_attempts + 1
          where id = any(array(
            select id from submissions where verification_due_at <= $1 order by verification_due_at limit $3
            for update skip locked)) returning *`,
        values: [now, firstLease(now, leaseUntil), limit],
      })
      const held = rows.map(({ id }) => ({ keys: [id], due: firstLease(now, leaseUntil) }))
      leaseKeeperOf(pool).keep(queues.verifications, held, leaseUntil.getTime() - now.getTime())
      const tasks = await pool.query<TaskRow>({
        name: 'verifications-tasks',
        text: 'select * from tasks where id = any($1::uuid[])',
        values: [rows.map((row) => row.task_id)],
      })
      const byId = new Map(tasks.rows.map((row) => [row.id, toTask(row)]))
      return rows.flatMap((row): readonly DueVerification[] => {
        const task = byId.get(row.task_id)
        return task === undefined
          ? []
          : [{ submission: toSubmission(row), task, device: toDevice(row.device), attempts: row.verification_attempts }]
      })
    },
    async putOffVerification(submissionId, dueAt) {
      await pool.query({
        name: 'verification-put-off',
        text: `update submissions
          set verification_due_at = $2, verification_attempts = greatest(0, verification_attempts - 1)
          where id = $1 and verified_at is null`,
        values: [submissionId, dueAt],
      })
    },
    ...twins(pool),
  }
}

/** Where the work is to be done, since when, and where the worker was seen. */
function whereAndWhen(pool: Pool): Pick<VerificationStore, 'taskPlace' | 'assignedAt' | 'positionReceipts'> {
  return {
    async taskPlace(taskId) {
      const { rows } = await pool.query<{ lat: number; lng: number; radius_m: number }>({
        name: 'task-place',
        text: 'select lat, lng, radius_m from task_places where task_id = $1',
        values: [taskId],
      })
      return rows[0] === undefined ? null : toPlace(rows[0])
    },
    async assignedAt(taskId) {
      const { rows } = await pool.query<{ at: Date | null }>({
        name: 'assigned-at',
        text: "select max(at) as at from task_history where task_id = $1 and status = 'accepted'",
        values: [taskId],
      })
      return rows[0]?.at ?? null
    },
    async positionReceipts({ submissionId, executorId }, limit) {
      const { rows } = await pool.query<{
        submission_id: string
        task_id: string
        lat: number
        lng: number
        accuracy_m: number | null
        gps: unknown
        received_at: Date
      }>({
        name: 'position-receipts',
        text: `select r.*, s.evidence -> 'gps' as gps from position_receipts r
          join submissions s on s.id = r.submission_id where r.executor_id = $1 and r.submission_id < $2
          order by r.received_at desc limit $3`,
        values: [executorId, submissionId, limit],
      })
      return rows.map((row) => ({
        submissionId: row.submission_id,
        taskId: row.task_id,
        lat: row.lat,
        lng: row.lng,
        accuracyM: row.accuracy_m,
        capturedAt: fixOf(row.gps)?.at ?? null,
        receivedAt: row.received_at,
      }))
    },
  }
}

/** Files and pictures that were handed in before. */
function twins(pool: Pool): Pick<VerificationStore, 'exactTwins' | 'nearTwins' | 'rememberImage'> {
  return {
    async exactTwins(sha256, search, limit) {
      const { rows } = await pool.query<TwinRow>({
        name: 'exact-twins',
        text: `select distinct submission_id, task_id, executor_id from evidence_files f
          where f.sha256 = $1 and ${others('f', 2)} limit $5`,
        values: [sha256, search.submissionId, search.taskId, search.executorId, limit],
      })
      return rows.map(toTwin)
    },
    async nearTwins({ phash, variants }, search, within, limit) {
      const found = new Map<string, NearTwin>()
      // A picture against every stored picture and variant, and its own variants against every picture.
      for (const [index, hash] of [phash, ...variants].entries()) {
        for (const twin of await near(pool, { hash, originalsOnly: index > 0 }, search, within, limit)) {
          const known = found.get(twin.submissionId)
          if (known === undefined || twin.distance < known.distance) found.set(twin.submissionId, twin)
        }
      }
      return [...found.values()].sort((a, b) => a.distance - b.distance).slice(0, limit)
    },
    async rememberImage({ phash, variants, evidenceType }, of) {
      const hashes = [phash, ...variants].map(signed)
      await pool.query({
        name: 'image-remember',
        text: `insert into image_hashes (submission_id, evidence_type, variant, task_id, executor_id, phash)
          select $1, $2, n - 1, $3, $4, hash from unnest($5::bigint[]) with ordinality as h (hash, n)
          on conflict do nothing`,
        values: [of.submissionId, evidenceType, of.taskId, of.executorId, hashes.map(String)],
      })
    },
  }
}

/** Earlier than this submission, and not the same worker handing in again for the same task. */
const others = (alias: string, first: number): string =>
  `${alias}.submission_id < $${String(first)}
      and not (${alias}.task_id = $${String(first + 1)} and ${alias}.executor_id = $${String(first + 2)})`

const quarters = [0, 1, 2, 3] as const

type Variants = '' | ' and variant = 0'

/** Those that share one quarter of the hash: the pigeonhole lets an index find every near twin. */
const quarterText = (quarter: number, among: Variants): string =>
  `select * from image_hashes where q${String(quarter)} = any($${String(quarter + 2)}::int[])${among}`

/** Two texts, so that the search among pictures alone is answered by the indexes of pictures alone. */
const nearText = (
  among: Variants,
): string => `select submission_id, task_id, executor_id, min(bits)::int as distance from (
    select distinct h.submission_id, h.task_id, h.executor_id, bit_count((h.phash # $1::bigint)::bit(64)) as bits from (
      ${quarters.map((quarter) => quarterText(quarter, among)).join(' union all ')}
    ) h where ${others('h', 6)}
  ) near where bits <= $9 group by submission_id, task_id, executor_id order by distance, submission_id limit $10`
const nearAny = { name: 'near-twins', text: nearText('') }
const nearPictures = { name: 'near-twins-pictures', text: nearText(' and variant = 0') }

async function near(
  pool: Pool,
  { hash, originalsOnly }: { readonly hash: string; readonly originalsOnly: boolean },
  search: TwinSearch,
  within: number,
  limit: number,
): Promise<readonly NearTwin[]> {
  const bits = BigInt(`0x${hash}`)
  const probes = quarters.map((quarter) => neighbours(Number((bits >> BigInt(48 - 16 * quarter)) & 0xffffn)))
  const { rows } = await pool.query<TwinRow & { distance: number }>({
    ...(originalsOnly ? nearPictures : nearAny),
    values: [String(signed(hash)), ...probes, search.submissionId, search.taskId, search.executorId, within, limit],
  })
  return rows.map((row) => ({ ...toTwin(row), distance: row.distance }))
}

const quarterBits = 16

/** Every number of sixteen bits of which at most three are set: 697 of them. */
const flips: readonly number[] = Array.from({ length: 2 ** quarterBits }, (_, mask) => mask).filter(
  (mask) => bitsOf(mask) <= 3,
)

function bitsOf(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/**
 * A quarter of a hash and everything within three bits of it. Of fifteen bits that differ, one quarter holds at most
 * three.
 */
function neighbours(quarter: number): readonly number[] {
  return flips.map((mask) => quarter ^ mask)
}

/** Sixteen hex digits as the signed number PostgreSQL stores. */
function signed(hash: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hash}`))
}

/** The writing half, within a transaction. */
export function createVerificationTx(client: TransactionLine): VerificationTx {
  return {
    async putPlace(taskId, place, at) {
      if (place === null) {
        await client.tell('delete from task_places where task_id = $1', [taskId])
      } else {
        const { lat, lng, radiusM } = place.exact
        await client.tell(
          `insert into task_places (task_id, lat, lng, radius_m, set_at) values ($1, $2, $3, $4, $5)
            on conflict (task_id) do update set lat = excluded.lat, lng = excluded.lng, radius_m = excluded.radius_m,
              set_at = excluded.set_at`,
          [taskId, lat, lng, radiusM, at],
        )
      }
      const area = place?.area ?? null
      await client.tell(
        'update tasks set area_lat = $2, area_lng = $3, area_radius_m = $4, updated_at = $5 where id = $1',
        [taskId, area?.lat ?? null, area?.lng ?? null, area?.radiusM ?? null, at],
      )
    },
    async addVerification(submission, { device, files, fix }) {
      const { id, taskId, executorId, submittedAt } = submission
      await client.tell('update submissions set verification_due_at = $2, device = $3 where id = $1', [
        id,
        submittedAt,
        JSON.stringify({ clock: device.clock?.toISOString() ?? null, utc_offset_min: device.utcOffsetMin }),
      ])
      if (files.length > 0) {
        await client.tell(
          `insert into evidence_files (submission_id, evidence_type, task_id, executor_id, sha256)
            select $1, type, $2, $3, sha256 from unnest($4::text[], $5::text[]) as f (type, sha256)`,
          [id, taskId, executorId, files.map(({ type }) => type), files.map(({ file }) => file.sha256)],
        )
      }
      if (fix !== null)
        await client.tell(
          `insert into position_receipts (submission_id, task_id, executor_id, lat, lng, accuracy_m, received_at)
            values ($1, $2, $3, $4, $5, $6, $7)`,
          [id, taskId, executorId, fix.lat, fix.lng, fix.accuracyM, submittedAt],
        )
    },
    async endVerification(submissionId, { checks, score, coverage, at }) {
      const { rowCount } = await client.query(
        `update submissions
          set checks = $2, pre_check_score = $3, coverage = $4, verified_at = $5, verification_due_at = null
          where id = $1 and verified_at is null`,
        [submissionId, JSON.stringify(checks), score, coverage, at],
      )
      return rowCount === 1
    },
  }
}

function toPlace(row: { readonly lat: number; readonly lng: number; readonly radius_m: number }): TaskPlace {
  return { lat: row.lat, lng: row.lng, radiusM: row.radius_m }
}

function toTwin(row: TwinRow): Twin {
  return { submissionId: row.submission_id, taskId: row.task_id, executorId: row.executor_id }
}

function toDevice(row: DeviceRow): DueVerification['device'] {
  return {
    clock: typeof row?.clock === 'string' ? new Date(row.clock) : null,
    utcOffsetMin: row?.utc_offset_min ?? null,
  }
}
