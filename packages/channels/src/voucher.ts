import { concatBytes, fromBase58, isSignedByEd25519, ProtocolError, signEd25519, toBase58 } from '@ergon/protocols'
import { addressBytes } from './addresses.ts'
import { i64, readFields, u64 } from './little-endian.ts'

/** What the signer of a channel promises: this much in all since it was opened, never less than before. */
export type Voucher = {
  /** Base58 address of the channel. */
  readonly channelId: string
  /** Atomic units. */
  readonly cumulative: bigint
  /** Unix seconds after which the program refuses it; 0 for never. */
  readonly expiresAt: bigint
}

/** The bytes every voucher begins with: the letter V, version 1. */
const magic = Uint8Array.of(0x56, 0x01)
export const voucherLength = 50

/** The 50 bytes a voucher's signature is over. @throws ProtocolError */
export function encodeVoucher({ channelId, cumulative, expiresAt }: Voucher): Uint8Array {
  return concatBytes(magic, addressBytes(channelId), u64(cumulative), i64(expiresAt))
}

/** @throws ProtocolError `malformed` for what is not exactly a voucher. */
export function decodeVoucher(bytes: Uint8Array): Voucher {
  if (bytes.length !== voucherLength) throw new ProtocolError('malformed', `a voucher has ${voucherLength} bytes`)
  const fields = readFields(bytes)
  if (fields.u8() !== magic[0] || fields.u8() !== magic[1])
    throw new ProtocolError('malformed', 'a voucher begins with 56 01')
  return { channelId: toBase58(fields.bytes(32)), cumulative: fields.u64(), expiresAt: fields.i64() }
}

/** The base58 signature of a voucher by the key of a 32-byte seed. Every signer of Ed25519 makes the same one. */
export function signVoucher(voucher: Voucher, seed: Uint8Array): string {
  return toBase58(signEd25519(encodeVoucher(voucher), seed))
}

/**
 * Whether the signer signed exactly this voucher; false for whatever is no signature. The second spelling of a
 * signature, with the group's order added to its scalar, is none.
 */
export function isSignedVoucher(voucher: Voucher, signature: string, signer: string): boolean {
  let bytes: Uint8Array
  let key: Uint8Array
  try {
    bytes = fromBase58(signature)
    key = addressBytes(signer)
  } catch {
    return false
  }
  return isSignedByEd25519(encodeVoucher(voucher), bytes, key)
}
