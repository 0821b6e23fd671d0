import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { forgetRows } from './forget-rows.ts'
import { createTogether } from '../../surroundings/together.ts'
import type { EpochWatch } from './event-epoch.ts'

export type NonceStore = {
  /**
   * Of any number of calls with one key exactly one answers true. Throws when the store cannot be asked, or cannot
   * tell: the database has gone back since the signature was made, `createdAt`, and may have forgotten it. In unix
   * seconds.
   */
  consume(key: string, expiresAt: number, createdAt?: number): Promise<boolean>
  /**
   * Forgets so many nonces whose signatures expired a while ago by the clock of the database, which all servers share;
   * answers how many.
   */
  purge(limit: number): Promise<number>
}

type Arrived = { readonly key: Buffer; readonly expiresAt: number }

const maxBatch = 500
/**
 * A server whose clock is behind still accepts a signature that has expired by the database's clock: its nonce is known
 * for this long.
 */
const keptPastExpirySec = 15 * 60
const expired = {
  table: 'nonces',
  where: 'expires_at < extract(epoch from now()) - $2',
  order: 'expires_at',
}

/**
 * Nonces in PostgreSQL, consumed in batches: all that arrive while others are being written share one statement and one
 * commit. The commit is synchronous, so a crash of the database forgets none; a standby or a backup may have.
 */
export function createNonceStore(pool: Pool, epoch: Pick<EpochWatch, 'wentBackAt'>): NonceStore {
  const consume = createTogether((arrived: readonly Arrived[]) => insert(pool, arrived), { most: maxBatch })
  return {
    async consume(key, expiresAt, createdAt = Infinity) {
      const isNew = await consume({ key: digestOf(key), expiresAt })
      // Looked at behind the insert: its connection has asked by then where its database is. A new signature helps.
      if (createdAt <= (epoch.wentBackAt() ?? -Infinity))
        throw new Error('the database has gone back since this was signed: nobody knows whether it was used')
      return isNew
    },
    purge: (limit) => forgetRows(pool, expired, limit, [keptPastExpirySec]),
  }
}

/** Sixteen bytes tell nonces apart as well as their text, and make a small index. */
function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer').subarray(0, 16)
}

/** For each, whether it came first. */
async function insert(pool: Pool, arrived: readonly Arrived[]): Promise<readonly boolean[]> {
  const batch = arrived.toSorted((a, b) => a.key.compare(b.key))
  const { rows } = await pool.query<{ key: Buffer }>({
    // Sorted, so that two processes with the same keys wait for one another in one order.
    name: 'nonces-consume',
    text: `insert into nonces (key, expires_at) select * from unnest($1::bytea[], $2::double precision[])
      on conflict do nothing returning key`,
    values: [batch.map((one) => one.key), batch.map((one) => one.expiresAt)],
  })
  const fresh = new Set(rows.map(({ key }) => key.toString('hex')))
  // Twins within a batch: the statement keeps one of them, and the first takes it.
  return arrived.map(({ key }) => fresh.delete(key.toString('hex')))
}
