import { DatabaseError, type Pool } from 'pg'
import { Unavailable } from '../errors.ts'

/** One prepared statement. When this throws, the statement may have been carried out. */
export async function ask<T extends object>(
  pool: Pool,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  try {
    return (await freshly(pool, () => pool.query<T>({ name, text, values: [...values] }))).rows
  } catch (cause) {
    throw new Unavailable('store_unavailable', 'the settlement store does not answer', { status: 503, cause })
  }
}

/**
 * Asks again while a connection knows the statement by the columns that it had before a migration: it carried nothing
 * out, and the pool throws it away.
 */
async function freshly<T>(pool: Pool, run: () => Promise<T>): Promise<T> {
  for (let left = pool.options.max; ; left -= 1) {
    try {
      return await run()
    } catch (error) {
      // Of the message the language depends on the cluster.
      const isStale = error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'
      if (left <= 0 || !isStale) throw error
    }
  }
}

/**
 * Whether PostgreSQL itself said that the statement met a taken key and wrote nothing. No other failure proves that: a
 * FATAL error and a broken connection may come after the commit.
 */
export function isTaken(error: unknown): boolean {
  const { cause } = error as { cause?: unknown } // `ask` wraps
  return cause instanceof DatabaseError && cause.severity === 'ERROR' && cause.code === uniqueViolation
}

const uniqueViolation = '23505'
