import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localRoles } from '@ergon/contracts'
import { freePort, startLocalChain, startNodeService, startPostgres } from '@ergon/dev-env'
import { createScratch } from '../scratch.ts'

export type Service = { readonly pid: number; readonly url: string }
/** Our facilitator and the reference one over the same chain, each a process of its own. */
export type BenchFacilitator = AsyncDisposable & {
  readonly ours: Service
  readonly reference: Service
  readonly rpcUrl: string
}

export async function startBenchFacilitator(): Promise<BenchFacilitator> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.use(createScratch()).path
  // Named folders, so that intents and blocks are kept as they are in earnest.
  const postgres = parts.use(await startPostgres({ dataDir: join(folder, 'postgres') }))
  await postgres.createDatabase('facilitator')
  const chain = parts.use(await startLocalChain({ dataDir: join(folder, 'chain') }))
  const start = async (
    name: string,
    main: URL,
    health: string,
    env: (port: number) => Record<string, string>,
  ): Promise<Service> => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { pid } = parts.use(
      await startNodeService({
        name,
        main: fileURLToPath(main),
        env: env(port),
        healthUrl: `${url}${health}`,
        logFile: join(folder, `${name}.log`),
      }),
    )
    return { pid, url }
  }
  const ours = await start(
    'facilitator',
    new URL('../../../apps/facilitator/src/main.ts', import.meta.url),
    '/health',
    (port) => ({
      FACILITATOR_PORT: String(port),
      DATABASE_URL: postgres.url('facilitator'),
      FACILITATOR_NETWORKS: 'localnet',
      FACILITATOR_RPC_LOCALNET: chain.rpcUrl,
      FACILITATOR_KEY: localRoles.facilitator.privateKey,
      FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
      FACILITATOR_RATE_LIMIT: 'off',
    }),
  )
  const reference = await start('reference', new URL('./reference-main.ts', import.meta.url), '/', (port) => ({
    REFERENCE_PORT: String(port),
    REFERENCE_RPC: chain.rpcUrl,
  }))
  const owned = parts.move()
  return { ours, reference, rpcUrl: chain.rpcUrl, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
