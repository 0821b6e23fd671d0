import { NodeSilent } from '../errors.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { ConnectedNetwork } from './connect.ts'
import type { SilentNetwork } from './served-network.ts'

type Connect = (network: SilentNetwork) => Promise<ConnectedNetwork>

/**
 * Connects all networks side by side. One whose nodes say nothing is left out, for it is nobody else's trouble; one
 * that is not what its row says ends the start (decision 0302). @throws the first fault, once all have ended
 */
export async function connectAll(
  networks: readonly SilentNetwork[],
  connect: Connect,
  resources: AsyncDisposableStack,
): Promise<{ readonly connected: readonly ConnectedNetwork[]; readonly silent: readonly SilentNetwork[] }> {
  const ended = await Promise.allSettled(networks.map((network) => connect(network)))
  const connected = ended.flatMap((one) => (one.status === 'fulfilled' ? [resources.use(one.value)] : []))
  for (const one of ended) if (one.status === 'rejected' && !(one.reason instanceof NodeSilent)) throw one.reason
  return { connected, silent: networks.filter((_, index) => ended[index]?.status === 'rejected') }
}

export type LaterDeps = {
  readonly silent: readonly SilentNetwork[]
  readonly connect: Connect
  readonly onConnected: (network: ConnectedNetwork) => void
  readonly onTrouble: (message: string, error: unknown) => void
  readonly surroundings: Surroundings
}

const [firstPauseMs, longestPauseMs] = [1_000, 30_000]

/**
 * Goes on asking those that said nothing, each at its own pace, until it is disposed of. What is not proven is never
 * used, so a node that turns out to be another chain's is asked again and offered no more than one that is silent.
 */
export function connectLater(deps: LaterDeps): AsyncDisposable {
  const { silent, connect, onConnected, onTrouble, surroundings } = deps
  const connected = new AsyncDisposableStack()
  const wakes = new Set<() => void>()
  let stopped = false
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel()
        wakes.delete(end)
        resolve()
      }
      const cancel = surroundings.after(ms, end)
      wakes.add(end)
    })
  const pursue = async (network: SilentNetwork): Promise<void> => {
    let told = ''
    for (let waitMs = firstPauseMs; ; waitMs = Math.min(waitMs * 2, longestPauseMs)) {
      await pause(waitMs)
      if (stopped) return
      try {
        onConnected(connected.use(await connect(network)))
        onTrouble(`${network.row.name} has answered and is served from now on`, undefined)
        return
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        if (why !== told) onTrouble(`${network.row.name} is not served: ${why}`, error)
        told = why
      }
    }
  }
  const pursuits = silent.map((network) => {
    onTrouble(`${network.row.name} is not served until one of its nodes answers; the others are`, undefined)
    return pursue(network)
  })
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      for (const wake of wakes) wake()
      await Promise.all(pursuits)
      await connected.disposeAsync()
    },
  }
}
