import {
  createRpcNodes,
  NoAnswer,
  type NodesStanding,
  type RpcAnswer,
  type RpcLimits,
  type RpcRequest,
} from '@ergon/chain-rpc'
import { Unavailable } from '../errors.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type { NodesStanding, RpcAnswer, RpcError, RpcRequest } from '@ergon/chain-rpc'

/**
 * JSON-RPC to the nodes of one network. A transport failure is `Unavailable`, a node's own error is returned. All
 * answers of a batch come from one node, in the order of the requests.
 */
export type RpcClient = {
  batch(requests: readonly RpcRequest[], limits?: Partial<RpcLimits>): Promise<RpcAnswer[]>
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Left out where there is one node that is always there. */
  standing?(): NodesStanding
  [Symbol.dispose](): void
}

export type RpcNodes = RpcClient & {
  standing(): NodesStanding
  /** What each node says about its chain, in order; undefined for one that does not answer. */
  chainIds(): Promise<readonly (number | undefined)[]>
}

export type RpcClientOptions = {
  /** The first that answers is asked. */
  readonly urls: readonly string[]
  /** Checked on every new connection, and after every failure. */
  readonly chainId: number
  readonly timeoutMs: number
  readonly surroundings: Surroundings
  readonly onTrouble: (message: string, error: unknown) => void
}

// A node's answer to a full batch of receipts stays far below this; anything larger is not an answer to us.
const maxBytes = 64 * 1024 * 1024

export function createRpcClient({ urls, chainId, timeoutMs, surroundings, onTrouble }: RpcClientOptions): RpcNodes {
  const limits = { timeoutMs, maxBytes }
  const nodes = createRpcNodes({ urls, chainId, limits, timers: surroundings, onTrouble })
  const batch: RpcClient['batch'] = (requests, others) =>
    nodes.batch(requests, others).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      throw new Unavailable('rpc_unavailable', error.message, { cause: error })
    })
  return {
    batch,
    async call(method, params) {
      const [answer] = await batch([{ method, params }])
      if (answer === undefined || answer.error !== undefined) {
        throw new Unavailable('rpc_unavailable', `the chain node refused ${method}`, { cause: answer?.error })
      }
      return answer.result
    },
    standing: () => nodes.standing(),
    chainIds: () => nodes.chainIds(),
    [Symbol.dispose]() {
      nodes[Symbol.dispose]()
    },
  }
}
