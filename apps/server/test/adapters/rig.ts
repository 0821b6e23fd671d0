import { deployLocalnet, localAccounts, localRoles, mintTestUsd, type LocalAccount } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { createFacilitator, decideConfig, readEnv, readSecrets } from '@ergon/facilitator'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { loadFastKeccak, networks, privateKeySigner, type Address, type Network, type Signer } from '@ergon/protocols'
import { createAdapters, type AdapterSettings, type Adapters } from '../../src/adapters/index.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { facilitatorSchema } from '@ergon/facilitator/testing'

/**
 * A chain with the contracts, a database, a facilitator, and the adapters that reach them over lines which can fail.
 */
export type Rig = AsyncDisposable & {
  readonly chain: Chain
  readonly adapters: Adapters
  readonly settings: AdapterSettings
  readonly facilitatorLine: TcpProxy
  readonly chainLine: TcpProxy
  readonly facilitatorUrl: string
}

/** `row` is how facilitator and adapters know the local chain. */
export async function startRig(env: Readonly<Record<string, string>> = {}, row = networks.localnet): Promise<Rig> {
  await using stack = new AsyncDisposableStack()
  await loadFastKeccak()
  const chain = stack.use(await startChain())
  await deployLocalnet(chain.rpcUrl)
  await mintTestUsd(chain.rpcUrl, payer.address, 1_000_000_000n)
  const facilitatorUrl = await startFacilitator(stack, chain, env, row)
  const facilitatorLine = stack.use(await startTcpProxy(Number(new URL(facilitatorUrl).port)))
  const chainLine = stack.use(await startTcpProxy(chain.port))
  const dataDir = await mkdtemp(join(tmpdir(), 'ergon-adapters-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const settings: AdapterSettings = {
    facilitatorUrl: `http://127.0.0.1:${String(facilitatorLine.port)}`,
    networks: [{ network: row, rpcUrls: [`http://127.0.0.1:${String(chainLine.port)}`] }],
    orderSignerKey: localRoles.service.privateKey,
    dataDir,
    secret: 'a secret of this test alone',
    baseUrl: 'http://market.test',
  }
  const adapters = stack.use(createAdapters(settings))
  const owned = stack.move()
  return {
    chain,
    adapters,
    settings,
    facilitatorLine,
    chainLine,
    facilitatorUrl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function startFacilitator(
  stack: AsyncDisposableStack,
  chain: Chain,
  env: Readonly<Record<string, string>>,
  row: Network,
): Promise<string> {
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const all = {
    FACILITATOR_HOST: '127.0.0.1',
    FACILITATOR_PORT: '0',
    DATABASE_URL: database.url,
    FACILITATOR_NETWORKS: 'localnet',
    FACILITATOR_RPC_LOCALNET: chain.rpcUrl,
    FACILITATOR_KEY: localRoles.facilitator.privateKey,
    FACILITATOR_ORDER_DELEGATES: localRoles.service.address,
    FACILITATOR_LOG_LEVEL: 'fatal',
    ...env,
  }
  const config = decideConfig(readEnv(all))
  const served = config.networks.map((one) => (one.row.name === row.name ? { ...one, row } : one))
  return stack.use(await createFacilitator({ ...config, networks: served }, readSecrets(all))).listen()
}

export type Party = Required<Signer> & { readonly privateKey: LocalAccount['privateKey'] }

export function party(index: number): Party {
  const account = localAccounts[index]
  if (account === undefined) throw new Error(`there is no local account ${String(index)}`)
  return { ...privateKeySigner(account.privateKey), privateKey: account.privateKey }
}

export const payer = party(4)
export const worker = party(5)
export const stranger = party(6)
export const treasury: Address = party(2).address
export const asset = { symbol: 'USDC', network: 'localnet', decimals: 6 } as const

export async function rpc(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  // The node answers JSON-RPC.
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

/** Repeats a read until it is what the test waits for. @throws with what it was last, where that does not come */
export async function eventually<T>(
  read: () => Promise<T>,
  isGood: (value: T) => boolean,
  timeoutMs = 45_000,
): Promise<T> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (isGood(value)) return value
    if (performance.now() > until) throw new Error(`it did not come to be so: ${inspect(value, { depth: 4 })}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
