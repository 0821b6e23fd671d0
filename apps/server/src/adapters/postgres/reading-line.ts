import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { freshly } from './pool.ts'
import { asUnwritten, isLostLine, isStalePlan } from './trouble.ts'

/** Where rows are read by their keys. */
export type ReadingLine = { query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> }

type Line = { readonly client: Promise<PoolClient>; waiting: number; isOfNoUse: boolean }

/** So many may wait for one line; who comes then takes a line of their own. */
const mostWaiting = 16

/**
 * Reads by key over one line of the pool, each sent right behind the other without waiting: a database that is at work
 * already needs no waking (decision 0265). The line goes back to the pool when nobody reads. Only for what takes the
 * database no time: each answer waits for those before it.
 */
export function createReadingLine(pool: Pool): ReadingLine {
  // Readers who follow one another never give the line back: it may not be the only one.
  if (pool.options.max < 2) return pool
  let shared: Line | undefined
  const take = (): Line => {
    shared ??= { client: pool.connect(), waiting: 0, isOfNoUse: false }
    shared.waiting += 1
    return shared
  }
  const leave = (line: Line): void => {
    line.waiting -= 1
    if (line.waiting > 0) return
    if (shared === line) shared = undefined
    // Whoever could not have it has said so.
    line.client.then(
      (client) => {
        client.release(line.isOfNoUse)
      },
      () => undefined,
    )
  }
  const read = async <R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> => {
    const line = take()
    try {
      return await (await line.client).query<R>(config)
    } catch (error) {
      if (isLostLine(error) || isStalePlan(error)) {
        line.isOfNoUse = true
        if (shared === line) shared = undefined
      }
      throw error
    } finally {
      leave(line)
    }
  }
  return {
    async query<R extends QueryResultRow>(config: QueryConfig) {
      if (shared !== undefined && shared.waiting >= mostWaiting) return pool.query<R>(config)
      try {
        return await freshly(pool, () => read<R>(config))
      } catch (error) {
        throw asUnwritten(error)
      }
    },
  }
}
