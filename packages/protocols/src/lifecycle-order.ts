import type { Address, Hex } from './bytes.ts'
import { chainDomainSeparator } from './domain-separator.ts'
import { fixedTypeHash, hashString, typedDataDigest, type TypedData } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { paymentInfoFields, paymentInfoStructHash, paymentInfoType, type PaymentInfo } from './payment-info.ts'
import { readAddress, readCount, readHex, readHex32, readRecord } from './wire-reader.ts'
import { cleared, createWords, putBytes32, putUint } from './words.ts'

/** A signed instruction to move held funds: out to the receiver, or back to the payer. */
export type LifecycleOrder = {
  readonly action: 'release' | 'refundInEscrow'
  readonly amount: bigint
  /** Unix seconds. */
  readonly deadline: number
  readonly nonce: Hex
  readonly paymentInfo: PaymentInfo
}
/** The order's signature beside the terms it repeats, as the facilitator's `payload.lifecycleAuth`. */
export type LifecycleAuthWire = {
  readonly signer: Address
  readonly deadline: number
  readonly nonce: Hex
  readonly signature: Hex
}

/** How far ahead a deadline may lie; signers use 600 seconds. */
export const lifecycleMaxAheadSec = 900

const name = 'x402 escrow lifecycle'
const version = '1'
const orderType =
  'LifecycleOrder(string action,uint256 amount,uint256 deadline,' +
  `bytes32 nonce,PaymentInfo paymentInfo)${paymentInfoType}`
const orderFields = [
  { name: 'action', type: 'string' },
  { name: 'amount', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'paymentInfo', type: 'PaymentInfo' },
]

/** The document a party signs. The domain names no contract: facilitators check the order, not the chain. */
export function lifecycleOrderTypedData(order: LifecycleOrder, chainId: number): TypedData {
  const info = order.paymentInfo
  return {
    domain: { name, version, chainId },
    types: { LifecycleOrder: orderFields, PaymentInfo: paymentInfoFields },
    primaryType: 'LifecycleOrder',
    message: {
      action: order.action,
      amount: order.amount.toString(),
      deadline: order.deadline.toString(),
      nonce: order.nonce,
      paymentInfo: { ...info, maxAmount: info.maxAmount.toString(), salt: info.salt.toString() },
    },
  }
}

const room = createWords(6)

/** The digest of {@link lifecycleOrderTypedData}, without building the document. */
export function lifecycleOrderDigest(order: LifecycleOrder, chainId: number): Uint8Array {
  const words = cleared(room)
  putBytes32(words, 0, fixedTypeHash(orderType))
  putBytes32(words, 1, hashString(order.action))
  putUint(words, 2, order.amount, 256)
  putUint(words, 3, order.deadline, 256)
  putBytes32(words, 4, order.nonce)
  putBytes32(words, 5, paymentInfoStructHash(order.paymentInfo))
  return typedDataDigest(chainDomainSeparator(name, version, chainId), keccak256(words.bytes))
}

/** Reads `lifecycleAuth`. Throws ProtocolError `malformed`. */
export function parseLifecycleAuth(value: unknown): LifecycleAuthWire {
  const record = readRecord(value, 'lifecycleAuth', ['signer', 'deadline', 'nonce', 'signature'])
  return {
    signer: readAddress(record['signer'], 'lifecycleAuth.signer'),
    deadline: readCount(record['deadline'], 'lifecycleAuth.deadline'),
    nonce: readHex32(record['nonce'], 'lifecycleAuth.nonce'),
    signature: readHex(record['signature'], 'lifecycleAuth.signature', 8192),
  }
}
