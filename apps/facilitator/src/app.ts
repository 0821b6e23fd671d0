import { addressOf, loadFastKeccak, secp256k1Backend } from '@ergon/protocols'
import { Pool } from 'pg'
import { pino } from 'pino'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createBlockCheck, type Context } from './http/context.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { createHttpServer } from './http/server.ts'
import { connectNetwork, type ConnectedNetwork } from './network/connect.ts'
import { createNetworks } from './network/served-network.ts'
import { createRegistrar } from './identity/register.ts'
import { leaseAccount } from './store/account-lease.ts'
import { createIntentStore } from './store/intents.ts'
import { migrate } from './store/migrations.ts'
import { createRegistrationStore } from './store/registrations.ts'

/** A running settlement facilitator. */
export type Facilitator = AsyncDisposable & {
  /** Accepts requests; resolves with the base URL. */
  listen(): Promise<string>
  /** Resolves with the reason when it can no longer settle and must stop. */
  readonly failed: Promise<Error>
}

/** Connects everything and reconciles what an earlier process left. Throws `StartupError` naming what is missing. */
export async function createFacilitator(config: Config, secrets: Secrets): Promise<Facilitator> {
  const log = pino({ level: config.logLevel, base: { service: 'facilitator' } })
  await loadFastKeccak()
  if (secp256k1Backend() === 'javascript') log.warn('the native secp256k1 is missing; signatures are checked about 35 times slower')
  const account = addressOf(secrets.privateKey)
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  await using resources = new AsyncDisposableStack()
  resources.use(await leaseAccount({ databaseUrl: config.databaseUrl, account: account.toLowerCase(), waitMs: config.leaseWaitMs, onLost: fail }))
  const pool = new Pool({ connectionString: config.databaseUrl, max: 4 })
  pool.on('error', (error) => { log.warn({ err: error }, 'a database connection ended') })
  resources.defer(() => pool.end())
  await migrate(pool)
  const intents = createIntentStore(pool)
  const onTrouble = (message: string, error: unknown): void => { log.warn({ err: error }, message) }
  const connected: ConnectedNetwork[] = []
  for (const { row, rpcUrl } of config.networks) {
    const network = await connectNetwork({ row, rpcUrl, rpcTimeoutMs: config.rpcTimeoutMs, store: intents, privateKey: secrets.privateKey, minesOnDemand: config.minesOnDemand, onTrouble })
    connected.push(resources.use(network))
  }
  const networks = createNetworks(connected)
  const registrar = createRegistrar({ networks, account, store: createRegistrationStore(pool), onTrouble })
  await registrar.resume()
  const limiter = (limit: { readonly burst: number; readonly perSecond: number } | undefined) =>
    limit === undefined ? undefined : createRateLimiter(limit, () => performance.now())
  const context: Context = {
    networks,
    account,
    intents,
    registrar,
    lifecycle: {
      mode: config.lifecycleMode,
      delegates: config.orderDelegates,
      onUnorderly: (category) => { log.warn({ category }, 'a lifecycle step without a valid order was let through') },
    },
    blacklist: config.blacklist,
    adminToken: secrets.adminToken,
    settleWaitMs: config.settleWaitMs,
    limits: { payments: limiter(config.rateLimit?.payments), identity: limiter(config.rateLimit?.identity) },
    log,
    now: () => Math.floor(Date.now() / 1000),
  }
  const server = createHttpServer(context, createBlockCheck(config.blacklist))
  resources.defer(() => server.close())
  const owned = resources.move()
  return {
    listen: () => server.listen({ host: config.host, port: config.port }),
    failed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
