import { isSolanaAddress } from '@ergon/channels'
import type { RecentBlockhash, TransactionStatus } from '@ergon/channels'
import { NodeSilent } from './node.ts'
import type { ClusterAccount } from './rpc-ledger.ts'

type Fields = Readonly<Record<string, unknown>>

/** An answer with the slot it was read at. @throws NodeSilent for what has another shape. */
export function contextOf<T>(
  result: unknown,
  read: (value: unknown, slot: bigint) => T,
): { readonly value: T; readonly slot: bigint } {
  const { context, value } = fieldsOf(result)
  const slot = readNumber(fieldsOf(context)['slot'])
  return { slot, value: read(value, slot) }
}

/** A whole number of 0 or more. */
export function readNumber(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw unreadable('a number')
  return BigInt(value)
}

export function readAccount(value: unknown, slot: bigint): ClusterAccount | null {
  if (value === null) return null
  const { owner, lamports, executable, data } = fieldsOf(value)
  const [text, encoding] = Array.isArray(data) ? (data as readonly unknown[]) : []
  if (!isSolanaAddress(owner) || typeof executable !== 'boolean' || typeof text !== 'string' || encoding !== 'base64')
    throw unreadable('an account')
  return { owner, executable, lamports: readNumber(lamports), data: new Uint8Array(Buffer.from(text, 'base64')), slot }
}

export function readBlockhash(value: unknown): RecentBlockhash {
  const { blockhash, lastValidBlockHeight } = fieldsOf(value)
  if (!isSolanaAddress(blockhash)) throw unreadable('a blockhash')
  return { blockhash, lastValidBlockHeight: readNumber(lastValidBlockHeight) }
}

export function readStatus(value: unknown): TransactionStatus {
  const [status] = Array.isArray(value) ? (value as readonly unknown[]) : []
  if (status === null) return { kind: 'unknown' }
  const { slot, err, confirmationStatus: kind } = fieldsOf(status)
  if (kind !== 'processed' && kind !== 'confirmed' && kind !== 'finalized') throw unreadable('a status')
  return { kind, slot: readNumber(slot), error: err ?? null }
}

/** How a transaction that was only tried would end; `error` is null where it would succeed. */
export type Trial = { readonly error: unknown; readonly logs: readonly string[]; readonly units: bigint }

export function readTrial(value: unknown): Trial {
  const { err, logs, unitsConsumed } = fieldsOf(value)
  if (err === undefined) throw unreadable('a trial')
  return {
    error: err,
    logs: Array.isArray(logs) ? logs.slice(0, 100).map(String) : [],
    units: unitsConsumed === undefined || unitsConsumed === null ? 0n : readNumber(unitsConsumed),
  }
}

/** The block height of an epoch's standing, at the slot it is told of. No chain has more blocks than slots. */
export function readHeight(value: unknown): { readonly value: bigint; readonly slot: bigint } {
  const { absoluteSlot, blockHeight } = fieldsOf(value)
  const [slot, height] = [readNumber(absoluteSlot), readNumber(blockHeight)]
  if (height > slot) throw unreadable('a block height')
  return { value: height, slot }
}

export function readFees(value: unknown): readonly bigint[] {
  if (!Array.isArray(value)) throw unreadable('a list of fees')
  return value.map((entry) => readNumber(fieldsOf(entry)['prioritizationFee']))
}

export function readHistory(
  value: unknown,
): readonly { readonly signature: string; readonly slot: bigint; readonly isFailed: boolean }[] {
  if (!Array.isArray(value)) throw unreadable('a list of signatures')
  return value.map((entry) => {
    const { signature, slot, err } = fieldsOf(entry)
    if (typeof signature !== 'string') throw unreadable('a signature')
    return { signature, slot: readNumber(slot), isFailed: err !== null && err !== undefined }
  })
}

export function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw unreadable('an object')
  // An object's fields are read as unknown.
  return value as Fields
}

export function unreadable(what: string): NodeSilent {
  return new NodeSilent(`the Solana node answers no ${what.replace(/^an? /, '')} where it should`)
}
