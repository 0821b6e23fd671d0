import type { Pool, PoolClient } from 'pg'
import { seconds, type Surroundings } from '../surroundings/surroundings.ts'

/** Whether the database may have forgotten what it was told (decision 0283). */
export type DatabasePlace = {
  /** When it was seen last to have gone back, unix seconds; undefined: never. */
  wentBackAt(): number | undefined
}

export type PlaceDeps = {
  readonly account: string
  /** How long what may be forgotten waits, seconds: afterwards it is no news. */
  readonly waitsSec: number
  readonly surroundings: Surroundings
  readonly onTrouble: (message: string, error: unknown) => void
}

// A standby answers with an error: whoever promotes it gets new connections.
const arriveSql = `
  with here as materialized (select database_place() as place)
  update account_leases a set place = here.place,
    went_back_at = case when a.place is null then a.went_back_at else greatest(a.went_back_at, $2) end
  from here where a.account = $1 and a.place is distinct from here.place`
// A statement of its own: what another connection noted while that one waited is read.
const lookSql = 'select went_back_at from account_leases where account = $1'

/**
 * Each connection tells where its database is before anything else is asked over it: a failover ends all that there
 * were. One that cannot tell is not used.
 */
export async function watchPlace(pool: Pool, deps: PlaceDeps): Promise<DatabasePlace> {
  let wentBackAt: number | undefined
  const look = async (client: Pick<PoolClient, 'query'>): Promise<void> => {
    await client.query(arriveSql, [deps.account, seconds(deps.surroundings)])
    const { rows } = await client.query<{ went_back_at: string | null }>(lookSql, [deps.account])
    const [row] = rows
    if (row === undefined) throw new Error('the database has forgotten this account')
    if (row.went_back_at === null || Number(row.went_back_at) === wentBackAt) return
    wentBackAt = Number(row.went_back_at)
    // A process that starts long afterwards has nothing to tell.
    if (wentBackAt + deps.waitsSec >= seconds(deps.surroundings))
      deps.onTrouble(
        'the database went back: orders in parts that it may have forgotten wait until they run out',
        undefined,
      )
  }
  pool.options.verify = (client, done) => {
    look(client).then(() => {
      done()
    }, done)
  }
  const first = await pool.connect()
  try {
    await look(first)
  } finally {
    first.release()
  }
  return { wentBackAt: () => wentBackAt }
}
