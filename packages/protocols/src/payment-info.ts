import { bytesToHex, lowerAddress, zeroAddress, type Address, type Hex } from './bytes.ts'
import { fixedTypeHash, type TypedDataFields } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { readAddress, readCount, readDecimal, readHex32, readRecord } from './wire-reader.ts'
import { cleared, createWords, putAddress, putBytes32, putUint, type Words } from './words.ts'

/** The terms of one escrowed payment, as the escrow contract hashes them. */
export type PaymentInfo = {
  readonly operator: Address
  readonly payer: Address
  readonly receiver: Address
  readonly token: Address
  readonly maxAmount: bigint
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: Address
  readonly salt: bigint
}
/** The terms on the wire: eleven members, without the payer, whom the authorization names. */
export type PaymentInfoWire = {
  readonly operator: Address
  readonly receiver: Address
  readonly token: Address
  readonly maxAmount: string
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: Address
  readonly salt: Hex
}

/** The struct's members for EIP-712 documents that contain it. */
export const paymentInfoFields: TypedDataFields = [
  { name: 'operator', type: 'address' },
  { name: 'payer', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'maxAmount', type: 'uint120' },
  { name: 'preApprovalExpiry', type: 'uint48' },
  { name: 'authorizationExpiry', type: 'uint48' },
  { name: 'refundExpiry', type: 'uint48' },
  { name: 'minFeeBps', type: 'uint16' },
  { name: 'maxFeeBps', type: 'uint16' },
  { name: 'feeReceiver', type: 'address' },
  { name: 'salt', type: 'uint256' },
]

/** The struct's EIP-712 type string. */
export const paymentInfoType = `PaymentInfo(${paymentInfoFields.map((field) => `${field.type} ${field.name}`).join(',')})`

/** The largest expiry a uint48 holds. */
const maxExpiry = 2 ** 48 - 1

/** The escrow's key for a payment: chain, escrow and terms, payer included. */
export function paymentInfoHash(info: PaymentInfo, chainId: number, escrow: Address): Hex {
  return bytesToHex(hashUnder(info, chainId, escrow))
}

/** The EIP-3009 nonce the payer signs: the same hash with the payer left zero. */
export function authorizationNonce(info: PaymentInfo, chainId: number, escrow: Address): Hex {
  return bytesToHex(hashUnder({ ...info, payer: zeroAddress }, chainId, escrow))
}

const termsRoom = createWords(13)
const keyRoom = createWords(3)

/** The struct hash alone, the form in which the terms enter other EIP-712 documents. */
export function paymentInfoStructHash(info: PaymentInfo): Uint8Array {
  const words = cleared(termsRoom)
  putBytes32(words, 0, fixedTypeHash(paymentInfoType))
  putAddress(words, 1, info.operator)
  putAddress(words, 2, info.payer)
  putAddress(words, 3, info.receiver)
  putAddress(words, 4, info.token)
  putUint(words, 5, info.maxAmount, 120)
  putExpiries(words, info)
  putUint(words, 9, info.minFeeBps, 16)
  putUint(words, 10, info.maxFeeBps, 16)
  putAddress(words, 11, info.feeReceiver)
  putUint(words, 12, info.salt, 256)
  return keccak256(words.bytes)
}

function putExpiries(words: Words, info: PaymentInfo): void {
  putUint(words, 6, info.preApprovalExpiry, 48)
  putUint(words, 7, info.authorizationExpiry, 48)
  putUint(words, 8, info.refundExpiry, 48)
}

/** The escrow mixes chain and address in by plain abi.encode; there is no EIP-712 domain here. */
function hashUnder(info: PaymentInfo, chainId: number, escrow: Address): Uint8Array {
  const words = cleared(keyRoom)
  putUint(words, 0, chainId, 256)
  putAddress(words, 1, escrow)
  putBytes32(words, 2, paymentInfoStructHash(info))
  return keccak256(words.bytes)
}

/** The wire form; the salt travels as 32 bytes of hex. */
export function paymentInfoToWire(info: PaymentInfo): PaymentInfoWire {
  return {
    operator: lowerAddress(info.operator),
    receiver: lowerAddress(info.receiver),
    token: lowerAddress(info.token),
    maxAmount: info.maxAmount.toString(),
    preApprovalExpiry: info.preApprovalExpiry,
    authorizationExpiry: info.authorizationExpiry,
    refundExpiry: info.refundExpiry,
    minFeeBps: info.minFeeBps,
    maxFeeBps: info.maxFeeBps,
    feeReceiver: lowerAddress(info.feeReceiver),
    salt: `0x${info.salt.toString(16).padStart(64, '0')}`,
  }
}

const wireKeys: readonly (keyof PaymentInfoWire)[] = [
  'operator',
  'receiver',
  'token',
  'maxAmount',
  'preApprovalExpiry',
  'authorizationExpiry',
  'refundExpiry',
  'minFeeBps',
  'maxFeeBps',
  'feeReceiver',
  'salt',
]

/**
 * The terms from the wire, with the payer the authorization names. Exactly the eleven members, each of
 * its own shape: a salt in decimal would silently give another nonce. Throws ProtocolError `malformed`.
 */
export function paymentInfoFromWire(wire: unknown, payer: Address): PaymentInfo {
  const record = readRecord(wire, 'paymentInfo', wireKeys)
  const at = (key: keyof PaymentInfoWire): [unknown, string] => [record[key], `paymentInfo.${key}`]
  return {
    operator: readAddress(...at('operator')),
    payer: lowerAddress(payer),
    receiver: readAddress(...at('receiver')),
    token: readAddress(...at('token')),
    maxAmount: readDecimal(...at('maxAmount'), 120),
    preApprovalExpiry: readCount(...at('preApprovalExpiry'), maxExpiry),
    authorizationExpiry: readCount(...at('authorizationExpiry'), maxExpiry),
    refundExpiry: readCount(...at('refundExpiry'), maxExpiry),
    minFeeBps: readCount(...at('minFeeBps'), 65535),
    maxFeeBps: readCount(...at('maxFeeBps'), 65535),
    feeReceiver: readAddress(...at('feeReceiver')),
    salt: BigInt(readHex32(...at('salt'))),
  }
}
