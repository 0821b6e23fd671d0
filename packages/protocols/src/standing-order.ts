import type { Address, Hex } from './bytes.ts'
import { lowerAddress, sameAddress } from './bytes.ts'
import { chainDomainSeparator } from './domain-separator.ts'
import { fixedTypeHash, typedDataDigest, type TypedData } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import type { PaymentInfo } from './payment-info.ts'
import { readAddress, readCount, readDecimal, readHex, readHex32, readRecord } from './wire-reader.ts'
import { createWords, putAddress, putBytes32, putUint } from './words.ts'

/**
 * A payer's word, given once, that some of the money it holds in escrow may be released to whom it was held for:
 * by one key, through one operator, in one token, up to an amount each time and in all, so many times, between two
 * moments. It never names who is paid: that is in what the payer signed to hold the money.
 */
export type StandingOrder = {
  readonly payer: Address
  /** Whose lifecycle order the payer lets stand for its own; it has no power beside this. */
  readonly spender: Address
  readonly operator: Address
  readonly token: Address
  /** Atomic units: neither what a release moves nor the payment that it is of may be above. */
  readonly maxPerRelease: bigint
  /** Atomic units, over all releases under this order. */
  readonly maxTotal: bigint
  /** How many payments may be released; each of them once. */
  readonly maxCount: number
  /** Unix seconds, the first at which it holds. */
  readonly notBefore: number
  /** Unix seconds, the first at which it does not hold any more. */
  readonly notAfter: number
  /** Tells apart orders that say the same otherwise: each has a count of its own. */
  readonly nonce: Hex
  /** The one payment it is for, by its hash; `anyPayment` for every one of the payer within the other bounds. */
  readonly payment: Hex
}

/** A standing order on the wire: amounts as decimal text, and the payer's signature. */
export type StandingOrderWire = Omit<StandingOrder, 'maxPerRelease' | 'maxTotal'> & {
  readonly maxPerRelease: string
  readonly maxTotal: string
  readonly signature: Hex
}

/** In place of a payment: any. */
export const anyPayment: Hex = `0x${'00'.repeat(32)}`
/** Seconds between the two moments of an order, at most: a word for life is no consent. */
export const standingOrderMaxSec = 366 * 86_400
/** Releases under one order, at most. */
export const standingOrderMaxCount = 1_000

const name = 'Task Marketplace'
const version = '1'
const fields = [
  { name: 'payer', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'operator', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'maxPerRelease', type: 'uint256' },
  { name: 'maxTotal', type: 'uint256' },
  { name: 'maxCount', type: 'uint256' },
  { name: 'notBefore', type: 'uint256' },
  { name: 'notAfter', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'payment', type: 'bytes32' },
]
const orderType = `StandingOrder(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`

/** The document the payer signs. */
export function standingOrderTypedData(order: StandingOrder, chainId: number): TypedData {
  return {
    domain: { name, version, chainId },
    types: { StandingOrder: fields },
    primaryType: 'StandingOrder',
    message: {
      ...order,
      maxPerRelease: order.maxPerRelease.toString(),
      maxTotal: order.maxTotal.toString(),
      maxCount: order.maxCount.toString(),
      notBefore: order.notBefore.toString(),
      notAfter: order.notAfter.toString(),
    },
  }
}

/**
 * The digest of {@link standingOrderTypedData}, without building the document. An order is known by it, whatever
 * signature it comes with.
 */
export function standingOrderDigest(order: StandingOrder, chainId: number): Uint8Array {
  const words = createWords(12)
  putBytes32(words, 0, fixedTypeHash(orderType))
  putAddress(words, 1, order.payer)
  putAddress(words, 2, order.spender)
  putAddress(words, 3, order.operator)
  putAddress(words, 4, order.token)
  putUint(words, 5, order.maxPerRelease, 256)
  putUint(words, 6, order.maxTotal, 256)
  putUint(words, 7, order.maxCount, 256)
  putUint(words, 8, order.notBefore, 256)
  putUint(words, 9, order.notAfter, 256)
  putBytes32(words, 10, order.nonce)
  putBytes32(words, 11, order.payment)
  return typedDataDigest(chainDomainSeparator(name, version, chainId), keccak256(words.bytes))
}

