import { Pool, types } from 'pg'
import { createWordsParser, parseUtcInstant } from './text-parsers.ts'

const int8 = 20

const timestamptz = 1184
const textArray = 1009

type Parse = (text: string) => unknown
type GetParser = (oid: number, format?: 'text' | 'binary') => Parse

/** Quicker readers of what a page of tasks is full of; whatever they do not know the driver reads. */
function createParsers(): GetParser {
  const driver: GetParser = types.getTypeParser
  const words = createWordsParser()
  const own = new Map<number, Parse>([
    [int8, BigInt],
    [timestamptz, (text) => parseUtcInstant(text) ?? driver(timestamptz)(text)],
    [textArray, (text) => words(text) ?? driver(textArray)(text)],
  ])
  return (oid, format) => (format === 'binary' ? undefined : own.get(oid)) ?? driver(oid, format)
}

/** A pool whose bigint columns are bigints; the setting is this pool's own, not the driver's. */
export function createPool(url: string, options: { readonly size?: number; readonly onError?: (error: Error) => void } = {}): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.size ?? 10,
    connectionTimeoutMillis: 5_000,
    // Every statement here is written for its index; planning it anew for each call costs more than running it.
    options: '-c plan_cache_mode=force_generic_plan',
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
    types: { getTypeParser: createParsers() },
  })
  // Of a connection that ends while it is lent out the driver tells the client alone, and an error nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)))
  pool.on('error', (error) => options.onError?.(error))
  return pool
}

/** Whether the database answers at all. */
export async function databaseAnswers(pool: Pool): Promise<boolean> {
  return pool.query('select 1').then(() => true, () => false)
}
