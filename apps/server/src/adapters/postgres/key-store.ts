import { randomUUID } from 'node:crypto'
import { MarketError } from '@ergon/core'
import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'
import { createKeyLeases } from './key-leases.ts'
import { withinKeyedCall, type Created, type KeyedCall } from './keyed-call.ts'
import { toTask, type TaskRow } from './rows.ts'
import { asUnwritten, sayingBusy, troubleOf } from './trouble.ts'
import { unhurried } from './unhurried.ts'

/** Whose key, and of which operation: one key may serve several operations. */
export type KeyScope = { readonly identity: string; readonly key: string; readonly operation: string }

/** What is known about a key: a final answer, or whatever became of the call. */
export type KeyRecord = {
  readonly operation: string
  readonly state: 'in_flight' | 'written' | 'done'
  readonly isHeld: boolean
  readonly status: number | null
  readonly answer: unknown
  readonly createdAt: Date
}

export type Begun =
  | { readonly state: 'done'; readonly status: number; readonly answer: unknown }
  /** `created` is null unless an earlier run under this key wrote and never told. */
  | { readonly state: 'begun'; readonly call: KeyedCall; readonly created: Created | null }

/** How long a call without a sign of life keeps its key, and how long answers are kept. */
export type KeyTimes = { readonly leaseMs: number; readonly keepMs: number }

type Row = {
  operation: string
  body_hash: string
  state: KeyRecord['state']
  is_held: boolean
  created: Created
  status: number | null
  answer: unknown
  created_at: Date
}

const take = `insert into operations (identity, key, operation, body_hash, state, token, lease_until)
  select $1, $2, $3, $4, 'in_flight', $5, clock_timestamp() + $6 * interval '1 millisecond' where ${unhurried}
  on conflict (identity, key, operation) do update set token = excluded.token, lease_until = excluded.lease_until
  where operations.state <> 'done' and operations.lease_until <= clock_timestamp()
    and operations.body_hash = excluded.body_hash
  returning state, created`

const columns =
  'operation, body_hash, state, lease_until > clock_timestamp() as is_held, created, status, answer, created_at'
const one = `select ${columns} from operations where identity = $1 and key = $2 and operation = $3`
const held = 'identity = $1 and key = $2 and operation = $3 and token = $4'

export type KeyStore = ReturnType<typeof createKeyStore>

/** What callers' keys stand for, in PostgreSQL (decision 0050). Times are the database's, which all processes share. */
export function createKeyStore(pool: Pool, times: KeyTimes) {
  return sayingBusy(createKeys(pool, times))
}

function createKeys(pool: Pool, times: KeyTimes) {
  const keepingHeld = createKeyLeases(pool, times.leaseMs)
  return {
    /** @throws IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_FLIGHT, SERVICE_BUSY */
    async begin(scope: KeyScope, bodyHash: string): Promise<Begun> {
      const call: KeyedCall = { ...scope, token: randomUUID(), isMarked: false, isOver: false }
      try {
        return await begin(pool, times, call, bodyHash)
      } catch (error) {
        // The key may be held now for a call that never runs.
        if (troubleOf(error) === 'unknown') persist(() => letGo(pool, call, null))
        throw asUnwritten(error)
      }
    },
    within: <T>(call: KeyedCall, work: () => Promise<T>): Promise<T> =>
      keepingHeld(call, () => withinKeyedCall(call, work)),
    /**
     * The answer is final; a call whose key was taken over changes nothing. A crash of the database may forget an
     * answer that is not a second old, and a resend is then answered as after a crash of the service: by what was
     * written.
     */
    finish: (call: KeyedCall, status: number, answer: unknown): Promise<void> =>
      insist(async () => {
        const text = `update operations set state = 'done', status = $5, answer = $6 where ${held} and ${unhurried}`
        await pool.query({
          name: 'operation-finish',
          text,
          values: [...holderOf(call), status, JSON.stringify(answer)],
        })
      }),
    /** The answer is not to be remembered: a resend runs again, and finds what was written. */
    release: (call: KeyedCall, status: number): Promise<void> => insist(() => letGo(pool, call, status)),
    /** The latest call with a key. Waits for a transaction that is about to write under it. */
    async find(identity: string, key: string, operation: string | null): Promise<KeyRecord | null> {
      const { rows } = await pool.query<Row>({
        name: 'operation-find',
        text: `select ${columns} from operations
          where identity = $1 and key = $2 and ($3::text is null or operation = $3) order by created_at desc limit 1
          for share`,
        values: [identity, key, operation],
      })
      const row = rows[0]
      return row === undefined
        ? null
        : {
            operation: row.operation,
            state: row.state,
            isHeld: row.is_held,
            status: row.status,
            answer: row.answer,
            createdAt: row.created_at,
          }
    },
    /** The task that was published under a key; a publish keeps its key in the task itself. */
    async published(wallet: string, key: string): Promise<ReturnType<typeof toTask> | null> {
      const { rows } = await pool.query<TaskRow>({
        name: 'operation-published',
        text: 'select * from tasks where publisher_wallet = $1 and idempotency_key = $2',
        values: [wallet, key],
      })
      return rows[0] === undefined ? null : toTask(rows[0])
    },
    /** Forgets so many answers that are older than answers are kept; answers how many. */
    purge: (limit: number): Promise<number> => forgetRows(pool, old, limit, [times.keepMs]),
  }
}

