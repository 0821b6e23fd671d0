import { zeroAddress, type Address, type Hex } from '@ergon/protocols'
import type { Answer, MemoryChain, Receipt } from './memory-chain.ts'
import { BadTransaction, decodeTransaction, type Transaction } from './transaction.ts'
import { deployment } from './deployment.ts'

export type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown }
export type RpcAnswer =
  { readonly result: unknown; readonly error?: undefined } | { readonly error: RpcError; readonly result?: undefined }

/** How a node answers now. */
export type View = {
  /** How many blocks it is behind. */
  readonly lag: number
  /** What to do with a transaction that it took; the default keeps it in the pool. */
  readonly onTaken?: (transaction: Transaction) => void
}

const synced: View = { lag: 0 }
const gas = '0x30d40'
const gasPrice = '0x3b9aca00'

function hex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`
}

function fail(code: number, message: string, data?: unknown): RpcAnswer {
  return { error: data === undefined ? { code, message } : { code, message, data } }
}

function fromAnswer(answer: Answer, result: (value: Hex) => unknown): RpcAnswer {
  return answer.revert === undefined ? { result: result(answer.result) } : fail(3, 'execution reverted', answer.revert)
}

/** What a node answers of a log and of a receipt stays the same: it is written once. */
export function logObject(receipt: Receipt, log: Receipt['logs'][number]): Readonly<Record<string, unknown>> {
  log.told ??= writeLog(receipt, log)
  return log.told
}

function writeLog(receipt: Receipt, log: Receipt['logs'][number]): Readonly<Record<string, unknown>> {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: receipt.block.hash,
    blockNumber: hex(receipt.block.number),
    transactionHash: receipt.transaction.hash,
    transactionIndex: hex(receipt.index),
    logIndex: hex(log.index),
    removed: false,
  }
}

function receiptObject(receipt: Receipt): Readonly<Record<string, unknown>> {
  receipt.told ??= writeReceipt(receipt)
  return receipt.told
}

function writeReceipt(receipt: Receipt): Readonly<Record<string, unknown>> {
  const { transaction, block } = receipt
  return {
    transactionHash: transaction.hash,
    transactionIndex: hex(receipt.index),
    blockHash: block.hash,
    blockNumber: hex(block.number),
    from: transaction.from,
    to: transaction.to,
    status: receipt.succeeded ? '0x1' : '0x0',
    type: '0x2',
    contractAddress: null,
    cumulativeGasUsed: gas,
    gasUsed: gas,
    effectiveGasPrice: gasPrice,
    logsBloom: '0x',
    logs: receipt.logs.map((log) => logObject(receipt, log)),
  }
}

function transactionObject({ transaction, block, index }: Receipt): Readonly<Record<string, unknown>> {
  const { hash, from, to, nonce, data } = transaction
  return {
    hash,
    from,
    to,
    nonce: hex(nonce),
    input: data,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    transactionIndex: hex(index),
    type: '0x2',
    value: '0x0',
  }
}

type CallObject = { readonly from?: string; readonly to?: string; readonly data?: Hex; readonly input?: Hex }

function callOf(value: unknown): { readonly from: Address; readonly to: Address; readonly data: Hex } {
  // The callers are our own clients; what they leave out is empty.
  const { from, to, data, input } = value as CallObject
  const lower = (address: string | undefined): Address =>
    address === undefined ? zeroAddress : (address.toLowerCase() as Address) // a hex string stays one
  return { from: lower(from), to: lower(to), data: data ?? input ?? '0x' }
}

type Filter = {
  readonly address?: string | readonly string[]
  readonly topics?: readonly (string | readonly string[] | null)[]
  readonly fromBlock?: string
  readonly toBlock?: string
}

function covers(wanted: string | readonly string[] | null | undefined, value: string | undefined): boolean {
  if (wanted === null || wanted === undefined) return true
  if (value === undefined) return Array.isArray(wanted) && wanted.length === 0
  if (typeof wanted === 'string') return wanted.toLowerCase() === value
  return wanted.length === 0 || wanted.some((one) => one.toLowerCase() === value)
}

/** One node of the chain over JSON-RPC: the calls that our services and their tests make. */
export function askNode(
  chain: MemoryChain,
  method: string,
  params: readonly unknown[],
  view: View = synced,
): RpcAnswer {
  const newest = Math.max(0, chain.head.number - view.lag)
  const past = view.lag === 0 ? undefined : newest
  const numberOf = (tag: unknown): number => {
    if (tag === 'earliest') return 0
    return typeof tag === 'string' && tag.startsWith('0x') ? Math.min(Number(tag), newest) : newest
  }
  const at = (tag: unknown): { readonly number?: number; readonly time?: number } => {
    const number = numberOf(tag)
    if (number === chain.head.number) return {}
    const block = chain.blocks.findLast((one) => one.number <= number)
    return { number, ...(block?.number === number ? { time: block.time } : {}) }
  }
  switch (method) {
    case 'eth_chainId':
      return { result: hex(deployment.chainId) }
    case 'web3_clientVersion':
      return { result: 'simulation/1' }
    case 'eth_blockNumber':
      return { result: hex(newest) }
    case 'eth_getBlockByNumber':
      return { result: blockObject(chain, numberOf(params[0])) }
    case 'eth_getCode':
      return { result: chain.hasCode(String(params[0]).toLowerCase()) ? '0x60' : '0x' }
    case 'eth_gasPrice':
      return { result: gasPrice }
    case 'eth_feeHistory':
      return {
        result: { oldestBlock: hex(newest), baseFeePerGas: ['0x7', '0x7'], gasUsedRatio: [0.5], reward: [[gasPrice]] },
      }
    case 'eth_call': {
      // The fourth parameter overrides fields of the block, as development nodes take them.
      const time = (params[3] as { time?: string } | undefined)?.time // our own client wrote it
      return fromAnswer(
        chain.call(callOf(params[0]), { ...at(params[1]), ...(time === undefined ? {} : { time: Number(time) }) }),
        (value) => value,
      )
    }
    case 'eth_estimateGas':
      return fromAnswer(chain.call(callOf(params[0]), at('latest')), () => gas)
    case 'eth_getTransactionCount': {
      const account = String(params[0]).toLowerCase() as Address // an address stays one
      const asked = numberOf(params[1])
      const mined = chain.nonceOf(account, asked < newest ? asked : past)
      return { result: hex(params[1] === 'pending' ? chain.pool.nextNonce(account, mined) : mined) }
    }
    case 'eth_sendRawTransaction':
      return send(chain, String(params[0]) as Hex, view) // raw bytes are hex
    case 'eth_getTransactionReceipt': {
      const receipt = chain.receipt(String(params[0]) as Hex, past) // a hash is hex
      return { result: receipt === undefined ? null : receiptObject(receipt) }
    }
    case 'eth_getTransactionByHash': {
      const receipt = chain.receipt(String(params[0]) as Hex, past) // a hash is hex
      return { result: receipt === undefined ? null : transactionObject(receipt) }
    }
    case 'eth_getLogs':
      return { result: logsOf(chain, params[0] as Filter, numberOf) } // a filter of our own clients
    default:
      return fail(-32601, `the method ${method} does not exist`)
  }
}

function blockObject(chain: MemoryChain, number: number): Readonly<Record<string, unknown>> {
  const block = chain.blocks.findLast((one) => one.number <= number)
  const isMade = block?.number === number
  const time =
    number === chain.head.number
      ? chain.head.time
      : isMade
        ? block.time
        : chain.head.time - (chain.head.number - number)
  return {
    number: hex(number),
    timestamp: hex(time),
    hash: isMade ? block.hash : hex(number).padEnd(66, '0'),
    transactions: isMade ? block.receipts.map((receipt) => receipt.transaction.hash) : [],
  }
}

function send(chain: MemoryChain, raw: Hex, view: View): RpcAnswer {
  try {
    const transaction = decodeTransaction(raw, deployment.chainId)
    const complaint =
      chain.receipt(transaction.hash) !== undefined
        ? 'already known'
        : chain.pool.add(transaction, chain.nonceOf(transaction.from))
    if (complaint !== undefined) return fail(-32000, complaint)
    view.onTaken?.(transaction)
    return { result: transaction.hash }
  } catch (error) {
    if (!(error instanceof BadTransaction)) throw error
    return fail(-32000, error.message)
  }
}

function logsOf(chain: MemoryChain, filter: Filter, numberOf: (tag: unknown) => number): readonly unknown[] {
  const [from, to] = [
    filter.fromBlock === undefined ? numberOf('latest') : numberOf(filter.fromBlock),
    numberOf(filter.toBlock ?? 'latest'),
  ]
  const found: unknown[] = []
  for (const block of chain.blocks) {
    if (block.number < from || block.number > to) continue
    for (const receipt of block.receipts) {
      for (const log of receipt.logs) {
        if (!covers(filter.address, log.address)) continue
        if ((filter.topics ?? []).every((wanted, index) => covers(wanted, log.topics[index])))
          found.push(logObject(receipt, log))
      }
    }
  }
  return found
}
