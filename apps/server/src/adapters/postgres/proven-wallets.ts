import type { Pool } from 'pg'
import { createBoundedCache } from '../../surroundings/bounded-cache.ts'

/**
 * Whether a wallet has paid work behind it that began a day ago or earlier, on either side: that cost a fee, and time.
 * Such a wallet does not wait behind newcomers (decision 0317).
 */
export type IsProven = (wallet: string) => Promise<boolean>

const [mostKept, provenMs, newMs] = [20_000, 86_400_000, 60_000]

export const createIsProven = (pool: Pool): IsProven => asked(pool, 'wallet-proven', text)

/** The same of a worker, by its id. */
export const createIsProvenWorker = (pool: Pool): IsProven => asked(pool, 'worker-proven', workerText)

function asked(pool: Pool, name: string, sql: string): IsProven {
  const proven = createBoundedCache<true>(mostKept, provenMs)
  const fresh = createBoundedCache<false>(mostKept, newMs)
  const asking = new Map<string, Promise<boolean>>()
  const ask = async (wallet: string): Promise<boolean> => {
    const { rows } = await pool.query<{ is_proven: boolean }>({ name, text: sql, values: [wallet] })
    const isProven = rows[0]?.is_proven === true
    if (isProven) proven.set(wallet, true)
    else fresh.set(wallet, false)
    return isProven
  }
  return async (wallet) => {
    const known = proven.get(wallet) ?? fresh.get(wallet)
    if (known !== undefined) return known
    // Many at once of one wallet hold one connection.
    const answer = asking.get(wallet) ?? ask(wallet).finally(() => asking.delete(wallet))
    asking.set(wallet, answer)
    return answer
  }
}

const paid = "t.status = 'completed' and t.created_at < now() - interval '1 day'"
const text = `select exists (select from tasks t where t.publisher_wallet = $1 and ${paid})
  or exists (select from workers w join tasks t on t.executor_id = w.id where w.wallet = $1 and ${paid}) as is_proven`
const workerText = `select exists (select from tasks t where t.executor_id = $1 and ${paid})
  or exists (select from workers w join tasks t on t.publisher_wallet = w.wallet where w.id = $1 and ${paid})
    as is_proven`
