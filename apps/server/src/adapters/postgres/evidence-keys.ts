import { evidenceKindOf } from '@ergon/contract/facts'
import type { Pool, QueryConfig } from 'pg'

/** Of so many submissions, the newest, at the most; a task may ask for several files. */
const newest = 10

/** Keys of files that were handed in last. */
export async function newestFiles(pool: Pool): Promise<readonly string[]> {
  const question: QueryConfig & { readonly query_timeout: number } = {
    query_timeout: 2_000,
    name: 'evidence-newest',
    text: 'select evidence from submissions order by id desc limit $1',
    values: [newest],
  }
  const { rows } = await pool.query<{ evidence: Readonly<Record<string, { readonly key?: unknown } | null>> }>(question)
  return rows
    .flatMap(({ evidence }) => Object.entries(evidence))
    .filter(([type]) => evidenceKindOf(type)?.kind === 'file')
    .flatMap(([, file]) => (typeof file?.key === 'string' ? [file.key] : []))
}

/** Keys of what was kept of uploads that were handed in, upload by upload behind the one of `after`. */
export async function keptFiles(
  pool: Pool,
  after: string,
  limit: number,
): Promise<readonly { readonly upload: string; readonly keys: readonly string[] }[]> {
  const { rows } = await pool.query<{ upload: string; keys: string[] }>({
    name: 'evidence-kept',
    text: `select key as upload, kept as keys from uploads
      where key > $1 and kept <> '{}' and not is_purging order by key limit $2`,
    values: [after, limit],
  })
  return rows
}
