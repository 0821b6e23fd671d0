import type { Pool } from 'pg'
import { every, type Surroundings } from '../surroundings/surroundings.ts'

/** For how long the database has not answered as the one that this process began with. */
export type DatabaseWatch = Disposable & { silentMs(): number }

const everyMs = 2_000

/** Over a pool whose connections are looked at before they are used (`watchPlace`): one made anew has no account. */
export function watchDatabase(pool: Pool, surroundings: Surroundings): DatabaseWatch {
  let answeredAt = surroundings.monotonic()
  const stop = every(surroundings, everyMs, async () => {
    await pool.query('select 1')
    answeredAt = surroundings.monotonic()
  })
  return { silentMs: () => surroundings.monotonic() - answeredAt, [Symbol.dispose]: stop }
}
