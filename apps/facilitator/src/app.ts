import {
  cannotListen,
  openLog,
  requireDatabase,
  settleSession,
  watchAnswers,
  watchEventLoop,
  watchRefusals,
  type DatabaseLine,
} from '@ergon/process'
import { addressOf, loadFastKeccak, secp256k1Backend, type Network } from '@ergon/protocols'
import { Pool } from 'pg'
import { createRpcClient, type RpcNodes } from './chain/rpc-client.ts'
import type { Config } from './config/config.ts'
import { realNetworkOf, refuseInProduction } from './config/production.ts'
import type { Secrets } from './config/secrets.ts'
import { StartupError } from './errors.ts'
import { createGasBook } from './gas/gas-book.ts'
import { createBlockCheck } from './http/context.ts'
import { createHttpServer } from './http/server.ts'
import { createService, type ServiceDeps } from './service.ts'
import { connectSolana, type SolanaDeps, type SolanaNetwork } from './solana/network.ts'
import { openMetrics } from './open-metrics.ts'
import { maxAheadSec } from './settle/lifecycle.ts'
import { lockAccount, readFormerAccounts } from './store/account-lease.ts'
import { watchPlace } from './store/database-place.ts'
import { migrate } from './store/migrations.ts'
import { createIntentStore } from './store/postgres-intents.ts'
import { createRegistrationStore } from './store/postgres-registrations.ts'
import { createSolanaIntents } from './store/postgres-solana.ts'
import { createStandingBook } from './store/postgres-standing.ts'
import { forgetInSteps } from './surroundings/forget-in-steps.ts'
import { platform } from './surroundings/platform.ts'

/** A running settlement facilitator. */
export type Facilitator = AsyncDisposable & {
  /** Accepts requests; resolves with the base URL. */
  listen(): Promise<string>
  /** Resolves with the reason when it can no longer settle and must stop. */
  readonly failed: Promise<Error>
}

