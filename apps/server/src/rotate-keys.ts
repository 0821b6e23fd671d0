import { createOAuthStore, createPool } from './adapters/postgres/index.ts'
import { ConfigError } from './config/config-error.ts'
import type { Config } from './config/config.ts'

/** The next key is shown for so long before it signs: longer than anybody keeps the key set. */
const shownBeforeMs = 600_000
/** The last key is shown until its tokens are over, and a while more for clocks that differ. */
const shownAfterMs = 7_200_000

/**
 * Begins the next signing key of delegated access; answers from when on it signs. Servers that run take it up.
 *
 * @throws ConfigError where there is no delegated access
 */
export async function rotateKeys(
  { databaseUrl, oauth }: Pick<Config, 'databaseUrl' | 'oauth'>,
  now: Date,
): Promise<Date> {
  if (!oauth) throw new ConfigError('SVC_OAUTH is off: no token is signed, so there is no key to rotate')
  const pool = createPool(databaseUrl, { size: 1 })
  try {
    const signsFrom = new Date(now.getTime() + shownBeforeMs)
    await createOAuthStore(pool).rotateKeys(signsFrom, new Date(signsFrom.getTime() + shownAfterMs))
    return signsFrom
  } finally {
    await pool.end()
  }
}
