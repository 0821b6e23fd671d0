import { bytesToHex, lowerAddress, utf8, type Address } from './bytes.ts'
import { keccak256 } from './keccak.ts'

/** The mixed-case form of EIP-55. Throws ProtocolError `malformed` when it is no address. */
export function toChecksumAddress(a: Address): Address {
  const plain = lowerAddress(a).slice(2)
  const hash = bytesToHex(keccak256(utf8(plain))).slice(2)
  let mixed = ''
  for (let at = 0; at < plain.length; at += 1) {
    const digit = plain.charAt(at)
    mixed += hash.charCodeAt(at) >= 56 ? digit.toUpperCase() : digit
  }
  return `0x${mixed}`
}
