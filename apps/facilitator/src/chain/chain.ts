import type { Address, Hex, SignedAuthorization } from '@ergon/protocols'
import { Unavailable } from '../errors.ts'
import type { Log } from './expectation.ts'
import { decodeRevert, type Revert } from './reverts.ts'
import type { RpcAnswer, RpcClient } from './rpc-client.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

export type ChainCall = {
  /** Null: `data` is creation code. */
  readonly to: Address | null
  readonly data: Hex
  readonly authorizationList?: readonly SignedAuthorization[]
}
/** `spends`: what it will cost, where the node says more than that it goes. */
export type Simulation =
  | { readonly gas: bigint; readonly spends?: number; readonly revert?: undefined }
  | { readonly revert: Revert; readonly gas?: undefined }
export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
export type Receipt = {
  readonly transaction: Hex
  readonly blockNumber: number
  readonly succeeded: boolean
  readonly logs: readonly Log[]
}
/** `too-cheap`: not taken at the price that gas has now. */
export type Broadcast = 'accepted' | 'refused' | 'too-cheap'

/** A chain as the settlement pipeline sees it. The local chain and a real network differ only behind this face. */
export type Chain = {
  readonly chainId: number
  readonly pollMs: number
  /** Blocks that have to follow a refusal by the chain before it is the last word; zero where nothing is undone. */
  readonly confirmations: number
  /** The number of the newest block. Throws `Unavailable`. */
  head(): Promise<number>
  /** The call as `from` would send it now; gas already carries its margin. Throws `Unavailable` when the node fails. */
  simulate(from: Address, calls: readonly ChainCall[]): Promise<Simulation[]>
  fees(): Promise<Fees>
  /** 'refused' only when the node says that it does not take the transaction; anything unclear counts as accepted. */
  broadcast(raws: readonly Hex[]): Promise<Broadcast[]>
  /** Asks for a block where blocks come on demand, and says whether they do. */
  advance(): Promise<boolean>
  receipts(hashes: readonly Hex[]): Promise<(Receipt | undefined)[]>
  accountNonce(account: Address, at: 'latest' | 'pending' | number): Promise<number>
  /** The account's next nonce in the newest block and these receipts, in one request. */
  standing(
    account: Address,
    hashes: readonly Hex[],
  ): Promise<{ readonly nonce: number; readonly receipts: readonly (Receipt | undefined)[] }>
  /** Why a mined transaction reverted, as well as it can be told afterwards. */
  explain(from: Address, call: ChainCall, blockNumber: number): Promise<Revert>
}

export type ChainOptions = {
  readonly chainId: number
  readonly confirmations: number
  readonly onDemand: boolean
  readonly surroundings: Surroundings
}

export function createChain(rpc: RpcClient, options: ChainOptions): Chain {
  return options.onDemand
    ? createOnDemandChain(rpc, options.chainId, options.surroundings)
    : createLiveChain(rpc, options)
}

function createLiveChain(rpc: RpcClient, { chainId, confirmations, surroundings }: ChainOptions): Chain {
  let cached: { fees: Fees; until: number } | undefined
  return {
    chainId,
    pollMs: 1000,
    confirmations,
    head: () => head(rpc),
    async simulate(from, calls) {
      const answers = await rpc.batch(
        calls.map((call) => ({ method: 'eth_estimateGas', params: [callObject(from, call)] })),
      )
      return answers.map((answer) => {
        const { gas, revert } = simulation(answer, (result) => (BigInt(result) * 125n) / 100n)
        return gas === undefined ? { revert } : { gas, spends: Number(gas) }
      })
    },
    async fees() {
      if (cached !== undefined && cached.until > surroundings.monotonic()) return cached.fees
      const history = await rpc.call('eth_feeHistory', ['0x5', 'latest', [50]])
      cached = { fees: feesOf(history), until: surroundings.monotonic() + 4000 }
      return cached.fees
    },
    broadcast: (raws) => broadcast(rpc, raws),
    advance: () => Promise.resolve(false),
    receipts: (hashes) => receiptsByHash(rpc, hashes),
    accountNonce: (account, at) => accountNonce(rpc, account, at),
    standing: (account, hashes) => standing(rpc, account, hashes),
    explain: (from, call, blockNumber) => explain(rpc, from, call, blockNumber),
  }
}

/**
 * A development chain that mines when told: a block per batch, no base fee, so a call is the whole simulation. Its
 * newest block may be a minute old, so the call is made at the present time, as the next block will have it.
 */
