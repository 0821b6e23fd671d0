import { ed25519KeyOf, toBase58 } from '@ergon/protocols'

/** Wallets of the tests on Solana. */
export type Key = { readonly address: string; readonly seed: Uint8Array }
export const keyOf = (byte: number): Key => {
  const seed = new Uint8Array(32).fill(byte)
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}
export const [feePayer, payer, seller, worker, treasury, stranger] = [
  keyOf(61),
  keyOf(62),
  keyOf(63),
  keyOf(64),
  keyOf(65),
  keyOf(66),
]
