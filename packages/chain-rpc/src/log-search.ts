import { type ExpectedEvent, findEvents } from '@ergon/protocols'
import { type ChainLog, readLog } from './chain-log.ts'
import type { RpcAnswer, RpcRequest } from './rpc-call.ts'
import { createStoppedWalks, joined, type Walked } from './stopped-walks.ts'

/** Public nodes refuse wide ranges, each at a width of its own. */
const firstWindow = 9_000n
const leastWindow = 100n
/**
 * Windows a search goes back at once before it says that it cannot tell: three weeks of a chain with four blocks a
 * second. Whoever asks again has the walk go on from there.
 */
const maxWindows = 1_024
/** A refusal that was a mood of the node is found out to be one: so often a whole chain is asked for again. */
const wholeAgainAfter = 200
/** How far the clock of a chain may be from ours. */
const chainClockMs = 300_000

/** What a search asks a node through; what it throws is passed on. */
export type LogNode = {
  batch(calls: readonly RpcRequest[]): Promise<readonly RpcAnswer[]>
  /** The result of one call; an error of the node is thrown. */
  read(method: string, params: readonly unknown[]): Promise<unknown>
}

export type LogSearchOptions = {
  /** The error for a node that cannot be searched, or not now. */
  readonly fault: (message: string) => Error
  /** Searches that have ended are remembered as well, so that the next one for the same reads what is new. */
  readonly keepsEnded?: boolean
}

/** Logs that were seen before, read anew from their receipts: what a search that has to walk begins with. */
export type Known = () => Promise<readonly ChainLog[]>

/**
 * Looks through the chain from its newest block back (eth_getLogs). Throws the fault when it cannot look far enough at
 * once; asked again, it goes on from where it stopped (decision 0260).
 */
export type LogSearch = {
  /**
   * The newest log that matches; undefined when the whole chain has none, or none since then. Of what can be there once
   * only, whatever is known already is the newest.
   */
  newest(expected: ExpectedEvent, since?: Date, known?: Known): Promise<ChainLog | undefined>
  /** Every log that matches, in the order of the chain, as far back as `isAll` does not hold. */
  all(expected: ExpectedEvent, isAll: IsAll, known?: Known): Promise<readonly ChainLog[]>
}

/** Of what was found, and of that part of it which the walk itself saw, without a gap from the newest block on. */
export type IsAll = (found: readonly ChainLog[], walked: readonly ChainLog[]) => boolean | Promise<boolean>

export function createLogSearch(rpc: LogNode, { fault, keepsEnded = false }: LogSearchOptions): LogSearch {
  // What this node is known to answer; null while it answers for the whole chain.
  let window: bigint | null = null
  let searches = 0
  const stopped = createStoppedWalks()

  /** One window further back, as wide as the node answers. */
  const step = async (expected: ExpectedEvent, { low, top, logs }: Walked): Promise<Walked> => {
    const to = low - 1n
    for (let size = window ?? firstWindow; ; size /= 3n) {
      const from = to >= size ? to - size + 1n : 0n
      const more = await readLogs(rpc, fault, expected, `0x${from.toString(16)}`, `0x${to.toString(16)}`)
      if (more === undefined && size <= leastWindow) throw fault('the chain node refused eth_getLogs')
      if (more === undefined) continue
      window = size
      return { low: from, top, logs: [...more, ...logs] }
    }
  }

  /** Goes back window by window, from what is known already, and on from where the same walk has stopped. */
  const walk = async (
    expected: ExpectedEvent,
    isAll: IsAll,
    { since, known }: { readonly since?: Date | undefined; readonly known?: Known | undefined },
  ): Promise<readonly ChainLog[]> => {
    searches += 1
    if (window === null || searches % wholeAgainAfter === 0) {
      const logs = await readLogs(rpc, fault, expected, '0x0', 'latest')
      if (logs !== undefined) {
        window = null
        return logs
      }
    }
    const before = findEvents(expected, (await known?.()) ?? [])
    if (await isAll(before, [])) return merged(before, [])
    const head = BigInt(String(await rpc.read('eth_blockNumber', [])))
    const key = JSON.stringify(expected)
    let walked: Walked = { low: head + 1n, top: head, logs: [] }
    let earlier = stopped.find(key)
    try {
      for (let asked = 0; asked < maxWindows; asked += 1) {
        walked = await step(expected, walked)
        const both = joined(walked, earlier)
        if (both !== undefined) [walked, earlier] = [both, undefined]
        const { low, logs } = walked
        const found = merged(before, logs)
        const isThrough =
          low === 0n || (await isAll(found, logs)) || (since !== undefined && (await isBefore(rpc, fault, low, since)))
        if (!isThrough) continue
        if (keepsEnded) stopped.keep(key, walked)
        else stopped.forget(key)
        return found
      }
    } catch (error) {
      // As far as it came, unless an earlier walk came further.
      if (earlier === undefined && walked.low <= walked.top) stopped.keep(key, walked)
      throw error
    }
    stopped.keep(key, walked)
    throw fault('the log lies further back than this node can be asked for at once; the next search goes on')
  }

  return {
    newest: async (expected, since, known) => (await walk(expected, isSome, { since, known })).at(-1),
    all: (expected, isAll, known) => walk(expected, isAll, { known }),
  }
}

const isSome: IsAll = (found) => found.length > 0

/** In the order of the chain, each once. */
function merged(some: readonly ChainLog[], others: readonly ChainLog[]): readonly ChainLog[] {
  const placeOf = ({ transactionHash, logIndex }: ChainLog): string => `${transactionHash} ${String(logIndex)}`
  const byPlace = new Map([...some, ...others].map((log) => [placeOf(log), log]))
  return [...byPlace.values()].sort(
    (one, other) => Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex,
  )
}

async function isBefore(rpc: LogNode, fault: LogSearchOptions['fault'], block: bigint, since: Date): Promise<boolean> {
  const header = await rpc.read('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
  const seconds = (header as { timestamp?: unknown } | null)?.timestamp
  if (typeof seconds !== 'string') throw fault('a block has no timestamp')
  return Number(BigInt(seconds)) * 1_000 < since.getTime() - chainClockMs
}

async function readLogs(
  rpc: LogNode,
  fault: LogSearchOptions['fault'],
  expected: ExpectedEvent,
  fromBlock: string,
  toBlock: string,
): Promise<readonly ChainLog[] | undefined> {
  const filter = { address: expected.emitter, topics: [expected.events, ...expected.indexed], fromBlock, toBlock }
  const [answer] = await rpc.batch([{ method: 'eth_getLogs', params: [filter] }])
  if (!Array.isArray(answer?.result)) return undefined
  const logs = (answer.result as readonly unknown[]).map((log) => readLog(log, fault))
  return findEvents(expected, logs)
}
