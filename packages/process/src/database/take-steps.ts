import { setTimeout as pause } from 'node:timers/promises'

type Statement = { readonly text: string; readonly values?: unknown[]; readonly query_timeout: number }

/** A connection of a pool, as far as it is needed here; those of `pg` are such. */
export type StepsConnection = {
  query(statement: Statement): Promise<{ readonly rows: readonly unknown[] }>
  release(isBroken: boolean): void
}

/** How a service that owns a database brings it up to date. */
export type DatabaseSteps = {
  /** Where it is written how far a database has come. */
  readonly table: string
  /** Any constant will do; it only has to be the same for every process that migrates this database. */
  readonly lock: number
  /** In their order; what was released never changes. */
  readonly steps: readonly string[]
  /** What is thrown where a newer version was here. */
  readonly tooNew: () => Error
  /** What is thrown where others never let go of what the steps need. */
  readonly held: (cause: unknown) => Error
}

export type StepsPatience = {
  /** Whoever asks for a table waits behind whoever waits for its lock: so long one statement waits. */
  readonly lockMs?: number
  /** So long it is tried again. */
  readonly limitMs?: number
}

/** Building an index may take longer than any request should, and a start that gave up would give up each time. */
const statementMs = 6 * 3_600_000
const pauseMs = 1_000

/**
 * Takes the steps that a database has not taken yet, all in one transaction; two processes that start together take
 * them once. Waits shortly for locks, lets go and tries again (decision 0313). @throws what `tooNew` and `held` answer,
 * and what the database says
 */
export async function takeSteps(
  pool: { connect(): Promise<StepsConnection> },
  steps: DatabaseSteps,
  { lockMs = 2_000, limitMs = 180_000 }: StepsPatience = {},
): Promise<void> {
  const until = performance.now() + limitMs
  for (;;) {
    try {
      await takeOnce(pool, steps, lockMs)
      return
    } catch (error) {
      if (!isLockedOut(error)) throw error
      if (performance.now() >= until) throw steps.held(error)
      await pause(pauseMs)
    }
  }
}

/** Whether a statement waited too long for a lock, or for a transaction that waited for its own. */
export function isLockedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01')
}

async function takeOnce(
  pool: { connect(): Promise<StepsConnection> },
  { table, lock, steps, tooNew }: DatabaseSteps,
  lockMs: number,
): Promise<void> {
  const connection = await pool.connect()
  const ask = async (text: string, values: unknown[] = []): Promise<readonly unknown[]> =>
    (await connection.query({ text, query_timeout: statementMs, ...(values.length === 0 ? {} : { values }) })).rows
  let isBroken = true
  try {
    await ask('begin')
    await ask(`set local lock_timeout = ${String(lockMs)}`)
    await ask('select pg_advisory_xact_lock($1)', [lock])
    await ask(
      `create table if not exists ${table} (
        version integer primary key, applied_at timestamptz not null default now())`,
    )
    const rows = await ask(`select coalesce(max(version), 0)::int as version from ${table}`)
    // The statement above answers one row of this shape.
    const [{ version } = { version: 0 }] = rows as readonly { readonly version: number }[]
    if (version > steps.length) throw tooNew()
    for (const [index, sql] of steps.entries()) {
      if (index < version) continue
      await ask(sql)
      await ask(`insert into ${table} (version) values ($1)`, [index + 1])
    }
    await ask('commit')
    isBroken = false
  } finally {
    // The transaction ends with its connection.
    connection.release(isBroken)
  }
}
