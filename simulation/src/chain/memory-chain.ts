import type { Address, Hex } from '@ergon/protocols'
import { callEscrow, hasCode } from './escrow.ts'
import { deployment } from './deployment.ts'
import { Reverted, type Frame, type Log } from './frame.ts'
import { createWorldState, type Layer, type WorldState } from './journal.ts'
import { selectorOf } from './names.ts'
import { callOperator } from './operator.ts'
import { createPool, type Pool } from './pool.ts'
import { callToken } from './token.ts'
import type { ChainFacts } from '../invariants/movements.ts'
import type { Transaction } from './transaction.ts'
import { addressWord, Undecodable } from './words.ts'

export type Call = { readonly from: Address; readonly to: Address; readonly data: Hex }
/** What a call answers, or what it reverts with. */
export type Answer =
  { readonly result: Hex; readonly revert?: undefined } | { readonly revert: Hex; readonly result?: undefined }
/** `told`: how a node writes it. */
export type MinedLog = Log & { readonly index: number; told: Readonly<Record<string, unknown>> | undefined }
export type Receipt = {
  readonly transaction: Transaction
  readonly block: Block
  readonly index: number
  readonly succeeded: boolean
  readonly logs: readonly MinedLog[]
  /** What the invariants have read in it. */
  facts: ChainFacts | undefined
  told: Readonly<Record<string, unknown>> | undefined
}
/** A block with transactions. Empty ones are not kept: the head's number and time stand for them. */
export type Block = {
  readonly number: number
  readonly time: number
  readonly hash: Hex
  readonly receipts: Receipt[]
  layer: Layer
}

/** The local chain's contracts on a chain of our own: blocks when told, a pool, and reorganizations. */
export type MemoryChain = {
  readonly state: WorldState
  readonly pool: Pool
  readonly head: { readonly number: number; readonly time: number }
  readonly blocks: readonly Block[]
  /** Grows with everything that changes what the chain answers. */
  readonly version: number
  /** Blocks without transactions, up to this one. */
  advance(number: number, time: number): void
  /** A block of these transactions, in this order; those whose nonce is not the next are left out. */
  mine(number: number, time: number, transactions: readonly Transaction[]): Block
  /** Takes the blocks from this number on out; answers their transactions in their order. */
  unwind(from: number): readonly Transaction[]
  /** A call at the head, or at the end of an earlier block, as its own second or another one sees it. */
  call(call: Call, at?: { readonly number?: number; readonly time?: number }): Answer
  nonceOf(account: Address, number?: number): number
  receipt(hash: Hex, number?: number): Receipt | undefined
  hasCode(account: string): boolean
  /** Writes outside any transaction: what a world begins with. */
  begin(write: (frame: Frame) => void): void
}

const collectorType = selectorOf('Eip3009Collector', 'collectorType')

const contracts: Readonly<Record<string, (frame: Frame, sender: Address, data: Hex) => string>> = {
  [deployment.token]: callToken,
  [deployment.escrow]: callEscrow,
  [deployment.operator]: callOperator,
  [deployment.collector]: (_frame, _sender, data) => {
    // The other view is authCaptureEscrow(); only the escrow may collect.
    if (data.startsWith(collectorType)) return '0'.repeat(64)
    return addressWord(deployment.escrow)
  },
}

function execute(frame: Frame, { from, to, data }: Call): Answer {
  const mark = frame.state.mark()
  try {
    return { result: `0x${contracts[to]?.(frame, from, data) ?? ''}` }
  } catch (error) {
    if (!(error instanceof Reverted) && !(error instanceof Undecodable)) throw error
    frame.state.rollback(mark)
    frame.logs.length = 0
    return { revert: error instanceof Reverted ? error.data : '0x' }
  }
}

/** What a call would answer now; nothing of it stays. */
function probe(state: WorldState, time: number, call: Call): Answer {
  const mark = state.mark()
  const answer = execute({ state, time: BigInt(time), logs: [] }, call)
  state.rollback(mark)
  return answer
}

function nonceKey(account: Address): string {
  return `nonce:${account}`
}

