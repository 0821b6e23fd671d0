import { concatBytes, hexToBytes, isAddress, utf8, type Address, type Hex } from './bytes.ts'
import { keccak256 } from './keccak.ts'
import { ProtocolError } from './protocol-error.ts'
import { createWords, putAddress, putBytes32, putInt, putUint } from './words.ts'

/** The domain of EIP-712; only the fields present take part in its separator. */
export type TypedDataDomain = {
  readonly name?: string
  readonly version?: string
  readonly chainId?: number
  readonly verifyingContract?: Address
  readonly salt?: Hex
}
/** The members of a struct in order. */
export type TypedDataFields = readonly { readonly name: string; readonly type: string }[]
/** A signable EIP-712 document that survives JSON: integers above 2^53 are decimal strings. */
export type TypedData = {
  readonly domain: TypedDataDomain
  readonly types: Readonly<Record<string, TypedDataFields>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

type Types = TypedData['types']
const envelope = Uint8Array.of(0x19, 0x01)

/** The digest of EIP-712 for any document. Throws ProtocolError `malformed` when a value does not fit its type. */
export function hashTypedData(td: TypedData): Uint8Array {
  return typedDataDigest(domainSeparator(td.domain), hashStruct(td.types, td.primaryType, td.message))
}

/** The digest of a struct hash under a domain separator. */
export function typedDataDigest(separator: Uint8Array, structHash: Uint8Array): Uint8Array {
  return keccak256(concatBytes(envelope, separator, structHash))
}

const domainFields: TypedDataFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** The fields a domain has, in the order EIP-712 fixes. */
export function domainTypeOf(domain: TypedDataDomain): TypedDataFields {
  const present: Readonly<Record<string, unknown>> = domain
  return domainFields.filter((field) => present[field.name] !== undefined)
}

/** The hash of a domain. */
export function domainSeparator(domain: TypedDataDomain): Uint8Array {
  return hashStruct({ EIP712Domain: domainTypeOf(domain) }, 'EIP712Domain', domain)
}

const foreignHashes = new Map<string, Uint8Array>()
const mostForeign = 64
const longestForeign = 1_024

/** The hash of any type. The last few short ones are remembered: documents of one kind come in numbers. */
function typeHash(type: string): Uint8Array {
  const known = foreignHashes.get(type)
  if (known !== undefined) return known
  const hash = keccak256(utf8(type))
  if (type.length > longestForeign) return hash
  if (foreignHashes.size >= mostForeign) foreignHashes.clear()
  foreignHashes.set(type, hash)
  return hash
}

const typeHashes = new Map<string, Uint8Array>()

/** The hash of a type this package writes out itself; remembered, so never pass one from outside. */
export function fixedTypeHash(type: string): Uint8Array {
  const known = typeHashes.get(type)
  if (known !== undefined) return known
  const hash = keccak256(utf8(type))
  typeHashes.set(type, hash)
  return hash
}

/** The keccak of a text, as EIP-712 encodes a string member. */
export function hashString(text: string): Uint8Array {
  return keccak256(utf8(text))
}

/** `Name(type member,…)` followed by the types it refers to, sorted. Throws for a type that is not declared. */
export function encodeType(types: Types, primary: string): string {
  const found = new Set<string>()
  collect(types, primary, found)
  found.delete(primary)
  return [primary, ...[...found].sort()].map((name) => writeType(name, fieldsOf(types, name))).join('')
}

function writeType(name: string, fields: TypedDataFields): string {
  return `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`
}

function collect(types: Types, name: string, found: Set<string>): void {
  if (found.has(name)) return
  found.add(name)
  for (const field of fieldsOf(types, name)) {
    const base = field.type.replace(/(\[\d*\])+$/, '')
    if (Object.hasOwn(types, base)) collect(types, base, found)
  }
}

function fieldsOf(types: Types, name: string): TypedDataFields {
  const fields = Object.hasOwn(types, name) ? types[name] : undefined
  if (fields === undefined) throw new ProtocolError('malformed', `type ${name} is not declared`)
  return fields
}

function hashStruct(types: Types, name: string, value: unknown): Uint8Array {
  if (typeof value !== 'object' || value === null) throw new ProtocolError('malformed', `${name} must be an object`)
  // Only own members declared by the type are read, each checked against its type.
  const members = value as Readonly<Record<string, unknown>>
  const parts = [typeHash(encodeType(types, name))]
  for (const field of fieldsOf(types, name)) {
    if (!Object.hasOwn(members, field.name)) throw new ProtocolError('malformed', `${name}.${field.name} is missing`)
    parts.push(encodeValue(types, field.type, members[field.name], `${name}.${field.name}`))
  }
  return keccak256(concatBytes(...parts))
}

function encodeValue(types: Types, type: string, value: unknown, path: string): Uint8Array {
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array !== null) return encodeArray(types, array[1] ?? '', array[2] ?? '', value, path)
  if (Object.hasOwn(types, type)) return hashStruct(types, type, value)
  if (type === 'string' && typeof value === 'string') return hashString(value)
  if (type === 'bytes' && isHex(value)) return keccak256(hexToBytes(value))
  return encodeAtom(type, value, path)
}

function encodeArray(types: Types, item: string, length: string, value: unknown, path: string): Uint8Array {
  if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) {
    throw new ProtocolError('malformed', `${path} must be an array${length === '' ? '' : ` of ${length}`}`)
  }
  return keccak256(concatBytes(...value.map((entry: unknown, at) => encodeValue(types, item, entry, `${path}[${at}]`))))
}

function encodeAtom(type: string, value: unknown, path: string): Uint8Array {
  const word = createWords(1)
  const integer = /^(u?)int(\d{1,3})$/.exec(type)
  const fixed = /^bytes(\d{1,2})$/.exec(type)
  if (integer !== null) {
    const bits = Number(integer[2])
    if (integer[1] === 'u') putUint(word, 0, readInteger(value, path), bits)
    else putInt(word, 0, readInteger(value, path), bits)
  } else if (type === 'address' && isAddress(value)) putAddress(word, 0, value)
  else if (type === 'bool' && typeof value === 'boolean') putUint(word, 0, value ? 1 : 0, 8)
  else if (type === 'bytes32' && isHex(value)) putBytes32(word, 0, value)
  else if (fixed !== null && isHex(value) && value.length === 2 + 2 * Number(fixed[1]))
    word.bytes.set(hexToBytes(value))
  else throw new ProtocolError('malformed', `${path} is no ${type}`)
  return word.bytes
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && value.startsWith('0x')
}

function readInteger(value: unknown, path: string): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(-?[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  throw new ProtocolError('malformed', `${path} is no integer`)
}
