import type { Store } from '@ergon/core'
import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Pool } from 'pg'
import { createPool, createPostgresStore } from '../../src/adapters/postgres/index.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** What a stage keeps its market in. */
export type StageDatabase = {
  readonly store: Store
  readonly pool: Pool
  readonly databaseUrl: string
  drop(): Promise<void>
}

/** A database of one's own on real PostgreSQL. Mutants are tried over one in memory first (decision 0162). */
export async function openStageDatabase(): Promise<StageDatabase> {
  const database = await createTestDatabase(serverSchema)
  const pool = createPool(database.url)
  return {
    store: createPostgresStore(pool, { identityNetwork: 'localnet' }),
    pool,
    databaseUrl: database.url,
    async drop() {
      await pool.end()
      await database.drop()
    },
  }
}
