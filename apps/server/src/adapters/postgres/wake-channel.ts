import pg from 'pg'

/** Tells every process on this database that something was committed. Losing a word costs a delay, never an event. */
export type WakeChannel = AsyncDisposable & { tell(): void }

export type WakeChannelDeps = {
  readonly databaseUrl: string
  readonly onWoken: () => void
  readonly onError: (error: unknown) => void
}

const channel = 'ergon_events'
/** Words of one moment go out as one: each costs the database a lock that all commits share. */
const gatherMs = 5
const reconnectMs = 1_000

/** One connection that listens and tells; it comes back by itself. */
export function openWakeChannel({ databaseUrl, onWoken, onError }: WakeChannelDeps): WakeChannel {
  let client: pg.Client | undefined
  let opening: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  let said: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const lost = (error: unknown): void => {
    client = undefined
    if (isClosed) return
    onError(error)
    clearTimeout(retry)
    retry = setTimeout(connect, reconnectMs)
  }
  const connect = (): void => {
    const fresh = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true })
    fresh.on('notification', onWoken)
    fresh.once('error', (error) => { if (client === fresh) lost(error) })
    opening = fresh.connect().then(() => fresh.query(`listen ${channel}`)).then(
      async () => {
        if (isClosed) return fresh.end()
        client = fresh
        onWoken() // Whatever was said while nobody listened.
      },
      async (error: unknown) => {
        await fresh.end().catch(() => undefined)
        lost(error)
      },
    )
  }
  connect()
  return {
    tell() {
      gathering ??= setTimeout(() => {
        gathering = undefined
        // A connection carries one query at a time.
        said = said.then(() => client?.query({ name: 'wake', text: `select pg_notify('${channel}', '')` })).catch(onError)
      }, gatherMs)
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(retry)
      clearTimeout(gathering)
      await opening
      await client?.end().catch(() => undefined)
    },
  }
}
