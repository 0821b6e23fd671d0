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
