import { sha256 as noble } from '@noble/hashes/sha2.js'

/** SHA-256 in portable JavaScript. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return noble(bytes)
}
