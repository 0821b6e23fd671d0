import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Curve } from './curve.ts'

/** The portable curve: audited JavaScript, for browsers and machines without the native prebuild. */
export const curve: Curve = {
  backend: 'javascript',
  recover(compact, recovery, digest) {
    const recovered = new Uint8Array(65)
    recovered[0] = recovery
    recovered.set(compact, 1)
    try {
      const key = secp256k1.recoverPublicKey(recovered, digest, { prehash: false })
      return secp256k1.Point.fromBytes(key).toBytes(false)
    } catch {
      return undefined
    }
  },
  sign(digest, privateKey) {
    const recovered = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' })
    return { compact: recovered.subarray(1), recovery: recovered[0] ?? 0 }
  },
  publicKey(privateKey) {
    return secp256k1.getPublicKey(privateKey, false)
  },
}
