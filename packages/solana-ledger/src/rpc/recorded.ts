import {
  decodeTransaction,
  isSolanaAddress,
  maxTransactionBytes,
  type AccountMeta,
  type Instruction,
} from '@ergon/channels'
import { fromBase58, ProtocolError } from '@ergon/protocols'
import { fieldsOf, unreadable } from './read-answers.ts'

/** An instruction of a message, and what its program called while it ran. */
export type RecordedInstruction = Instruction & {
  /** In the order they ran, without those of more data than a whole message has; null where none are recorded. */
  readonly calls: readonly Instruction[] | null
}

/** A transaction that was carried out: its bytes, and everything it did. */
export type RecordedTransaction = {
  readonly wire: Uint8Array
  /** Accounts out of lookup tables are named as any other. */
  readonly instructions: readonly RecordedInstruction[]
}

/** A byte takes less than 1.4 characters. */
const mostDataChars = Math.ceil(maxTransactionBytes * 1.4)

/** Reads the answer of `getTransaction` in base64. @throws NodeSilent for what has another shape. */
export function readRecorded(value: unknown): RecordedTransaction | null {
  if (value === null) return null
  const { transaction, meta } = fieldsOf(value)
  const [text, encoding] = listOf(transaction)
  if (typeof text !== 'string' || encoding !== 'base64') throw unreadable('a transaction')
  const wire = new Uint8Array(Buffer.from(text, 'base64'))
  const { innerInstructions, loadedAddresses } = meta === null || meta === undefined ? {} : fieldsOf(meta)
  const loaded = readLoaded(loadedAddresses)
  try {
    const { message } = decodeTransaction(wire, loaded)
    if (message.lookupTables > 0 && loaded.length === 0) throw unreadable('accounts of lookup tables')
    const accounts = [...message.accounts, ...loaded]
    const calls = readCalls(innerInstructions, accounts)
    return {
      wire,
      instructions: message.instructions.map((one, at) => ({ ...one, calls: calls && (calls.get(at) ?? []) })),
    }
  } catch (cause) {
    if (cause instanceof ProtocolError) throw unreadable('a transaction')
    throw cause
  }
}

/** Those that are written to come first, in a message as here. */
function readLoaded(value: unknown): readonly AccountMeta[] {
  if (value === null || value === undefined) return []
  const tables = fieldsOf(value)
  return ['writable', 'readonly'].flatMap((kind) =>
    listOf(tables[kind]).map((address): AccountMeta => {
      if (!isSolanaAddress(address)) throw unreadable('an address')
      return { address, signer: false, writable: kind === 'writable' }
    }),
  )
}

/** The calls by the number of the instruction that they belong to. */
function readCalls(
  value: unknown,
  accounts: readonly AccountMeta[],
): ReadonlyMap<number, readonly Instruction[]> | null {
  if (value === null || value === undefined) return null
  const place = (index: unknown): AccountMeta => {
    const account = typeof index === 'number' ? accounts[index] : undefined
    if (account === undefined) throw unreadable('an account of a call')
    return account
  }
  return new Map(
    listOf(value).map((entry) => {
      const { index, instructions } = fieldsOf(entry)
      if (typeof index !== 'number') throw unreadable('the number of an instruction')
      const calls = listOf(instructions).flatMap((call): readonly Instruction[] => {
        const { programIdIndex, accounts: named, data } = fieldsOf(call)
        if (typeof data !== 'string') throw unreadable('the data of a call')
        // Whoever calls a program of its own may give it megabytes, in a transaction that names any address.
        if (data.length > mostDataChars) return []
        const bytes = fromBase58(data, mostDataChars)
        return [{ program: place(programIdIndex).address, accounts: listOf(named).map(place), data: bytes }]
      })
      return [index, calls] as const
    }),
  )
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable('a list')
  return value as readonly unknown[]
}
