import { readFileSync } from 'node:fs'
import { Client } from 'pg'

/** Fills a migrated database with what so many jobs leave behind, some fifty rows each; the planner knows of them. */
export async function growHistory(databaseUrl: string, jobs: number): Promise<void> {
  const sql = readFileSync(new URL('history.sql', import.meta.url), 'utf8')
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql.replaceAll('$JOBS', String(jobs)))
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