const old = {
  table: 'operations',
  where: "created_at < now() - $2 * interval '1 millisecond'",
  order: 'created_at',
}

async function begin(pool: Pool, { leaseMs }: KeyTimes, call: KeyedCall, bodyHash: string): Promise<Begun> {
  const { identity, key, operation, token } = call
  // The row may go between the two statements; whoever comes then begins anew.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const values = [identity, key, operation, bodyHash, token, leaseMs]
    const taken = (await pool.query<Pick<Row, 'state' | 'created'>>({ name: 'operation-begin', text: take, values }))
      .rows[0]
    if (taken !== undefined) return { state: 'begun', call, created: taken.state === 'written' ? taken.created : null }
    const found = (await pool.query<Row>({ name: 'operation', text: one, values: [identity, key, operation] })).rows[0]
    if (found === undefined) continue
    if (found.body_hash !== bodyHash) throw new MarketError('IDEMPOTENCY_KEY_REUSED')
    if (found.state === 'done') return { state: 'done', status: found.status ?? 0, answer: found.answer }
    break
  }
  throw new MarketError('IDEMPOTENCY_IN_FLIGHT')
}

const drop = `delete from operations where ${held} and state = 'in_flight'`
const release = `update operations set lease_until = clock_timestamp(), status = coalesce($5, status)
  where ${held} and state = 'written'`

/** Forgets a key under which nothing was written; another is free for whoever sends the call again. */
async function letGo(pool: Pool, call: KeyedCall, status: number | null): Promise<void> {
  const { rowCount } = await pool.query({ name: 'operation-drop', text: drop, values: holderOf(call) })
  if (rowCount === 0)
    await pool.query({ name: 'operation-release', text: release, values: [...holderOf(call), status] })
}

const holderOf = ({ identity, key, operation, token }: KeyedCall): string[] => [identity, key, operation, token]

/** While a database restarts: what stays undone after that is left to the lease. */
const againMs = [250, 500, 1_000, 2_000, 4_000] as const
/** An answer does not wait longer than this for its key. */
const holdUpMs = 2_000

/** Does it at once or, where the database is slow or away, in the background. @throws what the first attempt does */
async function insist(write: () => Promise<void>): Promise<void> {
  const first = write().catch((error: unknown) => {
    if (troubleOf(error) !== null) persist(write)
    throw error
  })
  first.catch(() => undefined) // heard below, unless it comes too late for that
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, holdUpMs)
  })
  await Promise.race([first, late]).finally(() => {
    clearTimeout(timer)
  })
}

function persist(write: () => Promise<void>, attempt = 0): void {
  const waitMs = againMs[attempt]
  if (waitMs === undefined) return
  const again = (error: unknown): void => {
    if (troubleOf(error) !== null) persist(write, attempt + 1)
  }
  setTimeout(() => {
    write().catch(again)
  }, waitMs).unref()
}
