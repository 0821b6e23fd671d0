import { bytesToHex, concatBytes, hexToBytes, isHex32, lowerAddress, type Address, type Hex } from './bytes.ts'
import { hashTypedData, type TypedData } from './eip712.ts'
import { keccak256 } from './keccak.ts'
import { ProtocolError } from './protocol-error.ts'
import { addressOf, hashMessage, signDigest } from './secp256k1.ts'

/** An EIP-7702 authorization: this account runs the code at `address` until it says otherwise. */
export type Authorization = { readonly chainId: number; readonly address: Address; readonly nonce: number }
/** An authorization with the account's signature, as a type-4 transaction carries it. */
export type SignedAuthorization = Authorization & { readonly yParity: 0 | 1; readonly r: Hex; readonly s: Hex }

/** A wallet, wherever its key lives. */
export interface Signer {
  readonly address: Address
  /** EIP-191; a text is signed as UTF-8. */
  signMessage(message: string | Uint8Array): Promise<Hex>
  /** EIP-712. */
  signTypedData(typedData: TypedData): Promise<Hex>
  /** EIP-7702; absent where the wallet cannot delegate. */
  signAuthorization?(authorization: Authorization): Promise<SignedAuthorization>
}

/** A signer that holds its key in memory. Throws ProtocolError `malformed` when it is no key. */
export function privateKeySigner(privateKey: Hex): Required<Signer> {
  const key = keyBytes(privateKey)
  return {
    address: addressOf(key),
    signMessage: async (message) => bytesToHex(signDigest(hashMessage(message), key)),
    signTypedData: async (typedData) => bytesToHex(signDigest(hashTypedData(typedData), key)),
    signAuthorization: async (authorization) => {
      const signature = signDigest(authorizationDigest(authorization), key)
      return {
        chainId: authorization.chainId,
        address: lowerAddress(authorization.address),
        nonce: authorization.nonce,
        yParity: signature[64] === 28 ? 1 : 0,
        r: bytesToHex(signature.subarray(0, 32)),
        s: bytesToHex(signature.subarray(32, 64)),
      }
    },
  }
}

/** What is no key is told by its form alone: it may be one that was mistyped. It often comes from the environment. */
function keyBytes(given: unknown): Uint8Array {
  if (!isHex32(given)) {
    const form = typeof given === 'string' ? `a text of ${String(given.length)} characters` : typeof given
    throw new ProtocolError('malformed', `a private key is 0x and 64 hex digits; what was given is ${form}`)
  }
  const key = hexToBytes(given)
  if (!isPrivateKey(key)) throw new ProtocolError('malformed', 'this number is no private key of secp256k1')
  return key
}

/** A fresh private key from the runtime's secure randomness. */
export function generatePrivateKey(): Hex {
  const key = new Uint8Array(32)
  do crypto.getRandomValues(key)
  while (!isPrivateKey(key))
  return bytesToHex(key)
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Whether 32 bytes are a private key of secp256k1 (SEC 1): from 1 to its order. */
export function isPrivateKey(key: Uint8Array): boolean {
  if (key.length !== 32) return false
  const scalar = BigInt(bytesToHex(key))
  return scalar > 0n && scalar < order
}

/** keccak256(0x05 || rlp([chainId, address, nonce])), EIP-7702. */
export function authorizationDigest(authorization: Authorization): Uint8Array {
  const body = concatBytes(
    rlpInteger(authorization.chainId),
    Uint8Array.of(0x94),
    hexToBytes(lowerAddress(authorization.address)),
    rlpInteger(authorization.nonce),
  )
  // The three items never exceed 55 bytes, so the short list prefix suffices.
  return keccak256(concatBytes(Uint8Array.of(0x05, 0xc0 + body.length), body))
}

function rlpInteger(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new ProtocolError('malformed', 'not an unsigned integer')
  if (value === 0) return Uint8Array.of(0x80)
  if (value < 0x80) return Uint8Array.of(value)
  const hex = value.toString(16)
  const bytes = hexToBytes(`0x${hex.length % 2 === 0 ? '' : '0'}${hex}`)
  return concatBytes(Uint8Array.of(0x80 + bytes.length), bytes)
}
