import { ed25519KeyOf, signEd25519, toBase58 } from '@ergon/protocols'

/** A key on Solana: a wallet, or a seed. */
export type SolanaSigner = {
  /** Base58. */
  readonly address: string
  /** The Ed25519 signature of these bytes: of a transaction's message, a voucher or a text. */
  sign(bytes: Uint8Array): Promise<Uint8Array> | Uint8Array
}

/** A signer of a 32-byte seed. @throws ProtocolError for another length. */
export function solanaSeedSigner(seed: Uint8Array): SolanaSigner {
  return { address: toBase58(ed25519KeyOf(seed)), sign: (bytes) => signEd25519(bytes, seed) }
}
