import { decodeTransaction, transactionId } from '@ergon/channels'
import type { LedgerAccount, SolanaLedger, TransactionStatus } from '@ergon/channels'
import { TransactionRefused } from '../refusal.ts'
import { createNodes, LedgerUnavailable } from './nodes.ts'
import type { Nodes, NodesOptions, Offered } from './nodes.ts'
import {
  contextOf,
  readAccount,
  readBlockhash,
  readFees,
  readHeight,
  readHistory,
  readNumber,
  readStatus,
  readTrial,
} from './read-answers.ts'
import type { Trial } from './read-answers.ts'
import { readRecorded, type RecordedTransaction } from './recorded.ts'

export type { Trial }

export type RpcLedgerOptions = Pick<NodesOptions, 'urls' | 'genesisHash'> & {
  /** What reads see. Statuses tell their own commitment, and block heights are of finalized blocks. */
  readonly commitment?: 'confirmed' | 'finalized'
  /** How many nodes have to say the same of an account or a transaction before it is believed. */
  readonly witnesses?: number
  readonly timeoutMs?: number
  /** The most that is paid for priority, in millionths of a lamport for each compute unit. */
  readonly maxPriorityFee?: bigint
  readonly onTrouble?: (message: string) => void
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<void>
}

/** An account of a cluster, with what only a program has. */
export type ClusterAccount = LedgerAccount & { readonly executable: boolean }

/** A cluster's ledger by RPC. Every method throws `LedgerUnavailable` when no node can be believed. */
export type RpcLedger = SolanaLedger & {
  clusterAccount(address: string): Promise<ClusterAccount | null>
  /** What a signed transaction would come to now: its bytes as they are, with their signatures and their blockhash. */
  simulate(wire: Uint8Array): Promise<Trial>
  /**
   * What others paid of late for writing these accounts, the third quartile, within the setting; in millionths of a
   * lamport for each compute unit.
   */
  priorityFee(writable: readonly string[]): Promise<bigint>
  /**
   * Finalized transactions that name an address, the newest first, as far as a node keeps them; those older than the
   * one of that signature. A node that does not know it answers none.
   */
  history(address: string, limit: number, before?: string): Promise<readonly PastTransaction[]>
  /** A finalized transaction with all it did; null where no node keeps it any more. */
  transaction(signature: string): Promise<RecordedTransaction | null>
  /** Whether a node knows the blockhash and takes a transaction that names it: whoever sends one names a recent one. */
  isRecent(blockhash: string): Promise<boolean>
  standing(): ReturnType<Nodes['standing']>
}

/** A transaction by its id, and whether it did what it says. */
export type PastTransaction = { readonly signature: string; readonly slot: bigint; readonly isFailed: boolean }

const clockSysvar = 'SysvarC1ock11111111111111111111111111111111'
const unixTimeAt = 32
const preflightFailed = -32_002
const mostFeeAccounts = 128

/**
 * The ledger of a cluster.
 *
 * `send` offers the bytes to one node after the other until one takes them; doing so twice is harmless, because a
 * signature counts once. It rejects with `TransactionRefused` when a node ran them on trial and they failed, unless
 * another node may have them already.
 */
export function createRpcLedger(options: RpcLedgerOptions): RpcLedger {
  const { commitment = 'confirmed', witnesses = 1, timeoutMs = 5_000, maxPriorityFee = 1_000_000n } = options
  const nodes = createNodes({
    urls: options.urls,
    genesisHash: options.genesisHash,
    timeoutMs,
    now: options.now ?? (() => Date.now()),
    sleep: options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
    onTrouble: options.onTrouble ?? (() => undefined),
  })
  const reads = readsOf(nodes, commitment, witnesses)
  return {
    ...reads,
    time: async () => {
      const clock = await reads.clusterAccount(clockSysvar)
      if (clock === null || clock.data.length < unixTimeAt + 8) throw new LedgerUnavailable('the cluster tells no time')
      return Buffer.from(clock.data).readBigInt64LE(unixTimeAt)
    },
    account: async (address) => {
      const account = await reads.clusterAccount(address)
      if (account === null) return null
      const { owner, data, lamports, slot } = account
      return { owner, data, lamports, slot }
    },
    send: (wire) => send(nodes, wire),
    priorityFee: async (writable) => {
      const fees = await nodes.ask({
        method: 'getRecentPrioritizationFees',
        params: () => [writable.slice(0, mostFeeAccounts)],
        read: (result) => ({ value: readFees(result) }),
      })
      const usual = fees.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor((fees.length * 3) / 4)] ?? 0n
      return usual < maxPriorityFee ? usual : maxPriorityFee
    },
    ...pastOf(nodes, witnesses),
    standing: () => nodes.standing(),
  }
}

type Reads = Pick<
  RpcLedger,
  'clusterAccount' | 'simulate' | 'slot' | 'blockhash' | 'isRecent' | 'blockHeight' | 'status'
>

