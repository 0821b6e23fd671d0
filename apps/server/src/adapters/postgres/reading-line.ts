import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import { freshly } from './pool.ts'
import { asUnwritten, isLostLine, isStalePlan } from './trouble.ts'

/** Where rows are read by their keys. */
export type ReadingLine = { query<R extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<R>> }

type Line = { readonly client: Promise<PoolClient>; waiting: number; hasCome: boolean; isOfNoUse: boolean }

/** So many may wait for one line; who comes then takes a line of their own. */
const mostWaiting = 16

/**
 * Reads by key over one line of the pool, each sent right behind the other without waiting: a database that is at work
 * already needs no waking (decision 0265). The line goes back to the pool when nobody reads. Only for what takes the
 * database no time: each answer waits for those before it.
 */
export function createReadingLine(pool: Pool): ReadingLine {
  let shared: Line | undefined
  const take = (): Line => {
    shared ??= { client: pool.connect(), waiting: 0, hasCome: false, isOfNoUse: false }
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
      const client = await line.client
      line.hasCome = true
      return await client.query<R>(config)
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
  /** Readers who follow one another would keep the line from those who wait for one. */
  const hasRoom = (): boolean => {
    const own = shared === undefined || shared.hasCome ? 0 : 1
    return pool.waitingCount <= own && (shared === undefined || shared.waiting < mostWaiting)
  }
  return {
    async query<R extends QueryResultRow>(config: QueryConfig) {
      if (!hasRoom()) return pool.query<R>(config)
      try {
        return await freshly(pool, () => read<R>(config))
      } catch (error) {
        throw asUnwritten(error)
      }
    },
  }
}
