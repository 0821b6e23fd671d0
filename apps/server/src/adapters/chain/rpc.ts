import {
  createRpcNodes,
  machineTimers,
  NoAnswer,
  type RpcAnswer,
  type RpcError,
  type RpcLimits,
  type RpcRequest,
} from '@ergon/chain-rpc'

export type { RpcAnswer, RpcError, RpcRequest as RpcCall }

/** No node can be asked; nothing is known. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  /** There was more than the caller reads. */
  readonly isTooLarge: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isTooLarge?: boolean } = {}) {
    super(message, options)
    this.isTooLarge = options.isTooLarge ?? false
  }
}

/** JSON-RPC to the nodes of a network. Throws `RpcFault`; an error of the node's own is an answer. */
export type Rpc = Disposable & {
  /** All answers come from one node. */
  batch(calls: readonly RpcRequest[], limits?: Partial<RpcLimits>): Promise<readonly RpcAnswer[]>
  /** What each node says about its chain, in order; undefined for one that does not answer. */
  chainIds(): Promise<readonly (number | undefined)[]>
  /** The result of one call; an error of the node is a fault here. */
  read(method: string, params: readonly unknown[]): Promise<unknown>
}

export type RpcOptions = {
  /** The first that answers is asked. */
  readonly urls: readonly string[]
  /** No node of another chain is believed. */
  readonly chainId: number
  readonly onTrouble?: ((message: string, error: unknown) => void) | undefined
}

const limits: RpcLimits = { timeoutMs: 5_000, maxBytes: 16 * 1024 * 1024 }

export function createRpc({ urls, chainId, onTrouble = () => undefined }: RpcOptions): Rpc {
  const nodes = createRpcNodes({ urls, chainId, limits, timers: machineTimers, onTrouble })
  const batch: Rpc['batch'] = (calls, others) =>
    nodes.batch(calls, others).catch((cause: unknown) => {
      if (!(cause instanceof NoAnswer)) throw cause
      throw new RpcFault('the chain node does not answer', { cause, isTooLarge: cause.isTooLarge })
    })
  return {
    batch,
    chainIds: () => nodes.chainIds(),
    async read(method, params) {
      for (let attempt = 1; ; attempt += 1) {
        const [answer] = await batch([{ method, params }])
        if (answer?.error === undefined) return answer?.result
        // A node that prunes can lose the block it calls latest between two of its own steps; such a read is repeated.
        if (attempt < 4 && answer.error.message.includes('BlockOutOfRange')) continue
        throw new RpcFault(`the chain node refused ${method}`, { cause: answer.error })
      }
    },
    [Symbol.dispose]() {
      nodes[Symbol.dispose]()
    },
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
