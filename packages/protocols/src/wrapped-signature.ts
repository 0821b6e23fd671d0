import { lowerAddress, type Address, type Hex } from './bytes.ts'
import { ProtocolError } from './protocol-error.ts'

/** A signature in the wrapper of ERC-6492: what its wallet is asked, and the call that puts the wallet up before. */
export type WrappedSignature = {
  readonly factory: Address
  /** What the factory is asked; nobody has judged it. */
  readonly call: Hex
  /** The wallet's own (ERC-1271), of any length. */
  readonly signature: Hex
}

const magic = '6492'.repeat(16)
const wordChars = 64

/**
 * Takes a signature out of its wrapper (ERC-6492): `abi.encode(factory, call, signature)` and 32 bytes that no other
 * signature ends with. Undefined for a signature without a wrapper. The call itself is not judged.
 * @throws ProtocolError `malformed` where the wrapper is not well formed, or holds another one
 */
export function unwrapSignature(signature: Hex): WrappedSignature | undefined {
  const digits = signature.toLowerCase()
  if (!digits.endsWith(magic)) return undefined
  const body = digits.slice(2, -magic.length)
  const head = wordAt(body, 0)
  if (!head.startsWith('0'.repeat(24))) throw malformed()
  // The call is read as a decoder on the chain would read it, and refused where that would.
  const call = bytesAt(body, 1)
  const inner = bytesAt(body, 2)
  // A contract takes off one wrapper: the call of a second would be made where only the first was looked at.
  if (inner.endsWith(magic)) throw malformed()
  return { factory: lowerAddress(`0x${head.slice(24)}`), call: `0x${call}`, signature: `0x${inner}` }
}

function wordAt(body: string, char: number): string {
  const word = body.slice(char, char + wordChars)
  if (word.length !== wordChars) throw malformed()
  return word
}

/** The bytes whose place the word of this index tells. */
function bytesAt(body: string, index: number): string {
  const start = 2 * numberAt(body, index * wordChars)
  const length = 2 * numberAt(body, start)
  const bytes = body.slice(start + wordChars, start + wordChars + length)
  if (bytes.length !== length) throw malformed()
  return bytes
}

/** A place or a length: beyond four bytes it is outside of every signature. */
function numberAt(body: string, char: number): number {
  const word = wordAt(body, char)
  if (!word.startsWith('0'.repeat(56))) throw malformed()
  return Number.parseInt(word.slice(56), 16)
}

function malformed(): ProtocolError {
  return new ProtocolError('malformed', 'the wrapped signature (ERC-6492) is not well formed')
}
