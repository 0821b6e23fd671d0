import { concatBytes, fromBase58, isSignedByEd25519, ProtocolError, signEd25519, toBase58 } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import type { AccountMeta, Instruction } from './instruction.ts'
import { readFields, type FieldReader } from './little-endian.ts'

/** A message as it is signed, taken apart: what it names, not what a caller says it names. */
export type Message = {
  /** Pays the fee and signs first. */
  readonly feePayer: string
  /** In the order their signatures have on the wire. */
  readonly signers: readonly string[]
  /** Base58; decides for how long the transaction is valid. */
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
  /** Every account with the most that any instruction, or the header, grants it. */
  readonly accounts: readonly AccountMeta[]
  /** How many tables of further accounts it leans on; the accounts in them cannot be known from the bytes. */
  readonly lookupTables: number
}

/** A transaction taken apart: the signed bytes and a signature for each signer, null where it is still missing. */
export type Transaction = {
  readonly messageBytes: Uint8Array
  readonly message: Message
  readonly signatures: readonly (Uint8Array | null)[]
}

/** What fits into one packet. */
export const maxTransactionBytes = 1_232
/** The first byte of a message of version 0. A message without it is of the legacy form. */
const version0 = 0x80

/** The bytes of a version 0 message without lookup tables. @throws ProtocolError */
export function encodeMessage(feePayer: string, blockhash: string, instructions: readonly Instruction[]): Uint8Array {
  const accounts = accountsOf(feePayer, instructions)
  const indexOf = new Map(accounts.map(({ address }, index) => [address, index]))
  // Every account and program of an instruction is in the list that was made of them.
  const index = (address: string): number => indexOf.get(address) ?? 0
  const count = (has: (account: AccountMeta) => boolean): number => accounts.filter(has).length
  const encoded = instructions.map(({ program, accounts: named, data }) =>
    concatBytes(
      Uint8Array.of(index(program)),
      ...[Uint8Array.from(named, ({ address }) => index(address)), data].map(withLength),
    ),
  )
  return concatBytes(
    Uint8Array.of(
      version0,
      count(({ signer }) => signer),
      count(({ signer, writable }) => signer && !writable),
      count(({ signer, writable }) => !signer && !writable),
    ),
    compactLength(accounts.length),
    ...accounts.map(({ address }) => addressBytes(address)),
    addressBytes(blockhash),
    compactLength(encoded.length),
    ...encoded,
    compactLength(0),
  )
}

/** The wire encoding: the signatures in the order of the signers, zeros where one is still missing, and the message. */
export function encodeTransaction({ messageBytes, signatures }: Omit<Transaction, 'message'>): Uint8Array {
  const wire = concatBytes(
    compactLength(signatures.length),
    ...signatures.map((signature) => signature ?? new Uint8Array(64)),
    messageBytes,
  )
  if (wire.length > maxTransactionBytes)
    throw new ProtocolError(
      'too_large',
      `a transaction has at most ${maxTransactionBytes} bytes, this one ${wire.length}`,
    )
  return wire
}

/**
 * Takes a transaction apart. Every byte is accounted for: trailing bytes, lengths in a second spelling, accounts named
 * twice and numbers without an account are refused.
 *
 * @param loaded the accounts out of lookup tables, as a ledger tells them of a transaction that it has carried out.
 * @throws ProtocolError `malformed`, or `version` for a message that is neither legacy nor version 0.
 */
export function decodeTransaction(wire: Uint8Array, loaded: readonly AccountMeta[] = []): Transaction {
  if (wire.length > maxTransactionBytes)
    throw new ProtocolError('too_large', `a transaction has at most ${maxTransactionBytes} bytes`)
  const fields = readFields(wire)
  const signatures = Array.from({ length: readLength(fields) }, () => fields.bytes(64))
  const messageBytes = fields.bytes(fields.left())
  const message = decodeMessage(messageBytes, loaded)
  if (signatures.length !== message.signers.length) throw malformed('a signature for each signer')
  return {
    messageBytes,
    message,
    signatures: signatures.map((signature) => (signature.some((byte) => byte !== 0) ? signature : null)),
  }
}

