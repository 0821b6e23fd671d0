import { type Hex, isHex32 } from '@ergon/protocols'

/** One log of a chain and where it lies. */
export type ChainLog = {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: string
  readonly transactionHash: Hex
  readonly blockNumber: bigint
  readonly logIndex: number
}

/** A log as eth_getLogs and receipts hold it; throws the fault for one that is none, as of a pending block. */
export function readLog(value: unknown, fault: (message: string) => Error): ChainLog {
  const log = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const { address, topics, data, transactionHash, blockNumber, logIndex } = log
  if (
    typeof address !== 'string' ||
    !Array.isArray(topics) ||
    typeof data !== 'string' ||
    !isHex32(transactionHash) ||
    typeof blockNumber !== 'string' ||
    typeof logIndex !== 'string'
  )
    throw fault('a log is not readable')
  return {
    address,
    topics: topics.filter(isHex32),
    data,
    transactionHash,
    blockNumber: BigInt(blockNumber),
    logIndex: Number(logIndex),
  }
}
