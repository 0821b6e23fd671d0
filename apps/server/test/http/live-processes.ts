import { freePort, startConstellation, type Constellation } from '@ergon/dev-env'
import type { Hex } from '@ergon/protocols'
import type { Env } from '../../src/index.ts'
import { startTcpProxy, type TcpProxy } from '../adapters/tcp-proxy.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { reach, type Reached } from './live-market.ts'

/** The processes of the product, with a line before the facilitator that can be slow or dead. */
export type LiveProcesses = AsyncDisposable &
  Reached & {
    readonly constellation: Constellation
    readonly facilitatorLine: TcpProxy
    readonly rpcUrl: string
    readonly token: Hex
  }

export async function startLiveProcesses(env: Env = {}): Promise<LiveProcesses> {
  await using stack = new AsyncDisposableStack()
  const facilitator = await freePort()
  const facilitatorLine = stack.use(await startTcpProxy(facilitator))
  const given = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const server = {
    SVC_BASE_URL: `http://${authority}`,
    SVC_FACILITATOR_URL: `http://127.0.0.1:${String(facilitatorLine.port)}`,
    SVC_RATE_ANON_PER_MIN: '0',
    SVC_RATE_WALLET_PER_MIN: '0',
    SVC_PUBLISH_PER_HOUR: '0',
    SVC_REGISTER_PER_ADDRESS: '0',
    ...given,
  }
  const constellation = stack.use(
    await startConstellation({ ephemeral: true, ports: { facilitator }, env: { server } }),
  )
  const { serverUrl, facilitatorUrl, rpcUrl, addresses } = constellation.record()
  if (serverUrl === undefined || new URL(facilitatorUrl ?? serverUrl).port !== String(facilitator))
    throw new Error('the services are not where they were to be')
  const owned = stack.move()
  // The record names the contracts of the local chain.
  return {
    ...reach(serverUrl, rpcUrl),
    constellation,
    facilitatorLine,
    rpcUrl,
    token: addresses['TestUSD'] as Hex,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
