import { ed25519KeyOf, sha256, toBase58, utf8 } from '@ergon/protocols'

/** A key whose seed anybody can compute. */
export type LocalKey = { readonly address: string; readonly seed: Uint8Array }

function localKey(name: string): LocalKey {
  const seed = sha256(utf8(`ergon local ledger: ${name}`))
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}

/** The keys of the embedded ledger. They are public: a real cluster refuses them. */
export const localKeys = {
  /** Pays fees and rent, and takes the remainder of each channel. */
  operator: localKey('operator'),
  /** Signs vouchers in the place of a buyer. */
  voucher: localKey('voucher'),
  /** Pays the fees of payments that others sign; owns no tokens. */
  feePayer: localKey('fee payer'),
  /** May mint the token of the embedded ledger. */
  mintAuthority: localKey('mint authority'),
} as const

/** The USDC of the embedded ledger. No real cluster has it, so no voucher made here is worth anything there. */
export const localMint = localKey('mint').address
