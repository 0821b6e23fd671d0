import type { QueryResultRow } from 'pg'
import type { ReadingLine } from './reading-line.ts'

/** The rows that a prepared statement answers; its name is what the database knows it by. */
export type NamedRows = <R extends QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<R[]>

/** How many rows there are. */
export type Counted = (name: string, from: string, values: unknown[]) => Promise<number>

export const countedBy =
  (all: NamedRows): Counted =>
  async (name, from, values) =>
    Number((await all<{ count: bigint }>(name, `select count(*) from ${from}`, values))[0]?.count ?? 0n)

export const namedRows =
  (line: ReadingLine): NamedRows =>
  async <R extends QueryResultRow>(name: string, text: string, values: unknown[]) =>
    (await line.query<R>({ name, text, values })).rows
