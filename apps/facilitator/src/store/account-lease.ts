import { awaitDatabase, settleSession } from '@ergon/process'
import { Client } from 'pg'
import { StartupError } from '../errors.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'

export type LeaseOptions = {
  readonly databaseUrl: string
  readonly account: string
  readonly waitMs: number
  /** How long a database is waited for that does not answer yet. */
  readonly databaseWaitMs: number
  readonly surroundings: Surroundings
  /** A successor holds the account: this process has nothing to do any more. */
  readonly onLost: (error: Error) => void
  readonly onTrouble: (message: string, error?: unknown) => void
}

/** The lock of an account; `begin` opens an epoch of its own under it. */
export type AccountLock = AsyncDisposable & {
  /** Fences every earlier process off: what carries an older epoch is not written any more. */
  begin(): Promise<number>
}

// No epoch is opened twice, not even by a database that has forgotten the newest.
const openSql = `
  insert into account_leases (account, epoch) values ($1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  on conflict (account) do update set epoch = greatest(account_leases.epoch + 1, excluded.epoch) returning epoch`

/** The accounts that other keys of this deployment sent from, lower case: each has had its lease. */
export async function readFormerAccounts(
  pool: { query<Row>(text: string, values: unknown[]): Promise<{ readonly rows: readonly Row[] }> },
  account: string,
): Promise<readonly string[]> {
  const text = 'select account from account_leases where account <> $1 order by account limit 100'
  return (await pool.query<{ account: string }>(text, [account])).rows.map((row) => row.account)
}

type Session = { readonly client: Client; readonly ended: Promise<void> }
type Lock = { readonly options: LeaseOptions; client: Client; epoch: number | undefined; closing: boolean }

/**
 * One process per account: two would hand out the same account nonces. The lock lives as long as its connection, so a
 * killed process frees it at once. A connection that ends is no reason to stop: the epoch keeps a successor and this
 * process apart, and the lock is taken again as soon as the database answers.
 */
export async function lockAccount(options: LeaseOptions): Promise<AccountLock> {
  const { account } = options
  const session = await waitForLock(options)
  const { client } = session
  const lock: Lock = { options, client, epoch: undefined, closing: false }
  adopt(lock, session)
  return {
    async begin() {
      const until = options.surroundings.monotonic() + options.waitMs
      for (;;) {
        try {
          lock.epoch = await openEpoch(lock.client, account)
          return lock.epoch
        } catch (error) {
          // The connection is taken again with its lock; an epoch that was opened unheard fences off nobody else.
          if (lock.closing || options.surroundings.monotonic() > until) throw error
          await delay(options.surroundings, 50)
        }
      }
    },
    async [Symbol.asyncDispose]() {
      lock.closing = true
      await lock.client.end().catch(() => undefined)
    },
  }
}

async function openEpoch(client: Client, account: string): Promise<number> {
  const { rows } = await client.query<{ epoch: string }>(openSql, [account])
  return Number(rows[0]?.epoch)
}

/** A connection that ends while its process waits is replaced: a standby outlives a failover of its database. */
async function waitForLock(options: LeaseOptions): Promise<Session> {
  const { databaseUrl, account, surroundings, waitMs } = options
  let session = await waitForDatabase(options)
  const until = surroundings.monotonic() + waitMs
  for (;;) {
    const isHeld = await tryLock(session.client, account).catch(() => null)
    if (isHeld === true) return session
    if (isHeld === null || surroundings.monotonic() > until) await session.client.end().catch(() => undefined)
    if (surroundings.monotonic() > until) {
      throw new StartupError(
        isHeld === null
          ? 'the database of DATABASE_URL stopped answering'
          : `another facilitator runs with the account ${account} on this database; stop it first`,
      )
    }
    await delay(surroundings, 100)
    if (isHeld === null) session = await connect(databaseUrl).catch(() => session)
  }
}

function waitForDatabase({ databaseUrl, databaseWaitMs: limitMs, onTrouble }: LeaseOptions): Promise<Session> {
  const refuse = (text: string, cause: unknown): Error => new StartupError(text, { cause })
  return awaitDatabase(() => connect(databaseUrl), { limitMs, onDoubt: onTrouble, refuse })
}

async function connect(databaseUrl: string): Promise<Session> {
  const client = new Client({
    connectionString: databaseUrl,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
  })
  // For good: a connection may report more than one error on its way down, and one that nobody hears ends the process.
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
  })
  try {
    await client.connect()
    await settleSession(client)
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
  return { client, ended }
}

async function tryLock(client: Client, account: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
    [`facilitator:${account}`],
  )
  return rows[0]?.held === true
}

async function regain(lock: Lock): Promise<void> {
  const { options } = lock
  options.onTrouble('the connection that holds the account lock ended; it is taken again', undefined)
  for (let waitMs = 50; !lock.closing; waitMs = Math.min(waitMs * 2, 1_000)) {
    await delay(options.surroundings, waitMs)
    let client: Client | undefined
    try {
      const session = await connect(options.databaseUrl)
      client = session.client
      const isHeld = await tryLock(client, options.account)
      const { rows } = await client.query<{ epoch: string }>('select epoch from account_leases where account = $1', [
        options.account,
      ])
      if (lock.epoch !== undefined && Number(rows[0]?.epoch) !== lock.epoch) {
        lock.closing = true
        options.onLost(new Error(`another facilitator has taken over the account ${options.account}`))
      } else if (isHeld) {
        adopt(lock, session)
        return
      }
    } catch (error) {
      if (waitMs >= 1_000) options.onTrouble('the account lock waits for the database', error)
    }
    await client?.end().catch(() => undefined)
  }
}

function adopt(lock: Lock, { client, ended }: Session): void {
  lock.client = client
  void ended.then(() => (lock.closing ? undefined : regain(lock)))
  if (lock.closing) client.end().catch(() => undefined)
}
