import { ed25519 } from '@noble/curves/ed25519.js'

/** Whether the key made this signature of the message; false for what is no key or no signature. Strict as RFC 8032. */
export function isSignedByEd25519(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  try {
    // Without ZIP 215 neither points of small order nor other spellings of a point pass for a key.
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}

/** The 64-byte signature of RFC 8032 by the key whose 32-byte secret seed is given; the same each time. */
export function signEd25519(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed)
}

/** The 32-byte public key of a 32-byte secret seed. */
export function ed25519KeyOf(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed)
}

/**
 * Whether 32 bytes are the encoding of a point, as Solana asks it: another spelling of a point counts as one too. What
 * is none can be the address of a program and never a key.
 */
export function isOnEd25519Curve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}
