import { MarketError } from '@ergon/core'
import { isHex32, type Hex } from '@ergon/protocols'
import { findEvent, type ChainLog, type ExpectedEvent } from './events.ts'
import { isRecord, RpcFault, type Rpc } from './rpc.ts'
import { addressWord, wordAt } from './words.ts'

export type Receipt = { readonly succeeded: boolean; readonly blockNumber: bigint; readonly logs: readonly ChainLog[] }

/** What the service reads from a chain itself, so that no other service is believed about money. Throws CHAIN_UNAVAILABLE. */
export type ChainReader = {
  /** Null when the node knows no such mined transaction. */
  receipt(txHash: string): Promise<Receipt | null>
  /** The newest log that matches, however far back it lies; undefined when there is none. */
  findLog(expected: ExpectedEvent): Promise<ChainLog | undefined>
  /** The words an `eth_call` answers. */
  call(to: string, data: Hex): Promise<string>
  balanceOf(token: string, owner: string): Promise<bigint>
  blockNumber(): Promise<bigint>
}

/** Public nodes refuse wide ranges; this many blocks are asked for at once when they do. */
const windowBlocks = 9_000n
/** How many windows back a search goes before it says that it cannot tell. */
const maxWindows = 64

export function createChainReader(rpc: Rpc, network: string): ChainReader {
  const guarded = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      throw new MarketError('CHAIN_UNAVAILABLE', { network }, { cause: error })
    }
  }
  const call = (to: string, data: Hex): Promise<string> => guarded(async () => {
    const result = await rpc.read('eth_call', [{ to, data }, 'latest'])
    if (typeof result !== 'string') throw new RpcFault('eth_call answered no data')
    return result
  })
  return {
    call,
    receipt: (txHash) => guarded(async () => readReceipt(await rpc.read('eth_getTransactionReceipt', [txHash]))),
    findLog: (expected) => guarded(() => searchLogs(rpc, expected)),
    async balanceOf(token, owner) {
      const balance = wordAt(await call(token, `0x70a08231${addressWord(owner)}`), 0)
      if (balance === undefined) throw new MarketError('CHAIN_UNAVAILABLE', { network })
      return balance
    },
    blockNumber: () => guarded(async () => BigInt(String(await rpc.read('eth_blockNumber', [])))),
  }
}

function readReceipt(value: unknown): Receipt | null {
  if (value === null) return null
  if (!isRecord(value) || typeof value['blockNumber'] !== 'string' || !Array.isArray(value['logs'])) throw new RpcFault('a receipt has no block')
  return { succeeded: value['status'] === '0x1', blockNumber: BigInt(value['blockNumber']), logs: value['logs'].map(readLog) }
}

function readLog(value: unknown): ChainLog {
  const log = isRecord(value) ? value : {}
  const { address, topics, data, transactionHash, blockNumber } = {
    address: log['address'], topics: log['topics'], data: log['data'], transactionHash: log['transactionHash'], blockNumber: log['blockNumber'],
  }
  if (typeof address !== 'string' || !Array.isArray(topics) || typeof data !== 'string' || !isHex32(transactionHash) || typeof blockNumber !== 'string') {
    throw new RpcFault('a log is not readable')
  }
  return { address, topics: topics.filter(isHex32), data, transactionHash, blockNumber: BigInt(blockNumber) }
}

async function searchLogs(rpc: Rpc, expected: ExpectedEvent): Promise<ChainLog | undefined> {
  const filter = { address: expected.emitter, topics: [expected.events, ...expected.indexed] }
  const read = async (fromBlock: string, toBlock: string): Promise<readonly ChainLog[] | undefined> => {
    const [answer] = await rpc.batch([{ method: 'eth_getLogs', params: [{ ...filter, fromBlock, toBlock }] }])
    return Array.isArray(answer?.result) ? answer.result.map(readLog) : undefined
  }
  const newest = (logs: readonly ChainLog[]): ChainLog | undefined => findEvent(expected, logs.toReversed())
  const all = await read('0x0', 'latest')
  if (all !== undefined) return newest(all)
  let to = BigInt(String(await rpc.read('eth_blockNumber', [])))
  for (let windows = 0; windows < maxWindows; windows += 1) {
    const from = to > windowBlocks ? to - windowBlocks : 0n
    const logs = await read(`0x${from.toString(16)}`, `0x${to.toString(16)}`)
    if (logs === undefined) throw new RpcFault('the chain node refused eth_getLogs')
    const found = newest(logs)
    if (found !== undefined || from === 0n) return found
    to = from - 1n
  }
  throw new RpcFault('the log lies further back than this node can be asked for')
}