const revocationFields = [{ name: 'order', type: 'bytes32' }]
const revocationType = 'StandingOrderRevocation(bytes32 order)'

/** The document that takes an order back, by its digest; its payer signs it, or its spender. */
export function standingRevocationTypedData(order: Hex, chainId: number): TypedData {
  return {
    domain: { name, version, chainId },
    types: { StandingOrderRevocation: revocationFields },
    primaryType: 'StandingOrderRevocation',
    message: { order },
  }
}

/** The digest of {@link standingRevocationTypedData}. */
export function standingRevocationDigest(order: Hex, chainId: number): Uint8Array {
  const words = createWords(2)
  putBytes32(words, 0, fixedTypeHash(revocationType))
  putBytes32(words, 1, order)
  return typedDataDigest(chainDomainSeparator(name, version, chainId), keccak256(words.bytes))
}

/** The wire form, with lower-case addresses. */
export function standingOrderToWire(order: StandingOrder, signature: Hex): StandingOrderWire {
  return {
    ...order,
    payer: lowerAddress(order.payer),
    spender: lowerAddress(order.spender),
    operator: lowerAddress(order.operator),
    token: lowerAddress(order.token),
    maxPerRelease: order.maxPerRelease.toString(),
    maxTotal: order.maxTotal.toString(),
    signature,
  }
}

/** Reads `standingOrder`: exactly its members, each of its own shape. Throws ProtocolError `malformed`. */
export function parseStandingOrder(value: unknown): { readonly order: StandingOrder; readonly signature: Hex } {
  const record = readRecord(value, 'standingOrder', [...fields.map((field) => field.name), 'signature'])
  const at = (key: string): [unknown, string] => [record[key], `standingOrder.${key}`]
  return {
    order: {
      payer: readAddress(...at('payer')),
      spender: readAddress(...at('spender')),
      operator: readAddress(...at('operator')),
      token: readAddress(...at('token')),
      maxPerRelease: readDecimal(...at('maxPerRelease'), 120),
      maxTotal: readDecimal(...at('maxTotal'), 120),
      maxCount: readCount(...at('maxCount'), standingOrderMaxCount),
      notBefore: readCount(...at('notBefore')),
      notAfter: readCount(...at('notAfter')),
      nonce: readHex32(...at('nonce')),
      payment: readHex32(...at('payment')),
    },
    signature: readHex(...at('signature'), 8192),
  }
}

/** A release that asks to be let through by a standing order. */
export type StandingRelease = {
  /** Whose lifecycle order asks for it. */
  readonly signer: Address
  readonly amount: bigint
  readonly info: Pick<PaymentInfo, 'payer' | 'operator' | 'token' | 'maxAmount'>
  /** The escrow's key of the payment. */
  readonly paymentHash: Hex
  /** Unix seconds. */
  readonly now: number
}

/** What an order says no to by itself; its signature and its count are asked elsewhere. */
export type StandingFault =
  | 'standing_payer'
  | 'standing_spender'
  | 'standing_operator'
  | 'standing_token'
  | 'standing_payment'
  | 'standing_not_yet'
  | 'standing_over'
  | 'standing_too_long'
  | 'standing_amount'

/** The first bound of an order that a release breaks; undefined within all of them. */
export function standingFault(order: StandingOrder, release: StandingRelease): StandingFault | undefined {
  const { info, amount, now } = release
  if (!sameAddress(order.payer, info.payer)) return 'standing_payer'
  if (!sameAddress(order.spender, release.signer)) return 'standing_spender'
  if (!sameAddress(order.operator, info.operator)) return 'standing_operator'
  if (!sameAddress(order.token, info.token)) return 'standing_token'
  if (order.payment !== anyPayment && order.payment !== release.paymentHash) return 'standing_payment'
  if (order.notAfter - order.notBefore > standingOrderMaxSec) return 'standing_too_long'
  if (now < order.notBefore) return 'standing_not_yet'
  if (now >= order.notAfter) return 'standing_over'
  // A large payment in small parts is as large: the whole of it has to be within.
  if (amount > order.maxPerRelease || info.maxAmount > order.maxPerRelease) return 'standing_amount'
  return undefined
}