function readsOf(nodes: Nodes, commitment: 'confirmed' | 'finalized', witnesses: number): Reads {
  const since = (leastSlot: bigint) => ({ commitment, minContextSlot: Number(leastSlot) })
  return {
    clusterAccount: async (address) => {
      const { found } = await nodes.ask({
        method: 'getAccountInfo',
        params: (least) => [address, { encoding: 'base64', ...since(least) }],
        read: (result) => boxed(contextOf(result, readAccount)),
        witnesses,
        combine: same,
      })
      return found
    },
    simulate: (wire) =>
      nodes.ask({
        method: 'simulateTransaction',
        params: (least) => [
          Buffer.from(wire).toString('base64'),
          { encoding: 'base64', sigVerify: true, ...since(least) },
        ],
        read: (result) => contextOf(result, readTrial),
      }),
    slot: () =>
      nodes.ask({
        method: 'getSlot',
        params: (least) => [since(least)],
        read: (result) => ({ value: readNumber(result), slot: readNumber(result) }),
      }),
    blockhash: () =>
      nodes.ask({
        method: 'getLatestBlockhash',
        params: (least) => [since(least)],
        read: (result) => contextOf(result, readBlockhash),
      }),
    isRecent: (blockhash) =>
      nodes.ask({
        method: 'isBlockhashValid',
        // A wallet may have had it from a block that is not confirmed yet.
        params: (least) => [blockhash, { ...since(least), commitment: 'processed' }],
        read: (result) => contextOf(result, (value) => value === true),
      }),
    // Finalized, and the lowest that is told: what is past it is past for good. With its slot, so that no node that
    // lags behind it is asked afterwards whether a transaction is known.
    blockHeight: () =>
      nodes.ask({
        method: 'getEpochInfo',
        params: () => [{ commitment: 'finalized' }],
        read: readHeight,
        isOldAllowed: true,
        witnesses,
        combine: (heights) => heights.toSorted((a, b) => (a < b ? -1 : 1))[0],
      }),
    status: (signature) =>
      nodes.ask<TransactionStatus>({
        method: 'getSignatureStatuses',
        params: () => [[signature], { searchTransactionHistory: true }],
        read: (result) => contextOf(result, readStatus),
        isNoted: false,
        witnesses,
        combine: same,
      }),
  }
}

function pastOf(nodes: Nodes, witnesses: number): Pick<RpcLedger, 'history' | 'transaction'> {
  return {
    history: (address, limit, before) =>
      nodes.ask({
        method: 'getSignaturesForAddress',
        params: (least) => [
          address,
          { limit, ...(before && { before }), commitment: 'finalized', minContextSlot: Number(least) },
        ],
        read: (result) => ({ value: readHistory(result) }),
        witnesses,
        combine: same,
      }),
    transaction: async (signature) => {
      const { found } = await nodes.ask({
        method: 'getTransaction',
        params: () => [signature, { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 0 }],
        read: (result) => ({ value: { found: readRecorded(result) } }),
      })
      // Its id is its first signature: a node that answers another one is not believed.
      if (found !== null && transactionId(decodeTransaction(found.wire)) !== signature)
        throw new LedgerUnavailable('a Solana node answers another transaction')
      return found
    },
  }
}

/** No account is an answer too; undefined would be none. */
function boxed<T>({ value, slot }: { readonly value: T; readonly slot: bigint }) {
  return { value: { found: value }, slot }
}

/** The first, if all say the same: nodes read at different slots, and nothing else may differ. */
function same<T>(answers: readonly T[]): T | undefined {
  const text = (answer: T) =>
    JSON.stringify(answer, (key, field: unknown) =>
      key === 'slot' ? undefined : typeof field === 'bigint' ? field.toString() : field,
    )
  return new Set(answers.map(text)).size === 1 ? answers[0] : undefined
}

function send(nodes: Nodes, wire: Uint8Array): Promise<string> {
  const signature = transactionId(decodeTransaction(wire))
  const settings = { encoding: 'base64', preflightCommitment: 'confirmed', maxRetries: 0 }
  let mayHaveArrived = false
  return nodes.offer('sendTransaction', [Buffer.from(wire).toString('base64'), settings], (answer: Offered) => {
    if ('result' in answer) {
      // A node that answers another signature did something else with the bytes.
      if (answer.result === signature) return signature
      mayHaveArrived = true
      return undefined
    }
    if ('silent' in answer) {
      mayHaveArrived = true
      return undefined
    }
    const refusal = answer.fault.code === preflightFailed ? refusalOf(answer.fault.data) : undefined
    if (refusal?.transactionError === 'AlreadyProcessed') return signature
    // A node that lags does not know a fresh blockhash, nor what another node has done since.
    if (refusal === undefined || refusal.transactionError === 'BlockhashNotFound' || mayHaveArrived) return undefined
    throw refusal
  })
}

function refusalOf(data: unknown): TransactionRefused | undefined {
  if (typeof data !== 'object' || data === null || !('err' in data) || data.err === null) return undefined
  const logs = 'logs' in data && Array.isArray(data.logs) ? data.logs.map(String).slice(0, 100) : []
  return new TransactionRefused(data.err, logs)
}
