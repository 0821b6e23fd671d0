import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startConstellation, startNodeService, type ConstellationRecord } from '@ergon/dev-env'
import pg from 'pg'
import { createScratch } from '../scratch.ts'

export type Side = { readonly pid: number; readonly url: string }
/** The market and, over the same database, the bare routes; each side a process of its own on the same Node. */
export type BenchMarket = AsyncDisposable & {
  readonly market: Side
  readonly bare: Side
  readonly record: ConstellationRecord
  readonly database: pg.Client
}

/** Limits would cut the load off; everything else is as delivered. */
const unlimited = {
  SVC_RATE_ANON_PER_MIN: '0',
  SVC_RATE_WALLET_PER_MIN: '0',
  SVC_PUBLISH_PER_HOUR: '0',
  SVC_REGISTER_PER_ADDRESS: '0',
  SVC_REGISTER_PER_DAY: '0',
}
const bareMain = fileURLToPath(new URL('../bare/main.ts', import.meta.url))

/** What a part needs other than the rest. */
export type BenchMarketOptions = {
  readonly serverPort?: number
  readonly server?: Readonly<Record<string, string>>
  readonly bareMain?: string
  /** With a local Solana ledger, so that tasks are metered. */
  readonly solana?: boolean
}

export async function startBenchMarket(options: BenchMarketOptions = {}): Promise<BenchMarket> {
  const env = { server: { ...unlimited, ...options.server } }
  await using parts = new AsyncDisposableStack()
  // A folder that is named makes a database that flushes to disk, as one in earnest does; a nameless one would not.
  const dataDir = parts.use(createScratch()).path
  const constellation = parts.use(
    await startConstellation({
      dataDir,
      ports: { server: options.serverPort ?? 0, facilitator: 0, chain: 0, postgres: 0, solana: 0 },
      ...(options.solana === true ? { solana: true } : {}),
      env,
    }),
  )
  const record = constellation.record()
  const database = parts.adopt(new pg.Client({ connectionString: record.databases.server }), (client) => client.end())
  await database.connect()
  const port = await freePort()
  const bareUrl = `http://127.0.0.1:${port}`
  const bare = parts.use(
    await startNodeService({
      name: 'bare',
      main: options.bareMain ?? bareMain,
      logFile: join(dataDir, 'bare.log'),
      healthUrl: `${bareUrl}/health`,
      env: { DATABASE_URL: record.databases.server, BARE_PORT: String(port) },
    }),
  )
  const owned = parts.move()
  return {
    market: { pid: constellation.service('server').pid, url: record.serverUrl ?? '' },
    bare: { pid: bare.pid, url: bareUrl },
    record,
    database,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
