/** A connection of a pool, as far as it is needed here; those of `pg` are such. */
export type StepsConnection = {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
  release(): void
}

/** How a service that owns a database brings it up to date. */
export type DatabaseSteps = {
  /** Where it is written how far a database has come. */
  readonly table: string
  /** Any constant will do; it only has to be the same for every process that migrates this database. */
  readonly lock: number
  /** So long one statement waits for what others hold. */
  readonly lockMs: number
  /** In their order; what was released never changes. */
  readonly steps: readonly string[]
  /** What is thrown where a newer version was here. */
  readonly tooNew: () => Error
}

/**
 * Takes the steps that a database has not taken yet, all in one transaction; two processes that start together take
 * them once. @throws what `tooNew` answers, and what the database says
 */
export async function takeSteps(
  pool: { connect(): Promise<StepsConnection> },
  { table, lock, lockMs, steps, tooNew }: DatabaseSteps,
): Promise<void> {
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    await connection.query(`set local lock_timeout = ${String(lockMs)}`)
    await connection.query('select pg_advisory_xact_lock($1)', [lock])
    await connection.query(
      `create table if not exists ${table} (
        version integer primary key, applied_at timestamptz not null default now())`,
    )
    const { rows } = await connection.query(`select coalesce(max(version), 0)::int as version from ${table}`)
    // The statement above answers one row of this shape.
    const [{ version } = { version: 0 }] = rows as readonly { readonly version: number }[]
    if (version > steps.length) throw tooNew()
    for (const [index, sql] of steps.entries()) {
      if (index < version) continue
      await connection.query(sql)
      await connection.query(`insert into ${table} (version) values ($1)`, [index + 1])
    }
    await connection.query('commit')
  } catch (error) {
    // Where the connection is lost as well, the first error says why.
    await connection.query('rollback').catch(() => undefined)
    throw error
  } finally {
    connection.release()
  }
}
