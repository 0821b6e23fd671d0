import { readFileSync } from 'node:fs'
import { Client } from 'pg'

/** Fills a migrated database with what so many jobs leave behind, some fifty rows each; the planner knows of them. */
export function growHistory(databaseUrl: string, jobs: number): Promise<void> {
  return run(databaseUrl, 'history.sql', (sql) => sql.replaceAll('$JOBS', String(jobs)))
}

/** Adds what so many strangers leave behind who registered and connected tools, some twenty rows each. */
export function growCrowd(databaseUrl: string, many: number): Promise<void> {
  return run(databaseUrl, 'crowd.sql', (sql) => sql.replaceAll('$MANY', String(many)))
}

async function run(databaseUrl: string, file: string, filled: (sql: string) => string): Promise<void> {
  const sql = readFileSync(new URL(file, import.meta.url), 'utf8')
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(filled(sql))
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
