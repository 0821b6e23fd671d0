import { Pool, types } from 'pg'

const int8 = 20

// The driver's own type of a parser answers any.
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary'): never => (oid === int8 ? BigInt : types.getTypeParser(oid, format)) as never

/** A pool whose bigint columns are bigints; the setting is this pool's own, not the driver's. */
export function createPool(url: string, options: { readonly size?: number; readonly onError?: (error: Error) => void } = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.size ?? 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    types: { getTypeParser },
  })
  // Of a connection that ends while it is lent out the driver tells the client alone, and an error nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  pool.on('error', (error) => options.onError?.(error))
  return pool
}
