import { hash } from 'node:crypto'

/** SHA-256 by the runtime's own library. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer')
}