/** Runs the transactions of a block whose nonces fit, in their order, and answers their receipts. */
function carryOut(state: WorldState, block: Block, transactions: readonly Transaction[]): readonly Receipt[] {
  let logIndex = 0
  for (const transaction of transactions) {
    if (transaction.nonce !== Number(state.get(nonceKey(transaction.from)))) continue
    const frame: Frame = { state, time: BigInt(block.time), logs: [] }
    state.set(nonceKey(transaction.from), BigInt(transaction.nonce + 1))
    const { revert } = execute(frame, transaction)
    const logs = frame.logs.map((log, at) => ({ ...log, index: logIndex + at, told: undefined }))
    logIndex += logs.length
    block.receipts.push({
      transaction,
      block,
      index: block.receipts.length,
      succeeded: revert === undefined,
      logs,
      facts: undefined,
      told: undefined,
    })
  }
  return block.receipts
}

/** Runs `read` in the state before these blocks, and comes back. */
function without<T>(state: WorldState, later: readonly Block[], read: () => T): T {
  for (const block of later.toReversed()) state.takeOut(block.layer)
  try {
    return read()
  } finally {
    for (const block of later) state.putBack(block.layer)
  }
}

/** `made`: how many were made so far, so that the block that takes the place of another has another hash. */
function emptyBlock(number: number, time: number, made: number): Block {
  return {
    number,
    time,
    hash: `0x${made.toString(16).padStart(8, '0')}${number.toString(16).padStart(56, '0')}`,
    receipts: [],
    layer: { keys: [], values: [] },
  }
}

/** Takes the blocks from this number on off the chain and out of the state; answers them in their order. */
function takeOff(state: WorldState, blocks: Block[], from: number): readonly Block[] {
  const gone: Block[] = []
  for (let last = blocks.at(-1); last !== undefined && last.number >= from; last = blocks.at(-1)) {
    state.takeOut(last.layer)
    gone.unshift(last)
    blocks.pop()
  }
  return gone
}

export function createMemoryChain(genesis: { readonly number: number; readonly time: number }): MemoryChain {
  const state = createWorldState()
  const pool = createPool()
  const blocks: Block[] = []
  const receipts = new Map<Hex, Receipt>()
  let made = 0

  const inPast = <T>(number: number | undefined, read: () => T): T =>
    number === undefined || number >= chain.head.number
      ? read()
      : without(
          state,
          blocks.filter((block) => block.number > number),
          read,
        )
  const nonceOf = (account: Address): number => Number(state.get(nonceKey(account)))

  const mine = (number: number, time: number, transactions: readonly Transaction[]): Block => {
    if (number <= (blocks.at(-1)?.number ?? genesis.number)) throw new Error('a block comes after those before it')
    made += 1
    const block = emptyBlock(number, time, made)
    const mark = state.mark()
    for (const receipt of carryOut(state, block, transactions)) {
      receipts.set(receipt.transaction.hash, receipt)
      pool.remove(receipt.transaction)
    }
    block.layer = state.layer(mark)
    blocks.push(block)
    if (number > chain.head.number) chain.head = { number, time }
    chain.version += 1
    return block
  }

  const chain: MemoryChain & { head: MemoryChain['head']; version: number } = {
    state,
    pool,
    blocks,
    mine,
    head: genesis,
    version: 0,
    advance(number, time) {
      if (number > chain.head.number) chain.head = { number, time }
    },
    unwind(from) {
      const gone = takeOff(state, blocks, from)
      const transactions = gone.flatMap((block) => block.receipts.map((receipt) => receipt.transaction))
      for (const { hash } of transactions) receipts.delete(hash)
      pool.restore(transactions)
      chain.version += 1
      return transactions
    },
    call: (call, at = {}) => inPast(at.number, () => probe(state, at.time ?? chain.head.time, call)),
    nonceOf: (account, number) => inPast(number, () => nonceOf(account)),
    receipt(hash, number) {
      const receipt = receipts.get(hash)
      return receipt === undefined || receipt.block.number > (number ?? chain.head.number) ? undefined : receipt
    },
    hasCode: (account) => hasCode({ state, time: 0n, logs: [] }, account),
    begin(write) {
      const frame: Frame = { state, time: BigInt(genesis.time), logs: [] }
      write(frame)
      // What is there from the beginning is never taken back.
      state.layer(0)
    },
  }
  return chain
}
