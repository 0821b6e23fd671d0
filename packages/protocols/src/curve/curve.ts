/** What both implementations of secp256k1 offer; they answer the same bytes for the same input. */
export type Curve = {
  readonly backend: 'native' | 'javascript'
  /** The 65-byte uncompressed public key, or undefined when r and s name no point. */
  recover(compact: Uint8Array, recovery: number, digest: Uint8Array): Uint8Array | undefined
  /** r||s with low s and the deterministic nonce of RFC 6979. */
  sign(digest: Uint8Array, privateKey: Uint8Array): { readonly compact: Uint8Array; readonly recovery: number }
  /** The 65-byte uncompressed public key. Throws for a key outside 1..n-1. */
  publicKey(privateKey: Uint8Array): Uint8Array
}