/** Connects everything and reconciles what an earlier process left. Throws `StartupError` naming what is missing. */
export async function createFacilitator(config: Config, secrets: Secrets): Promise<Facilitator> {
  refuseInProduction(config, secrets)
  const surroundings = platform
  await using resources = new AsyncDisposableStack()
  const log = resources.use(openLog('facilitator', { level: config.logLevel }))
  await loadFastKeccak()
  if (secp256k1Backend() === 'javascript')
    log.warn('the native secp256k1 is missing; signatures are checked about 35 times slower')
  for (const sentence of secrets.warnings ?? []) log.warn(sentence)
  const account = addressOf(secrets.privateKey).toLowerCase()
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  const { databaseUrl, leaseWaitMs: waitMs, databaseWaitMs, rpcTimeoutMs: timeoutMs } = config
  const onTrouble = (message: string, error: unknown): void => {
    log.warn({ err: error }, message)
  }
  await judgeDatabase(config, onTrouble)
  const lock = resources.use(
    await lockAccount({ databaseUrl, account, waitMs, databaseWaitMs, surroundings, onLost: fail, onTrouble }),
  )
  const loop = resources.use(watchEventLoop())
  const pool = createPool(databaseUrl, onTrouble)
  resources.defer(() => pool.end())
  await migrate(pool)
  const lease = { epoch: await lock.begin(), lost: fail }
  const place = await watchPlace(pool, { account, waitsSec: maxAheadSec, surroundings, onTrouble })
  const database = watchDatabase(pool, resources)
  const networks = config.networks.map(({ row, rpcUrls: urls }) => ({
    row,
    rpc: resources.use(createRpcClient({ urls, chainId: row.chainId ?? 0, timeoutMs, surroundings, onTrouble })),
  }))
  await Promise.all(networks.map(({ row, rpc }) => refuseOtherChains(row, rpc)))
  const gasBook = createGasBook(pool)
  resources.defer(forgetInSteps(surroundings, (limit) => gasBook.purge(limit)))
  const service = resources.use(
    await createService({
      config,
      secrets,
      surroundings,
      loop,
      networks,
      intents: createIntentStore(pool),
      registrations: createRegistrationStore(pool),
      standing: createStandingBook(pool),
      formerAccounts: await readFormerAccounts(pool, account),
      ...{ lease, place, database },
      log,
      ...(await solanaOf({ config, secrets, pool, account, book: gasBook, lease, onTrouble }, resources)),
      ...(config.gas === undefined ? {} : { gas: { limits: config.gas, book: gasBook } }),
      ...(config.paymentGas === undefined ? {} : { paymentGas: { limits: config.paymentGas, book: gasBook } }),
    }),
  )
  const server = createHttpServer(service.handle, log)
  resources.defer(() => server.close())
  const owned = resources.move()
  return {
    listen: async () => {
      const { host, port, metrics: at } = config
      const names = networks.map(({ row }) => row.name)
      const told = { token: secrets.metricsToken, pool, networks: names, telling: service.telling, loop, log }
      if (at !== null) owned.use(await openMetrics({ at, ...told }))
      try {
        return await server.listen({ host, port })
      } catch (cause) {
        throw new StartupError(cannotListen({ host, port }, cause), { cause })
      }
    },
    failed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** The Solana cluster, where the settings name one. */
async function solanaOf(
  deps: {
    readonly config: Config
    readonly secrets: Secrets
    readonly pool: Pool
    readonly account: string
  } & Pick<SolanaDeps, 'book' | 'lease' | 'onTrouble'>,
  resources: AsyncDisposableStack,
): Promise<{ readonly solana?: SolanaNetwork }> {
  const { config, secrets, pool, account, ...shared } = deps
  if (config.solana === undefined) return {}
  if (secrets.solanaSeed === undefined)
    throw new StartupError('set FACILITATOR_SOLANA_KEY or FACILITATOR_SOLANA_KEY_FILE: it pays the fees on Solana')
  const solana = await connectSolana({
    ...shared,
    config: config.solana,
    seed: secrets.solanaSeed,
    timeoutMs: config.rpcTimeoutMs,
    store: createSolanaIntents(pool, account),
    check: createBlockCheck(config.blacklist),
    surroundings: platform,
  })
  return { solana: resources.use(solana) }
}

/** A node of another chain is a mistake of who set it up; one that is silent is left out until it answers. */
async function refuseOtherChains(row: Network, rpc: RpcNodes): Promise<void> {
  for (const chainId of await rpc.chainIds()) {
    if (chainId !== undefined && chainId !== row.chainId)
      throw new StartupError(`the node of ${row.name} is on chain ${String(chainId)}, not ${String(row.chainId)}`)
  }
}

/** Refuses a database that would forget, or hide, what it was told. Throws `StartupError`. */
async function judgeDatabase(config: Config, onTrouble: (message: string, error: unknown) => void): Promise<void> {
  const pool = createPool(config.databaseUrl, onTrouble)
  try {
    await requireDatabase(pool, {
      service: 'facilitator',
      // One more holds the lock of the account.
      connections: poolSize + 1,
      realNetwork: realNetworkOf(config),
      limitMs: config.databaseWaitMs,
      onDoubt: (text, cause) => {
        onTrouble(text, cause)
      },
      refuse: (text, cause) => new StartupError(text, { cause }),
    })
  } finally {
    await pool.end()
  }
}

const poolSize = 4

/** Over connections that are looked at before they are used: a database made anew has no account, and is silent. */
const question = { text: 'select 1', query_timeout: 2_000 }

function watchDatabase(pool: Pool, resources: AsyncDisposableStack): NonNullable<ServiceDeps['database']> {
  const answers = resources.use(watchAnswers(() => pool.query(question)))
  const refusals = watchRefusals(pool)
  return { silentMs: () => answers.silentMs(), refusedMs: () => refusals.lastingMs() }
}

/** Silence counts as failure here too: a question without an answer would hold up every settlement behind it. */
function createPool(connectionString: string, onTrouble: (message: string, error: unknown) => void): Pool {
  const pool = new Pool({
    connectionString,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    query_timeout: 5_000,
    // The types of the driver do not know that it is waited for.
    ...({ onConnect: (client: DatabaseLine) => settleSession(client) } as object),
    // Statements that are sent together do not wait for each other's answers.
    pipeline: true,
  })
  pool.on('error', (error) => {
    onTrouble('a database connection ended', error)
  })
  // While a connection is lent out the pool does not listen, and an error that nobody hears ends the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  return pool
}
