import { createPool, migrate } from '../adapters/postgres/index.ts'

/**
 * For `createTestDatabase`: a database as this server has migrated it. It is migrated once in a run of tests and copied
 * for each that asks: a start waits for a copy, and not for every migration.
 */
export const serverSchema = {
  schema: 'server',
  async migrate(url: string): Promise<void> {
    const pool = createPool(url)
    await migrate(pool)
    await pool.end()
  },
}
