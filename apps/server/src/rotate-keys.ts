import { createOAuthStore, createPool } from './adapters/postgres/index.ts'
import type { Config } from './config/config.ts'

/** The next key is shown for so long before it signs: longer than anybody keeps the key set. */
const shownBeforeMs = 600_000
/** The last key is shown until its tokens are over, and a while more for clocks that differ. */
const shownAfterMs = 7_200_000

/** Begins the next signing key of delegated access; answers from when on it signs. Servers that run take it up. */
export async function rotateKeys({ databaseUrl }: Pick<Config, 'databaseUrl'>, now: Date): Promise<Date> {
  const pool = createPool(databaseUrl, { size: 1 })
  try {
    const signsFrom = new Date(now.getTime() + shownBeforeMs)
    await createOAuthStore(pool).rotateKeys(signsFrom, new Date(signsFrom.getTime() + shownAfterMs))
    return signsFrom
  } finally {
    await pool.end()
  }
}
