import { bytesToHex, keccak256, recoverAddress, type Address, type Hex } from '@ergon/protocols'

/** A transaction as a block holds it. */
export type Transaction = {
  readonly hash: Hex
  readonly from: Address
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly maxFee: bigint
  readonly maxTip: bigint
}

/** A node refuses the bytes. */
export class BadTransaction extends Error {}

type Item = Uint8Array | readonly Item[]

function readLength(bytes: Uint8Array, at: number, size: number): number {
  let length = 0
  for (let index = 0; index < size; index += 1) length = length * 256 + (bytes[at + index] ?? 0)
  return length
}

/** One item of RLP and where the next begins. */
function decodeItem(bytes: Uint8Array, at: number): readonly [Item, number] {
  const head = bytes[at]
  if (head === undefined) throw new BadTransaction('the transaction is cut off')
  if (head < 0x80) return [bytes.subarray(at, at + 1), at + 1]
  const isList = head >= 0xc0
  const short = head - (isList ? 0xc0 : 0x80)
  const size = short > 55 ? short - 55 : 0
  const start = at + 1 + size
  const end = start + (size === 0 ? short : readLength(bytes, at + 1, size))
  if (end > bytes.length) throw new BadTransaction('the transaction is cut off')
  if (!isList) return [bytes.subarray(start, end), end]
  const items: Item[] = []
  for (let next = start; next < end;) {
    const [item, after] = decodeItem(bytes, next)
    items.push(item)
    next = after
  }
  return [items, end]
}

function text(item: Item | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new BadTransaction('a field of the transaction is missing')
  return item
}

function integer(item: Item | undefined): bigint {
  const hex = Buffer.from(text(item)).toString('hex')
  return hex === '' ? 0n : BigInt(`0x${hex}`)
}

const fieldCount = 12
const typeOfFee = 2

/** Reads an EIP-1559 transaction and who signed it. @throws BadTransaction */
export function decodeTransaction(raw: Hex, chainId: number): Transaction {
  const bytes = Buffer.from(raw.slice(2), 'hex')
  if (bytes[0] !== typeOfFee) throw new BadTransaction('only transactions of type 2 are taken')
  const [fields] = decodeItem(bytes, 1)
  if (fields instanceof Uint8Array || fields.length !== fieldCount)
    throw new BadTransaction('a transaction has twelve fields')
  if (integer(fields[0]) !== BigInt(chainId)) throw new BadTransaction('invalid chain id for signer')
  return {
    hash: bytesToHex(keccak256(bytes)),
    from: senderOf(bytes, fields),
    nonce: Number(integer(fields[1])),
    maxTip: integer(fields[2]),
    maxFee: integer(fields[3]),
    to: bytesToHex(text(fields[5])),
    data: `0x${Buffer.from(text(fields[7])).toString('hex')}`,
  }
}

function encodeLength(length: number): readonly number[] {
  if (length <= 55) return [0xc0 + length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [0xf7 + bytes.length, ...bytes]
}

/** The signed bytes are the first nine fields in a list of their own. */
function senderOf(bytes: Uint8Array, fields: readonly Item[]): Address {
  const [parity, r, s] = [integer(fields[9]), text(fields[10]), text(fields[11])]
  const tail = (parity === 0n || parity === 1n ? 1 : 2) + encodedSize(r) + encodedSize(s)
  const [head] = headOf(bytes)
  const body = bytes.subarray(head, bytes.length - tail)
  const signed = Buffer.concat([Uint8Array.of(typeOfFee, ...encodeLength(body.length)), body])
  const signature = new Uint8Array(65)
  signature.set(r, 32 - r.length)
  signature.set(s, 64 - s.length)
  signature[64] = 27 + Number(parity)
  const from = recoverAddress(keccak256(signed), signature)
  if (from === undefined) throw new BadTransaction('invalid signature')
  return from
}

/** Where the fields begin behind the type and the list's own head. */
function headOf(bytes: Uint8Array): readonly [start: number] {
  const head = bytes[1] ?? 0
  return [head > 0xf7 ? 2 + (head - 0xf7) : 2]
}

function encodedSize(value: Uint8Array): number {
  return value.length === 1 && (value[0] ?? 0) < 0x80 ? 1 : value.length + 1
}
