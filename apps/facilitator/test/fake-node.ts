import { addressOf, hexToBytes, keccak256Hex, type Hex } from '@ergon/protocols'
import { parseTransaction } from 'viem'
import type { Draft } from '../src/chain/draft.ts'
import { Refusal, Unavailable } from '../src/errors.ts'
import type { RpcAnswer, RpcClient, RpcRequest } from '../src/chain/rpc-client.ts'
import { addresses, facilitator } from '../src/testing/payments.ts'

type Known = { readonly raw: Hex; readonly hash: Hex; readonly nonce: number; readonly data: Hex }

/** One account's view of a node: a pool, a chain, and whatever trouble a test wants. */
export type FakeNode = RpcClient & {
  /** The raw transactions handed over, in order. */
  readonly handed: Known[]
  readonly mined: Known[]
  /** What a node says to a transaction instead of taking it. */
  refuses: (transaction: Known) => string | undefined
  /** What was mined is refused by the chain, as where a block was undone and its transactions came in another order. */
  reverts: (transaction: Known) => boolean
  /** Loses the answer of a request with this method. */
  loses: (method: string) => boolean
  /** The data of the event of what was mined. */
  says: (transaction: Known) => Hex
  isMining: boolean
  /** Mines what it is handed, instead of waiting to be told. */
  isLive: boolean
  /** Blocks without a transaction of the account, after those that have one. */
  empty: number
  /** Answers nonces this much too low. */
  lag: number
  /** Another transaction takes the next nonce. */
  takeNonce(): void
  /** The last block is undone, and what was in it is forgotten. */
  undo(): void
  /** The last block is undone, and what is made in its place has this transaction. */
  remine(transaction: Known): void
}

export const fakeEvent: Hex = `0x${'ee'.repeat(32)}`

export function createFakeNode(): FakeNode {
  const pool = new Map<number, Known>()
  const chain: (Known | undefined)[] = []
  const node: FakeNode = {
    handed: [],
    get mined() {
      return chain.filter((one) => one !== undefined)
    },
    refuses: () => undefined,
    reverts: () => false,
    loses: () => false,
    says: () => '0x',
    isMining: true,
    isLive: false,
    empty: 0,
    lag: 0,
    takeNonce() {
      chain.push(undefined)
    },
    undo() {
      chain.pop()
    },
    remine(transaction) {
      chain.splice(-1, 1, transaction)
    },
    async batch(requests) {
      const answers = requests.map(answer)
      if (requests.some(({ method }) => node.loses(method)))
        throw new Unavailable('rpc_unavailable', 'the chain node does not answer')
      return answers
    },
    async call(method, params) {
      const [one] = await node.batch([{ method, params }])
      if (one?.error !== undefined) throw new Unavailable('rpc_unavailable', one.error.message)
      return one?.result
    },
    [Symbol.dispose]: () => undefined,
  }
  const mine = (): void => {
    for (let next = pool.get(chain.length); node.isMining && next !== undefined; next = pool.get(chain.length))
      chain.push(next)
  }
  const take = (raw: Hex): RpcAnswer => {
    const { nonce = 0, data = '0x' } = parseTransaction(raw)
    const known: Known = { raw, hash: keccak256Hex(hexToBytes(raw)), nonce, data }
    node.handed.push(known)
    const refusal = node.refuses(known)
    if (refusal !== undefined) return { error: { code: -32000, message: refusal } }
    if (nonce < chain.length) return { error: { code: -32000, message: 'nonce too low' } }
    pool.set(nonce, known)
    if (node.isLive) mine()
    return { result: known.hash }
  }
  const receipt = (hash: Hex): unknown => {
    const index = chain.findIndex((one) => one?.hash === hash)
    const mined = chain[index]
    if (mined === undefined) return null
    const isRefused = node.reverts(mined)
    const isSilent = isRefused || mined.data === '0x'
    const logs = isSilent ? [] : [{ address: addresses.token, topics: [fakeEvent], data: node.says(mined) }]
    return { transactionHash: hash, blockNumber: quantity(index + 1), status: isRefused ? '0x0' : '0x1', logs }
  }
  const answer = ({ method, params }: RpcRequest): RpcAnswer => {
    switch (method) {
      case 'eth_chainId':
        return { result: quantity(31337) }
      case 'web3_clientVersion':
        return { result: 'anvil/fake' }
      case 'eth_getCode':
        return { result: '0x60' }
      case 'eth_call':
        return { result: '0x' }
      case 'eth_blockNumber':
        return { result: quantity(chain.length + node.empty) }
      case 'eth_estimateGas':
        return { result: quantity(100_000) }
      case 'eth_feeHistory':
        return { result: { baseFeePerGas: ['0x1'], reward: [['0x1']] } }
      case 'eth_getBlockReceipts':
        return { result: [] }
      case 'eth_getTransactionCount': {
        const at = String(params[1])
        // A block has one transaction.
        if (at.startsWith('0x')) return { result: quantity(Math.min(Number(at), chain.length)) }
        let pending = chain.length
        while (params[1] === 'pending' && pool.has(pending)) pending += 1
        return { result: quantity(Math.max(0, pending - node.lag)) }
      }
      case 'eth_sendRawTransaction':
        return take(params[0] as Hex)
      case 'eth_getTransactionReceipt':
        return { result: receipt(params[0] as Hex) }
      case 'evm_mine':
        mine()
        return { result: '0x0' }
      default:
        return { error: { code: -32601, message: `no ${method}` } }
    }
  }
  return node
}

let drafts = 0

/** A transaction that the fake node mines with the event it expects. */
export function aDraft(): Draft {
  drafts += 1
  return {
    kind: 'exact',
    onceKey: `draft ${drafts}`,
    sameness: 'same',
    requestHash: `hash ${drafts}`,
    conflictKeys: [],
    call: { to: addresses.token, data: `0x${drafts.toString(16).padStart(8, '0')}` },
    expectations: [{ emitter: addresses.token, events: [fakeEvent], indexed: [] }],
    spent: () => new Refusal('spent', 'spent'),
    refuse: () => new Refusal('refused', 'refused'),
  }
}

export const fakeAccount = addressOf(hexToBytes(facilitator.privateKey))

function quantity(value: number): Hex {
  return `0x${value.toString(16)}`
}
