import { type Address, authorizationStateCalldata, balanceOfCalldata, type Hex } from '@ergon/protocols'
import { Unavailable } from '../errors.ts'
import { every, type Surroundings } from '../surroundings/surroundings.ts'
import type { RpcClient } from './rpc-client.ts'

export type PayerState = { readonly balance: bigint; readonly nonceUsed: boolean }

/**
 * A payer's balance and whether a nonce is spent, as of the newest block. Reads of one moment travel as one batch,
 * and an answer serves until the next block: verification is advice about the present, settlement simulates again.
 */
export type StateCache = {
  read(token: Address, payer: Address, nonce: Hex): Promise<PayerState>
  /** A settlement of ours moved funds. */
  clear(): void
  [Symbol.dispose](): void
}

type Pending = {
  readonly to: Address
  readonly data: Hex
  readonly resolve: (word: bigint) => void
  readonly reject: (error: unknown) => void
}

const maxEntries = 50_000
const maxBatch = 200
/** Nothing is served longer than this, even where the block watcher falls behind. */
const maxAgeMs = 2_000
const idleAfterMs = 10_000

export function createStateCache(
  rpc: RpcClient,
  options: { readonly blockPollMs: number; readonly surroundings: Surroundings },
): StateCache {
  const { surroundings } = options
  let words = new Map<string, Promise<bigint>>()
  let filledAt = 0
  let usedAt = 0
  let block = ''
  let pending: Pending[] = []

  const clear = (): void => {
    words = new Map()
  }

  const flush = (): void => {
    const all = pending
    pending = []
    for (let start = 0; start < all.length; start += maxBatch) void fetchWords(rpc, all.slice(start, start + maxBatch))
  }

  const word = (to: Address, data: Hex): Promise<bigint> => {
    const key = to + data
    const known = words.get(key)
    if (known !== undefined) return known
    if (words.size >= maxEntries) clear()
    if (words.size === 0) filledAt = surroundings.monotonic()
    const { promise, resolve, reject } = Promise.withResolvers<bigint>()
    const into = words
    into.set(key, promise)
    promise.catch(() => {
      into.delete(key)
    })
    pending.push({ to, data, resolve, reject })
    if (pending.length === 1) void surroundings.turn().then(flush)
    return promise
  }

  // Looks for a new block only while verifications come in.
  let stop: (() => void) | undefined
  const look = async (): Promise<void> => {
    if (words.size === 0 || surroundings.monotonic() - usedAt > idleAfterMs) {
      clear()
      stop?.()
      stop = undefined
      return
    }
    try {
      const newest = String(await rpc.call('eth_blockNumber', []))
      if (newest === block) return
      block = newest
    } catch {
      // What cannot be checked is not served.
    }
    clear()
  }

  return {
    async read(token, payer, nonce) {
      usedAt = surroundings.monotonic()
      stop ??= every(surroundings, options.blockPollMs, look)
      if (usedAt - filledAt > maxAgeMs) clear()
      const [balance, used] = await Promise.all([
        word(token, balanceOfCalldata(payer)),
        word(token, authorizationStateCalldata(payer, nonce)),
      ])
      return { balance, nonceUsed: used !== 0n }
    },
    clear,
    [Symbol.dispose]() {
      stop?.()
    },
  }
}

async function fetchWords(rpc: RpcClient, reads: readonly Pending[]): Promise<void> {
  try {
    const answers = await rpc.batch(
      reads.map((read) => ({ method: 'eth_call', params: [{ to: read.to, data: read.data }, 'latest'] })),
    )
    for (const [index, read] of reads.entries()) {
      const result = answers[index]?.result
      if (typeof result === 'string' && result.length === 66) read.resolve(BigInt(result))
      else
        read.reject(
          new Unavailable('rpc_unavailable', 'the chain node did not answer a read', { cause: answers[index]?.error }),
        )
    }
  } catch (error) {
    for (const read of reads) read.reject(error)
  }
}
