import { addressOf, loadFastKeccak, secp256k1Backend } from '@ergon/protocols'
import { Pool } from 'pg'
import { pino } from 'pino'
import { createRpcClient } from './chain/rpc-client.ts'
import type { Config } from './config/config.ts'
import type { Secrets } from './config/secrets.ts'
import { createHttpServer } from './http/server.ts'
import { createService } from './service.ts'
import { leaseAccount } from './store/account-lease.ts'
import { createIntentStore } from './store/intents.ts'
import { migrate } from './store/migrations.ts'
import { createRegistrationStore } from './store/registrations.ts'
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
  const surroundings = platform
  const log = pino({ level: config.logLevel, base: { service: 'facilitator' } })
  await loadFastKeccak()
  if (secp256k1Backend() === 'javascript') log.warn('the native secp256k1 is missing; signatures are checked about 35 times slower')
  const account = addressOf(secrets.privateKey).toLowerCase()
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>()
  await using resources = new AsyncDisposableStack()
  const { databaseUrl, leaseWaitMs: waitMs, rpcTimeoutMs: timeoutMs } = config
  resources.use(await leaseAccount({ databaseUrl, account, waitMs, surroundings, onLost: fail }))
  const pool = new Pool({ connectionString: databaseUrl, max: 4 })
  pool.on('error', (error) => { log.warn({ err: error }, 'a database connection ended') })
  resources.defer(() => pool.end())
  await migrate(pool)
  const networks = config.networks.map(({ row, rpcUrl }) => ({ row, rpc: resources.use(createRpcClient({ url: rpcUrl, timeoutMs, surroundings })) }))
  const service = resources.use(await createService({
    config, secrets, surroundings, networks, intents: createIntentStore(pool), registrations: createRegistrationStore(pool), log,
  }))
  const server = createHttpServer(service.handle, log, surroundings)
  resources.defer(() => server.close())
  const owned = resources.move()
  return {
    listen: () => server.listen({ host: config.host, port: config.port }),
    failed,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
