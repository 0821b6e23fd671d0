import { freePort } from '@ergon/dev-env'
import { createClient, generatePrivateKey, privateKeySigner, type Client, type CreateClientOptions } from '@ergon/sdk'
import type { Env, Overrides } from '../../src/index.ts'
import { startTcpProxy, type TcpProxy } from '../adapters/tcp-proxy.ts'
import { startLiveMarket, type LiveMarket } from '../http/live-market.ts'

/** The service under the address that clients use, behind a line that can fail. */
export type LineToMarket = AsyncDisposable & {
  readonly url: string
  readonly line: TcpProxy
  readonly live: LiveMarket
  client(options?: Partial<CreateClientOptions>): Client
}

export async function startLineToMarket(env: Env = {}, overrides: Overrides = {}): Promise<LineToMarket> {
  await using stack = new AsyncDisposableStack()
  const port = await freePort()
  const line = stack.use(await startTcpProxy(port))
  const url = `http://127.0.0.1:${String(line.port)}`
  const live = stack.use(
    await startLiveMarket(
      {
        ...{ SVC_PORT: String(port), SVC_BASE_URL: url, SVC_AUTHORITIES: new URL(url).host, SVC_PUBLISH_PER_HOUR: '0' },
        ...env,
      },
      undefined,
      overrides,
    ),
  )
  const owned = stack.move()
  return {
    url,
    line,
    live,
    client: (options = {}) =>
      createClient({ baseUrl: url, chainId: 31_337, signer: privateKeySigner(generatePrivateKey()), ...options }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Publishes a task that nobody published before. */
export async function publishOne(client: Client): Promise<string> {
  const { id } = await client.tasks.publish({
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1.07,
    evidence_required: ['text_response'],
    client_ref: crypto.randomUUID(),
  })
  return id
}
