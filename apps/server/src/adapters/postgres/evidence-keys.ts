import { evidenceKindOf } from '@ergon/contract/facts'
import type { Pool, QueryConfig } from 'pg'

/** A submission, and the keys of the files that it holds: none once they were taken down. */
export type HandedIn = { readonly submission: string; readonly keys: readonly string[] }

/** What was handed in, by submission. */
export type HandedInFiles = {
  newest(limit: number): Promise<readonly HandedIn[]>
  /** From the oldest to the newest, behind this one; null begins with the oldest. */
  behind(submission: string | null, limit: number): Promise<readonly HandedIn[]>
  of(submissions: readonly string[]): Promise<readonly HandedIn[]>
}

type Row = { readonly id: string; readonly evidence: Readonly<Record<string, { readonly key?: unknown } | null>> }

export function createHandedInFiles(pool: Pool): HandedInFiles {
  const read = async (name: string, which: string, values: readonly unknown[]): Promise<readonly HandedIn[]> => {
    const question: QueryConfig & { readonly query_timeout: number } = {
      query_timeout: 2_000,
      name,
      text: `select id, evidence from submissions ${which}`,
      values: [...values],
    }
    const { rows } = await pool.query<Row>(question)
    return rows.map(({ id, evidence }) => ({
      submission: id,
      keys: Object.entries(evidence)
        .filter(([type]) => evidenceKindOf(type)?.kind === 'file')
        .flatMap(([, file]) => (typeof file?.key === 'string' ? [file.key] : [])),
    }))
  }
  return {
    newest: (limit) => read('evidence-newest', 'order by id desc limit $1', [limit]),
    behind: (submission, limit) =>
      read('evidence-behind', 'where $1::uuid is null or id > $1 order by id limit $2', [submission, limit]),
    of: (submissions) => read('evidence-of', 'where id = any($1::uuid[])', [submissions]),
  }
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
