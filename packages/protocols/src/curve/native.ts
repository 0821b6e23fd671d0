import { createRequire } from 'node:module'
import type { Curve } from './curve.ts'
import { curve as portable } from './javascript.ts'

/** The part of the addon in use; the package ships no types. */
type Addon = {
  ecdsaRecover(compact: Uint8Array, recovery: number, digest: Uint8Array, compressed: false): Uint8Array
  ecdsaSign(digest: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number }
  publicKeyCreate(privateKey: Uint8Array, compressed: false): Uint8Array
}

/**
 * libsecp256k1 through the addon's bindings. The package's own index falls back in silence to slow
 * JavaScript with a history of faults, so it is never imported; without a prebuild the portable curve
 * answers and `backend` says so.
 */
export const curve: Curve = loadAddon()

function loadAddon(): Curve {
  try {
    // The bindings are CommonJS without types; the shape is the documented one.
    return wrap(createRequire(import.meta.url)('secp256k1/bindings.js') as Addon)
  } catch {
    return portable
  }
}

function wrap(addon: Addon): Curve {
  return {
    backend: 'native',
    recover(compact, recovery, digest) {
      try {
        return addon.ecdsaRecover(compact, recovery, digest, false)
      } catch {
        return undefined
      }
    },
    sign(digest, privateKey) {
      const { signature, recid } = addon.ecdsaSign(digest, privateKey)
      return { compact: signature, recovery: recid }
    },
    publicKey(privateKey) {
      return addon.publicKeyCreate(privateKey, false)
    },
  }
}