/** @throws ProtocolError */
export function decodeMessage(bytes: Uint8Array, loaded: readonly AccountMeta[] = []): Message {
  const fields = readFields(bytes)
  const first = fields.u8()
  const isLegacy = first < version0
  if (!isLegacy && first !== version0)
    throw new ProtocolError('version', 'a message is of the legacy form or of version 0')
  const header = { signers: isLegacy ? first : fields.u8(), readonlySigners: fields.u8(), readonlyOthers: fields.u8() }
  const addresses = Array.from({ length: readLength(fields) }, () => toBase58(fields.bytes(32)))
  const accounts = addresses.map((address, at) => ({ address, ...roleAt(at, addresses.length, header) }))
  const [feePayer] = accounts
  if (feePayer?.signer !== true || !feePayer.writable) throw malformed('a fee payer that signs')
  if (header.signers > accounts.length || header.readonlyOthers > accounts.length - header.signers)
    throw malformed('a header that fits its accounts')
  if (new Set(addresses).size !== addresses.length) throw malformed('each account once')
  const blockhash = toBase58(fields.bytes(32))
  const raw = Array.from({ length: readLength(fields) }, () => ({
    program: fields.u8(),
    accounts: fields.bytes(readLength(fields)),
    data: fields.bytes(readLength(fields)),
  }))
  const lookupTables = isLegacy ? 0 : readLength(fields)
  // The tables themselves are not read: whoever takes a message apart to judge it refuses one that has any.
  if (lookupTables === 0 && fields.left() > 0) throw malformed('no bytes after its end')
  const place = (index: number): AccountMeta => {
    const account = accounts[index] ?? loaded[index - accounts.length]
    // An account out of a table that is not told has no address; such a message is never judged by its instructions.
    if (account === undefined && lookupTables === 0) throw malformed('an account for each number')
    return account ?? { address: '', signer: false, writable: true }
  }
  return {
    feePayer: feePayer.address,
    signers: addresses.slice(0, header.signers),
    blockhash,
    instructions: raw.map(({ program, accounts: named, data }) => ({
      program: place(program).address,
      accounts: Array.from(named, place),
      data,
    })),
    accounts,
    lookupTables,
  }
}

/** Puts a key's signature in its place. @throws ProtocolError when the transaction asks for none of that key. */
export function addSignature(transaction: Transaction, address: string, signature: Uint8Array): Transaction {
  const at = transaction.message.signers.indexOf(address)
  if (at < 0) throw new ProtocolError('not_a_signer', 'the transaction asks for no signature of that key')
  return { ...transaction, signatures: transaction.signatures.with(at, signature) }
}

/** Signs with the keys of 32-byte seeds by their addresses; signatures that are there stay. */
export function signTransaction(transaction: Transaction, seeds: ReadonlyMap<string, Uint8Array>): Transaction {
  return transaction.message.signers.reduce((signed, address) => {
    const seed = seeds.get(address)
    return seed === undefined ? signed : addSignature(signed, address, signEd25519(signed.messageBytes, seed))
  }, transaction)
}

/** A transaction of these instructions that nobody has signed yet. */
export function unsignedTransaction(
  feePayer: string,
  blockhash: string,
  instructions: readonly Instruction[],
): Transaction {
  const messageBytes = encodeMessage(feePayer, blockhash, instructions)
  const message = decodeMessage(messageBytes)
  return { messageBytes, message, signatures: message.signers.map(() => null) }
}

/** The base58 id of a transaction: its first signature. @throws ProtocolError while the fee payer has not signed. */
export function transactionId({ signatures: [first] }: Transaction): string {
  if (first === undefined || first === null) throw new ProtocolError('unsigned', 'the fee payer has not signed')
  return toBase58(first)
}

/** Whether that signer's signature is there and is of these bytes. */
export function hasSigned({ message, messageBytes, signatures }: Transaction, address: string): boolean {
  const signature = signatures[message.signers.indexOf(address)] ?? null
  return signature !== null && isSignedByEd25519(messageBytes, signature, fromBase58(address))
}

/** Signers first, those that are written to before the others; in each group in the order they are named. */
function accountsOf(feePayer: string, instructions: readonly Instruction[]): readonly AccountMeta[] {
  const merged = new Map<string, AccountMeta>()
  const add = ({ address, signer, writable }: AccountMeta): void => {
    const known = merged.get(address)
    merged.set(address, {
      address,
      signer: signer || known?.signer === true,
      writable: writable || known?.writable === true,
    })
  }
  add({ address: feePayer, signer: true, writable: true })
  for (const { accounts } of instructions) accounts.forEach(add)
  for (const { program } of instructions) add({ address: program, signer: false, writable: false })
  const rank = ({ signer, writable }: AccountMeta): number => (signer ? 0 : 2) + (writable ? 0 : 1)
  return [...merged.values()].toSorted((one, other) => rank(one) - rank(other))
}

type Header = { readonly signers: number; readonly readonlySigners: number; readonly readonlyOthers: number }

function roleAt(at: number, total: number, header: Header): Pick<AccountMeta, 'signer' | 'writable'> {
  const signer = at < header.signers
  const writable = signer ? at < header.signers - header.readonlySigners : at < total - header.readonlyOthers
  return { signer, writable }
}

function withLength(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactLength(bytes.length), bytes)
}

/** Solana's short lengths: seven bits in a byte, the lowest first. */
function compactLength(length: number): Uint8Array {
  const bytes: number[] = []
  let rest = length
  for (; rest > 0x7f; rest >>= 7) bytes.push((rest & 0x7f) | 0x80)
  return Uint8Array.from([...bytes, rest])
}

function readLength(fields: FieldReader): number {
  let length = 0
  for (let at = 0; at < 3; at += 1) {
    const byte = fields.u8()
    length |= (byte & 0x7f) << (7 * at)
    if (byte < 0x80) {
      if (byte === 0 && at > 0) throw malformed('lengths in their shortest spelling')
      // No length is of more than the packet that holds it.
      if (length > fields.left()) throw malformed('lengths that end within it')
      return length
    }
  }
  throw malformed('lengths of at most three bytes')
}

function malformed(expected: string): ProtocolError {
  return new ProtocolError('malformed', `a transaction needs ${expected}`)
}
