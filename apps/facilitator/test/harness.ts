import { deployLocalnet, mintTestUsd } from '@ergon/contracts'
import { startChain, type Chain } from '@ergon/dev-env'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { loadFastKeccak, type Address } from '@ergon/protocols'
import { createFacilitator, decideConfig, readEnv, readSecrets, type Facilitator } from '../src/index.ts'
import { facilitatorEnv, rpc } from './harness-env.ts'
import { addresses, facilitator, payer, randomHex32 } from '../src/testing/payments.ts'
import { facilitatorSchema } from '../src/testing/facilitator-schema.ts'

export type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers }
export type Client = {
  readonly url: string
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
}

export type Rig = AsyncDisposable &
  Client & { readonly chain: Chain; readonly databaseUrl: string; readonly rpcUrl: string }

/** A funded local chain. */
export async function startFundedChain(): Promise<Chain> {
  await loadFastKeccak()
  const chain = await startChain()
  await deployLocalnet(chain.rpcUrl)
  await mintTestUsd(chain.rpcUrl, payer.address, 1_000_000_000n)
  return chain
}

/** Chain, database and facilitator: everything real, nothing shared with another test file. */
export async function startRig(env: Record<string, string> = {}): Promise<Rig> {
  await using stack = new AsyncDisposableStack()
  const chain = stack.use(await startFundedChain())
  const rig = stack.use(await startRigBeside(chain, env))
  const owned = stack.move()
  return { ...rig, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** One that has read its settings and does not listen yet. */
export async function startFacilitator(env: Record<string, string>): Promise<Facilitator> {
  const config = decideConfig(readEnv(env))
  return createFacilitator(config, readSecrets(env, config.metrics))
}

/** A facilitator with a database of its own on a chain that is already there. */
export async function startRigBeside(chain: Chain, env: Record<string, string> = {}): Promise<Rig> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase(facilitatorSchema))
  const all = facilitatorEnv(chain.rpcUrl, database.url, env)
  const service = stack.use(await startFacilitator(all))
  const url = await service.listen()
  const owned = stack.move()
  return {
    ...createClient(url),
    chain,
    databaseUrl: database.url,
    rpcUrl: chain.rpcUrl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export function createClient(url: string): Client {
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init)
    const text = await response.text()
    // Every endpoint answers JSON objects.
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  return {
    url,
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    get: (path) => ask(path, {}),
  }
}

export async function balanceOf(rpcUrl: string, owner: Address): Promise<bigint> {
  const word = await rpc(rpcUrl, 'eth_call', [
    { to: addresses.token, data: `0x70a08231${owner.slice(2).padStart(64, '0')}` },
    'latest',
  ])
  return BigInt(String(word))
}

/** Transactions the facilitator's account has landed. */
export async function sentByFacilitator(rpcUrl: string): Promise<number> {
  return Number(await rpc(rpcUrl, 'eth_getTransactionCount', [facilitator.address, 'latest']))
}

export async function eventually<T>(
  read: () => Promise<T>,
  isGood: (value: T) => boolean,
  what: string,
  timeoutMs = 45_000,
): Promise<T> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const value = await read()
    if (isGood(value)) return value
    if (performance.now() > until) throw new Error(`${what} did not happen in ${timeoutMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** An agent of this wallet, as the registry numbers it. */
export async function registerAgent(rig: Pick<Client, 'post'>, recipient: string): Promise<string> {
  const { body } = await rig.post('/register', {
    x402Version: 1,
    network: 'localnet',
    agentUri: `https://agents.example/${randomHex32()}`,
    recipient,
  })
  return String(body['agentId'])
}
