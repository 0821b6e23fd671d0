import { settleSession, type DatabaseLine } from '@ergon/process'
import { Pool, type PoolClient } from 'pg'
import { unavailable } from '../errors.ts'
import type { Log } from '../log.ts'

export type Row = Readonly<Record<string, unknown>>
/** One statement, prepared under its own text. */
export type Query = <R extends object = Row>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>

/** The gateway's database. A failure of it is told as `gateway_unavailable`: whatever was asked may be asked again. */
export type Database = {
  readonly query: Query
  /** Runs in one transaction; nothing in it waits on the network. What it throws rolls back. */
  transaction<T>(run: (query: Query) => Promise<T>): Promise<T>
  end(): Promise<void>
  readonly pool: Pool
}

export const poolSize = 12

export function openDatabase(connectionString: string, log: Log): Database {
  const pool = new Pool({
    connectionString,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    // The types of the driver do not know that it is waited for.
    ...({ onConnect: (client: DatabaseLine) => settleSession(client) } as object),
  })
  pool.on('error', (error) => {
    log.warn({ err: error }, 'a database connection ended')
  })
  // While a connection is lent out the pool does not listen, and an error that nobody hears ends the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const ask = async <R extends object>(
    on: Pick<PoolClient, 'query'>,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly R[]> => {
    try {
      return (await on.query<R>(text, [...values])).rows
    } catch (cause) {
      throw unavailable('the store does not answer', cause)
    }
  }
  return {
    pool,
    query: (text, values = []) => ask(pool, text, values),
    transaction: (run) => inTransaction(pool, ask, run),
    end: () => pool.end(),
  }
}

async function inTransaction<T>(
  pool: Pool,
  ask: <R extends object>(on: PoolClient, text: string, values: readonly unknown[]) => Promise<readonly R[]>,
  run: (query: Query) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unavailable('the store does not answer', cause)
  })
  let broken: Error | undefined
  try {
    await ask(client, 'begin', [])
    const answer = await run((text, values = []) => ask(client, text, values))
    await ask(client, 'commit', [])
    return answer
  } catch (error) {
    await client.query('rollback').catch((failure: unknown) => {
      broken = failure instanceof Error ? failure : new Error('the connection is lost')
    })
    throw error
  } finally {
    client.release(broken)
  }
}
