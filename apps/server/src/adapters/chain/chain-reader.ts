import { MarketError } from '@ergon/core'
import {
  balanceOfCalldata,
  confirmationsOf,
  type ExpectedEvent,
  type Hex,
  type Network,
  wordAt,
} from '@ergon/protocols'
import { createLogSearch, readLog, type ChainLog, type IsAll, type Known } from './log-search.ts'
import { isRecord, RpcFault, type Rpc } from './rpc.ts'

export type Receipt = { readonly succeeded: boolean; readonly blockNumber: bigint; readonly logs: readonly ChainLog[] }

/**
 * What the service reads from a chain itself, so that no other service is believed about money. Throws
 * CHAIN_UNAVAILABLE.
 */
export type ChainReader = {
  /** Null when the node knows no such mined transaction. */
  receipt(txHash: string): Promise<Receipt | null>
  /**
   * The newest log that matches, however far back it lies; undefined when there is none. None is older than `since`.
   * What is known of an event that happens once is asked for where the node does not answer for the whole chain.
   */
  findLog(expected: ExpectedEvent, since?: Date, known?: Known): Promise<ChainLog | undefined>
  /** Every log that matches, in the order of the chain, as far back as `isAll` does not hold. */
  findLogs(expected: ExpectedEvent, isAll: IsAll, known?: Known): Promise<readonly ChainLog[]>
  /** The words an `eth_call` answers, by the newest block or by this one. */
  call(to: string, data: Hex, at?: bigint): Promise<string>
  balanceOf(token: string, owner: string): Promise<bigint>
  blockNumber(): Promise<bigint>
  /** The newest block that is not undone any more: as many blocks follow it as the network's row names. */
  deepBlock(): Promise<bigint>
  /** When that block was made, by the chain's own clock. */
  deepTime(): Promise<Date>
}

export function createChainReader(rpc: Rpc, row: Network): ChainReader {
  const { name: network } = row
  const confirmations = BigInt(confirmationsOf(row))
  const guarded = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error
      throw new MarketError('CHAIN_UNAVAILABLE', { network }, { cause: error })
    }
  }
  const search = createLogSearch(rpc)
  const call = (to: string, data: Hex, at?: bigint): Promise<string> =>
    guarded(async () => {
      const result = await rpc.read('eth_call', [{ to, data }, at === undefined ? 'latest' : hexOf(at)])
      if (typeof result !== 'string') throw new RpcFault('eth_call answered no data')
      return result
    })
  const blockNumber = (): Promise<bigint> => guarded(async () => BigInt(String(await rpc.read('eth_blockNumber', []))))
  const deepBlock = async (): Promise<bigint> => {
    const head = await blockNumber()
    return head > confirmations ? head - confirmations : 0n
  }
  return {
    call,
    receipt: (txHash) => guarded(async () => readReceipt(await rpc.read('eth_getTransactionReceipt', [txHash]))),
    findLog: (...asked) => guarded(() => search.newest(...asked)),
    findLogs: (...asked) => guarded(() => search.all(...asked)),
    async balanceOf(token, owner) {
      const balance = wordAt(await call(token, balanceOfCalldata(owner)), 0)
      if (balance === undefined) throw new MarketError('CHAIN_UNAVAILABLE', { network })
      return balance
    },
    blockNumber,
    deepBlock,
    deepTime: async () => {
      const tag = confirmations === 0n ? 'latest' : hexOf(await deepBlock())
      return guarded(async () => readTime(await rpc.read('eth_getBlockByNumber', [tag, false])))
    },
  }
}

const hexOf = (block: bigint): string => `0x${block.toString(16)}`

function readTime(block: unknown): Date {
  if (!isRecord(block) || typeof block['timestamp'] !== 'string') throw new RpcFault('a block has no time')
  return new Date(Number(block['timestamp']) * 1_000)
}

function readReceipt(value: unknown): Receipt | null {
  if (value === null) return null
  if (!isRecord(value) || typeof value['blockNumber'] !== 'string' || !Array.isArray(value['logs']))
    throw new RpcFault('a receipt has no block')
  return {
    succeeded: value['status'] === '0x1',
    blockNumber: BigInt(value['blockNumber']),
    logs: value['logs'].map(readLog),
  }
}
