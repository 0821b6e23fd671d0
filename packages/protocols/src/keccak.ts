import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, type Hex } from './bytes.ts'

type Hasher = { init(): Hasher; update(data: Uint8Array): Hasher; digest(kind: 'binary'): Uint8Array }

let fast: Hasher | undefined
let loading: Promise<void> | undefined

/** keccak-256, the pre-standard SHA-3 of Ethereum. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return fast === undefined ? keccak_256(bytes) : fast.init().update(bytes).digest('binary')
}

/** keccak-256 as hex. */
export function keccak256Hex(bytes: Uint8Array): Hex {
  return bytesToHex(keccak256(bytes))
}

/** Whether the WebAssembly implementation answers. */
export function fastKeccakLoaded(): boolean {
  return fast !== undefined
}

/**
 * Switches keccak256 to WebAssembly, about ten times faster. Where WebAssembly is forbidden
 * (a strict content security policy) it settles quietly and the portable implementation stays.
 */
export function loadFastKeccak(): Promise<void> {
  loading ??= load()
  return loading
}

async function load(): Promise<void> {
  try {
    const { createKeccak } = await import('hash-wasm')
    fast = await createKeccak(256)
  } catch {
    fast = undefined
  }
}
