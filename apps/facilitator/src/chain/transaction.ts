import {
  bytesToHex,
  hexToBytes,
  keccak256,
  signDigest,
  type Address,
  type Hex,
  type SignedAuthorization,
} from '@ergon/protocols'
import type { Fees } from './chain.ts'
import { rlpEncode, rlpInteger, rlpList, type RlpItem } from './rlp.ts'

/**
 * An EIP-1559 transaction, or EIP-7702 when it carries an authorization list. No value: this service moves other
 * people's tokens only.
 */
export type UnsignedTransaction = {
  readonly chainId: number
  readonly nonce: number
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly gas: bigint
  /** Null: `data` is creation code. */
  readonly to: Address | null
  readonly data: Hex
  readonly authorizationList?: readonly SignedAuthorization[]
}

export type SignedTransaction = { readonly raw: Hex; readonly hash: Hex }

export function signTransaction(transaction: UnsignedTransaction, privateKey: Uint8Array): SignedTransaction {
  const delegated = transaction.authorizationList !== undefined
  const type = Uint8Array.of(delegated ? 4 : 2)
  const fields: RlpItem[] = [
    rlpInteger(transaction.chainId),
    rlpInteger(transaction.nonce),
    rlpInteger(transaction.maxPriorityFeePerGas),
    rlpInteger(transaction.maxFeePerGas),
    rlpInteger(transaction.gas),
    hexToBytes(transaction.to ?? '0x'),
    rlpInteger(0),
    hexToBytes(transaction.data),
    [],
    ...(delegated ? [transaction.authorizationList.map(authorizationTuple)] : []),
  ]
  const encoded = fields.map(rlpEncode)
  const signature = signDigest(keccak256(Buffer.concat([type, rlpList(encoded)])), privateKey)
  const seal = [
    rlpInteger((signature[64] ?? 27) - 27),
    stripped(signature.subarray(0, 32)),
    stripped(signature.subarray(32, 64)),
  ]
  const raw = Buffer.concat([type, rlpList([...encoded, ...seal.map(rlpEncode)])])
  return { raw: `0x${raw.toString('hex')}`, hash: bytesToHex(keccak256(raw)) }
}

/** What a signed transaction of this service pays for each gas, in wei. */
export function feesOf({ raw }: SignedTransaction): Fees {
  const bytes = hexToBytes(raw)
  // After the type comes the head of the list, whose first byte tells how many more its length takes.
  let at = 2 + Math.max(0, (bytes[1] ?? 0) - 0xf7)
  const next = (): bigint => {
    const first = bytes[at] ?? 0
    at += 1
    if (first < 0x80) return BigInt(first)
    const start = at
    at += first - 0x80
    return BigInt(`0x0${bytesToHex(bytes.subarray(start, at)).slice(2)}`)
  }
  next()
  next()
  const maxPriorityFeePerGas = next()
  return { maxPriorityFeePerGas, maxFeePerGas: next() }
}

function authorizationTuple(authorization: SignedAuthorization): RlpItem {
  return [
    rlpInteger(authorization.chainId),
    hexToBytes(authorization.address),
    rlpInteger(authorization.nonce),
    rlpInteger(authorization.yParity),
    stripped(hexToBytes(authorization.r)),
    stripped(hexToBytes(authorization.s)),
  ]
}

function stripped(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start += 1
  return bytes.subarray(start)
}
