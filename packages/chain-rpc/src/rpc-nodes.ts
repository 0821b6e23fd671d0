import { isWrite, NoAnswer, type RpcAnswer, type RpcLimits, type RpcRequest } from './rpc-call.ts'
import { createRpcEndpoint, type RpcEndpoint } from './rpc-endpoint.ts'
import { delay, type Timers } from './timers.ts'

/** How many nodes of a network there are, and how many of them answer. */
export type NodesStanding = { readonly all: number; readonly answering: number }

/** JSON-RPC to the nodes of one network. */
export type RpcNodes = Disposable & {
  /**
   * All answers come from one node, in the order of the requests; an error of the node's own is an answer. What is not
   * in `limits` is as the nodes were created. @throws NoAnswer when no node gives one
   */
  batch(requests: readonly RpcRequest[], limits?: Partial<RpcLimits>): Promise<RpcAnswer[]>
  standing(): NodesStanding
  /** What each node says about its chain, in order; undefined for one that does not answer. */
  chainIds(): Promise<readonly (number | undefined)[]>
}

export type RpcNodesOptions = {
  /** The first that answers is asked. */
  readonly urls: readonly string[]
  /** Checked on every new connection, and after every failure. */
  readonly chainId: number
  readonly limits: RpcLimits
  readonly timers: Timers
  readonly onTrouble: (message: string, error: unknown) => void
}

/** A node and what is known of it. */
type Node = {
  readonly endpoint: RpcEndpoint
  readonly place: number
  isResting: boolean
  restMs: number
  cancelRest: () => void
  /** How many connections had been opened when its chain was last asked for; undefined after a failure. */
  provenAt: number | undefined
  proving: Promise<void> | undefined
}

type Pool = { readonly options: RpcNodesOptions; readonly nodes: readonly Node[]; stopped: boolean }

const shortestRestMs = 1_000
const longestRestMs = 60_000
const maxTries = 3
const longestWaitMs = 2_000

export function createRpcNodes(options: RpcNodesOptions): RpcNodes {
  const pool: Pool = {
    options,
    nodes: options.urls.map((url, place) => createNode(url, place, options)),
    stopped: false,
  }
  return {
    batch: (requests, limits) =>
      requests.length === 0 ? Promise.resolve([]) : ask(pool, requests, { ...options.limits, ...limits }),
    standing: () => ({ all: pool.nodes.length, answering: pool.nodes.filter((node) => !node.isResting).length }),
    chainIds: () => Promise.all(pool.nodes.map((node) => readChainId(pool, node).catch(() => undefined))),
    [Symbol.dispose]() {
      pool.stopped = true
      for (const { endpoint, cancelRest } of pool.nodes) {
        cancelRest()
        endpoint[Symbol.dispose]()
      }
    },
  }
}

function createNode(url: string, place: number, { timers }: RpcNodesOptions): Node {
  return {
    endpoint: createRpcEndpoint({ url, timers }),
    place,
    isResting: false,
    restMs: shortestRestMs,
    cancelRest: () => undefined,
    provenAt: undefined,
    proving: undefined,
  }
}

/** The nodes in turn; once more after a pause while all that is wrong is that we ask too much. */
async function ask(pool: Pool, requests: readonly RpcRequest[], limits: RpcLimits): Promise<RpcAnswer[]> {
  const { timers } = pool.options
  for (let tries = 1; ; tries += 1) {
    const tried = await askEach(pool, requests, limits)
    if (tried.answers !== undefined) return tried.answers
    const { failure } = tried
    const { retryAfterMs = Infinity } = failure
    if (retryAfterMs > longestWaitMs || tries === maxTries || (failure.mayHaveArrived && requests.some(isWrite)))
      throw failure
    await delay(timers, retryAfterMs)
  }
}

type Tried =
  | { readonly answers: RpcAnswer[]; readonly failure?: undefined }
  | { readonly answers?: undefined; readonly failure: NoAnswer }

async function askEach(pool: Pool, requests: readonly RpcRequest[], limits: RpcLimits): Promise<Tried> {
  const writes = requests.some(isWrite)
  let failure: NoAnswer | undefined
  for (const node of inTurn(pool)) {
    try {
      return { answers: await askNode(pool, node, requests, limits) }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      failure = error
      // It answered, and another would as much: what a stranger wrote is no fault of the node.
      if (error.isTooLarge) break
      rest(pool, node, error)
      // A transaction that may have reached one node is followed. Another node's answer to it would hide that.
      if (writes && error.mayHaveArrived) break
    }
  }
  return { failure: failure ?? new NoAnswer('there is no chain node') }
}

/** Those that answer, in the operator's order, before those that did not. */
function inTurn({ nodes }: Pool): readonly Node[] {
  return [...nodes.filter((node) => !node.isResting), ...nodes.filter((node) => node.isResting)]
}

async function askNode(
  pool: Pool,
  node: Node,
  requests: readonly RpcRequest[],
  limits: RpcLimits,
): Promise<RpcAnswer[]> {
  if (node.provenAt === undefined) await prove(pool, node)
  const answers = await node.endpoint.batch(requests, limits)
  // Who answered on a connection that is new may be another.
  if (node.endpoint.opened() !== node.provenAt) await prove(pool, node)
  wake(node)
  return answers
}

function prove(pool: Pool, node: Node): Promise<void> {
  node.proving ??= proveNow(pool, node).finally(() => {
    node.proving = undefined
  })
  return node.proving
}

async function proveNow(pool: Pool, node: Node): Promise<void> {
  const chainId = await readChainId(pool, node)
  if (chainId !== pool.options.chainId) {
    throw new NoAnswer(`the chain node is on chain ${String(chainId)}, not ${String(pool.options.chainId)}`, {
      mayHaveArrived: node.provenAt !== undefined,
    })
  }
  node.provenAt = node.endpoint.opened()
}

async function readChainId({ options }: Pool, { endpoint }: Node): Promise<number> {
  const [answer] = await endpoint.batch([{ method: 'eth_chainId', params: [] }], options.limits)
  if (typeof answer?.result !== 'string')
    throw new NoAnswer('the chain node does not say which chain it is on', { cause: answer?.error })
  return Number(answer.result)
}

/** One that failed is asked last, until it has answered in the background. */
function rest(pool: Pool, node: Node, failure: NoAnswer): void {
  const { timers, onTrouble } = pool.options
  node.provenAt = undefined
  if (pool.nodes.length === 1 || node.isResting || pool.stopped) return
  onTrouble(`node ${node.place + 1} of chain ${pool.options.chainId} fails; another is asked`, failure)
  node.isResting = true
  const look = (): void => {
    node.cancelRest = timers.after(node.restMs, () => {
      node.restMs = Math.min(node.restMs * 2, longestRestMs)
      prove(pool, node).then(
        () => {
          node.isResting = false
        },
        () => {
          if (node.isResting && !pool.stopped) look()
        },
      )
    })
  }
  look()
}

function wake(node: Node): void {
  node.restMs = shortestRestMs
  if (!node.isResting) return
  node.isResting = false
  node.cancelRest()
}
