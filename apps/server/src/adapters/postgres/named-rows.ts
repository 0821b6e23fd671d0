import type { Pool, QueryResultRow } from 'pg'

/** The rows that a prepared statement answers; its name is what the database knows it by. */
export type NamedRows = <R extends QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<R[]>

export const namedRows =
  (pool: Pool): NamedRows =>
  async <R extends QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await pool.query<R>({ name, text, values })).rows
