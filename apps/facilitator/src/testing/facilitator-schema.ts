import { Pool } from 'pg'
import { migrate } from '../store/migrations.ts'

/** For `createTestDatabase`: a database as this facilitator has migrated it, once in a run of tests. */
export const facilitatorSchema = {
  schema: 'facilitator',
  async migrate(url: string): Promise<void> {
    const pool = new Pool({ connectionString: url, max: 1 })
    await migrate(pool)
    await pool.end()
  },
}
