import { type ExpectedEvent, findEvents, isHex32 } from '@ergon/protocols'
import type { ChainLog } from './chain-log.ts'
import { isRecord, RpcFault, type Rpc } from './rpc.ts'
import { createStoppedWalks, joined, type Walked } from './stopped-walks.ts'

/** Public nodes refuse wide ranges, each at a width of its own. */
const firstWindow = 9_000n
const leastWindow = 100n
/**
 * Windows a search goes back at once before it says that it cannot tell: three weeks of a chain with four blocks a
 * second. Whoever asks again has the walk go on from there.
 */
const maxWindows = 1_024
/** How far the clock of a chain may be from ours. */
const chainClockMs = 300_000

/** Logs that were seen before, read anew from their receipts: what a search that has to walk begins with. */
export type Known = () => Promise<readonly ChainLog[]>

/**
 * Looks through the chain from its newest block back. Throws `RpcFault` when it cannot look far enough at once; asked
 * again, it goes on from where it stopped.
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
export type IsAll = (found: readonly ChainLog[], walked: readonly ChainLog[]) => boolean

export function createLogSearch(rpc: Rpc): LogSearch {
  // What this node is known to answer; null while it answers for the whole chain.
  let window: bigint | null = null
  const stopped = createStoppedWalks()

  /** One window further back, as wide as the node answers. */
  const step = async (expected: ExpectedEvent, { low, top, logs }: Walked): Promise<Walked> => {
    const to = low - 1n
    for (let size = window ?? firstWindow; ; size /= 3n) {
      const from = to >= size ? to - size + 1n : 0n
      const more = await readLogs(rpc, expected, `0x${from.toString(16)}`, `0x${to.toString(16)}`)
      if (more === undefined && size <= leastWindow) throw new RpcFault('the chain node refused eth_getLogs')
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
    if (window === null) {
      const logs = await readLogs(rpc, expected, '0x0', 'latest')
      if (logs !== undefined) return logs
    }
    const before = findEvents(expected, (await known?.()) ?? [])
    if (isAll(before, [])) return merged(before, [])
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
        if (low > 0n && !isAll(found, logs) && !(since !== undefined && (await isBefore(rpc, low, since)))) continue
        stopped.forget(key)
        return found
      }
    } catch (error) {
      // As far as it came, unless an earlier walk came further.
      if (earlier === undefined && walked.low <= walked.top) stopped.keep(key, walked)
      throw error
    }
    stopped.keep(key, walked)
    throw new RpcFault('the log lies further back than this node can be asked for at once; the next search goes on')
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

async function isBefore(rpc: Rpc, block: bigint, since: Date): Promise<boolean> {
  const header = await rpc.read('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
  const seconds = isRecord(header) ? header['timestamp'] : undefined
  if (typeof seconds !== 'string') throw new RpcFault('a block has no timestamp')
  return Number(BigInt(seconds)) * 1_000 < since.getTime() - chainClockMs
}

async function readLogs(
  rpc: Rpc,
  expected: ExpectedEvent,
  fromBlock: string,
  toBlock: string,
): Promise<readonly ChainLog[] | undefined> {
  const filter = { address: expected.emitter, topics: [expected.events, ...expected.indexed], fromBlock, toBlock }
  const [answer] = await rpc.batch([{ method: 'eth_getLogs', params: [filter] }])
  return Array.isArray(answer?.result) ? findEvents(expected, answer.result.map(readLog)) : undefined
}

export function readLog(value: unknown): ChainLog {
  const log = isRecord(value) ? value : {}
  const { address, topics, data, transactionHash, blockNumber, logIndex } = {
    address: log['address'],
    topics: log['topics'],
    data: log['data'],
    transactionHash: log['transactionHash'],
    blockNumber: log['blockNumber'],
    logIndex: log['logIndex'],
  }
  if (
    typeof address !== 'string' ||
    !Array.isArray(topics) ||
    typeof data !== 'string' ||
    !isHex32(transactionHash) ||
    typeof blockNumber !== 'string' ||
    typeof logIndex !== 'string'
  ) {
    throw new RpcFault('a log is not readable')
  }
  return {
    address,
    topics: topics.filter(isHex32),
    data,
    transactionHash,
    blockNumber: BigInt(blockNumber),
    logIndex: Number(logIndex),
  }
}
