import { Client } from 'pg'
import { StartupError } from '../errors.ts'
import { delay, type Surroundings } from '../surroundings/surroundings.ts'

/**
 * One process per key: two would hand out the same account nonces. The lock lives as long as its connection, so a
 * killed process frees it at once.
 */
export async function leaseAccount(options: {
  readonly databaseUrl: string
  readonly account: string
  readonly waitMs: number
  readonly surroundings: Surroundings
  readonly onLost: (error: Error) => void
}): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: options.databaseUrl, keepAlive: true })
  let closing = false
  const lost = (error: Error): void => { if (!closing) options.onLost(error) }
  client.on('error', lost)
  client.on('end', () => { lost(new Error('the connection that holds the account lock ended')) })
  try {
    await client.connect()
  } catch (cause) {
    closing = true
    throw new StartupError('the database of DATABASE_URL does not answer', { cause })
  }
  const until = options.surroundings.monotonic() + options.waitMs
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [`facilitator:${options.account}`])
    if (rows[0]?.held === true) break
    if (options.surroundings.monotonic() > until) {
      closing = true
      await client.end()
      throw new StartupError(`another facilitator runs with the account ${options.account} on this database; stop it first`)
    }
    await delay(options.surroundings, 100)
  }
  return {
    async [Symbol.asyncDispose]() {
      closing = true
      await client.end()
    },
  }
}