function createOnDemandChain(rpc: RpcClient, chainId: number, surroundings: Surroundings): Chain {
  return {
    chainId,
    pollMs: 50,
    confirmations: 0,
    head: () => head(rpc),
    async simulate(from, calls) {
      const answers = await rpc.batch(
        calls.map((call) => ({
          method: 'eth_call',
          params: [callObject(from, call), 'latest', {}, { time: quantity(Math.ceil(surroundings.now() / 1000)) }],
        })),
      )
      // Roomy for any call of ours: storing a word of text costs 22,100 gas, and gas is free here.
      return answers.map((answer, index) =>
        simulation(answer, () => 1_500_000n + BigInt(calls[index]?.data.length ?? 0) * 500n),
      )
    },
    fees: () => Promise.resolve({ maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 0n }),
    broadcast: (raws) => broadcast(rpc, raws),
    async advance() {
      await rpc.call('evm_mine', [])
      return true
    },
    async receipts(hashes) {
      const block = await rpc.call('eth_getBlockReceipts', ['latest'])
      const found = new Map(
        (Array.isArray(block) ? (block as unknown[]) : [])
          .map((entry) => parseReceipt(entry))
          .filter((one) => one !== undefined)
          .map((receipt) => [receipt.transaction, receipt]),
      )
      const missing = hashes.filter((hash) => !found.has(hash))
      for (const receipt of await receiptsByHash(rpc, missing))
        if (receipt !== undefined) found.set(receipt.transaction, receipt)
      return hashes.map((hash) => found.get(hash))
    },
    accountNonce: (account, at) => accountNonce(rpc, account, at),
    standing: (account, hashes) => standing(rpc, account, hashes),
    explain: (from, call, blockNumber) => explain(rpc, from, call, blockNumber),
  }
}

function callObject(from: Address, call: ChainCall): Record<string, unknown> {
  const authorizationList = call.authorizationList?.map((one) => ({
    chainId: quantity(one.chainId),
    address: one.address,
    nonce: quantity(one.nonce),
    yParity: quantity(one.yParity),
    r: one.r,
    s: one.s,
  }))
  const to = call.to === null ? {} : { to: call.to }
  return { from, ...to, data: call.data, ...(authorizationList === undefined ? {} : { authorizationList }) }
}

function simulation(answer: RpcAnswer, gasOf: (result: string) => bigint): Simulation {
  if (answer.error === undefined) return { gas: gasOf(typeof answer.result === 'string' ? answer.result : '0x0') }
  const revert = decodeRevert(answer.error)
  if (revert === undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node failed to simulate', { cause: answer.error })
  return { revert }
}

async function broadcast(rpc: RpcClient, raws: readonly Hex[]): Promise<Broadcast[]> {
  const answers = await rpc.batch(raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
  return answers.map(({ error }) => {
    if (error === undefined) return 'accepted'
    if (/max fee per gas less/i.test(error.message)) return 'too-cheap'
    return neverTaken.test(error.message) ? 'refused' : 'accepted'
  })
}

const neverTaken = /insufficient funds|intrinsic gas|exceeds block gas limit|invalid sender|invalid signature/i

async function receiptsByHash(rpc: RpcClient, hashes: readonly Hex[]): Promise<(Receipt | undefined)[]> {
  const answers = await rpc.batch(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
  return answers.map((answer) => parseReceipt(answer.result))
}

function parseReceipt(value: unknown): Receipt | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { transactionHash, blockNumber, status, logs } = value as {
    transactionHash?: Hex
    blockNumber?: string
    status?: string
    logs?: Log[]
  }
  if (transactionHash === undefined || typeof blockNumber !== 'string' || !Array.isArray(logs)) return undefined
  return { transaction: transactionHash, blockNumber: Number(blockNumber), succeeded: status === '0x1', logs }
}

async function head(rpc: RpcClient): Promise<number> {
  const number = await rpc.call('eth_blockNumber', [])
  if (typeof number !== 'string')
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: number })
  return Number(number)
}

async function accountNonce(rpc: RpcClient, account: Address, at: string | number): Promise<number> {
  const block = typeof at === 'number' ? quantity(Math.max(0, at)) : at
  const count = await rpc.call('eth_getTransactionCount', [account, block])
  if (typeof count !== 'string')
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: count })
  return Number(count)
}

async function standing(rpc: RpcClient, account: Address, hashes: readonly Hex[]): ReturnType<Chain['standing']> {
  const [count, ...answers] = await rpc.batch([
    { method: 'eth_getTransactionCount', params: [account, 'latest'] },
    ...hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  ])
  if (typeof count?.result !== 'string')
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: count?.error })
  // A receipt that could not be read is not an absent one.
  const failed = answers.find((answer) => answer.error !== undefined)
  if (failed !== undefined)
    throw new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: failed.error })
  return { nonce: Number(count.result), receipts: answers.map((answer) => parseReceipt(answer.result)) }
}

async function explain(rpc: RpcClient, from: Address, call: ChainCall, blockNumber: number): Promise<Revert> {
  const [answer] = await rpc
    .batch([{ method: 'eth_call', params: [callObject(from, call), quantity(blockNumber)] }])
    .catch(() => [])
  const revert = answer?.error === undefined ? undefined : decodeRevert(answer.error)
  return revert ?? { code: 'ContractCall', reason: 'the transaction reverted' }
}

function feesOf(history: unknown): Fees {
  const { baseFeePerGas, reward } = history as { baseFeePerGas?: string[]; reward?: string[][] }
  const base = BigInt(baseFeePerGas?.at(-1) ?? '0x0')
  const tips = (reward ?? []).map((row) => BigInt(row[0] ?? '0x0')).toSorted((a, b) => (a < b ? -1 : 1))
  const tip = tips[Math.floor(tips.length / 2)] ?? 0n
  const maxPriorityFeePerGas = tip > 0n ? tip : 1_000_000n
  // Twice the base fee survives six full blocks of growth (EIP-1559: at most an eighth a block).
  return { maxPriorityFeePerGas, maxFeePerGas: base * 2n + maxPriorityFeePerGas }
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`
}
