import { createTestDatabase } from '@ergon/dev-env/testing'
import type { Network } from '@ergon/protocols'
import { onTestFinished } from 'vitest'
import { createApp, decideConfig, readEnv, readSecrets, type App, type Config, type Env } from '../../src/index.ts'
import { startRig, type Rig } from '../adapters/rig.ts'
import { adminKey } from '../http/live-admin.ts'
import { envOf, reach, type Reached } from '../http/live-market.ts'
import { serverSchema } from '../../src/testing/server-schema.ts'

/** A service that is started again and again over one database, with other settings each time. */
export type Lifetime = {
  readonly rig: Rig
  readonly databaseUrl: string
  /** The one before is stopped first; `row` is how this one knows the local chain. */
  start(env?: Env, row?: Network): Promise<Reached & { readonly app: App }>
}

export async function beginLifetime(): Promise<Lifetime> {
  const rig = await startRig()
  onTestFinished(() => rig[Symbol.asyncDispose]())
  const database = await createTestDatabase(serverSchema)
  onTestFinished(() => database[Symbol.asyncDispose]())
  let running: App | undefined
  const stop = async (): Promise<void> => {
    await running?.[Symbol.asyncDispose]()
    running = undefined
  }
  onTestFinished(stop)
  return {
    rig,
    databaseUrl: database.url,
    async start(env = {}, row) {
      await stop()
      const raw = readEnv(envOf(rig, database.url, { ...usual, ...env }))
      const config = decideConfig(raw)
      const rows = row === undefined ? config : withRow(config, row)
      const app = await createApp(rows, readSecrets(raw, config), { unproven: true, forgets: true })
      running = app
      return { app, ...reach(await app.listen(), rig.chain.rpcUrl) }
    },
  }
}

/** A network whose node nobody reaches: enough to be started with. */
const silent = { SVC_RPC_BASE_SEPOLIA: 'http://127.0.0.1:9' }
const usual: Env = {
  SVC_ADMIN_KEY: adminKey,
  SVC_REQUIRE_IDENTITY: 'false',
  SVC_NETWORKS: 'localnet,base-sepolia',
  ...silent,
}
/** Without the chain that money is on. */
export const withoutLocalnet: Env = {
  SVC_NETWORKS: 'base-sepolia',
  SVC_IDENTITY_NETWORK: 'base-sepolia',
  SVC_RPC_LOCALNET: undefined,
}

function withRow(config: Config, row: Network): Config {
  const [first, ...others] = config.networks
  return { ...config, networks: [{ ...first, network: row }, ...others] }
}
