import { ed25519KeyOf, hexToBytes, isHex32, toBase58 } from '@ergon/protocols'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { valueOf } from './value-of.ts'

/** A key of Ed25519 by its 32-byte seed. */
export type SolanaKey = { readonly seed: Uint8Array; readonly address: string }
/** The two stay apart: who signs vouchers moves no money by itself, and who seals accepts no work. */
export type SolanaKeys = { readonly operator: SolanaKey; readonly voucher: SolanaKey }

/** @throws ConfigError without ever repeating a value */
export function readSolanaKeys(raw: RawSettings): SolanaKeys {
  const operator = readKey(raw, 'SVC_SOLANA_OPERATOR_KEY')
  const voucher = readKey(raw, 'SVC_SOLANA_VOUCHER_KEY')
  if (operator.address === voucher.address)
    throw new ConfigError('SVC_SOLANA_OPERATOR_KEY and SVC_SOLANA_VOUCHER_KEY must be two keys')
  return { operator, voucher }
}

function readKey(raw: RawSettings, name: string): SolanaKey {
  const text = valueOf(raw, name)
  const seed = text === undefined ? undefined : (seedOfHex(text) ?? seedOfFile(text))
  if (seed === undefined)
    throw new ConfigError(
      `set ${name} or ${name}_FILE to 32 bytes in hex, or to the 64 numbers of a key file of Solana's tools`,
    )
  return { seed, address: toBase58(ed25519KeyOf(seed)) }
}

function seedOfHex(text: string): Uint8Array | undefined {
  const hex = text.startsWith('0x') ? text : `0x${text}`
  return isHex32(hex) ? hexToBytes(hex) : undefined
}

/** The seed and, behind it, the public key, which has to be its own. */
function seedOfFile(text: string): Uint8Array | undefined {
  let numbers: unknown
  try {
    numbers = JSON.parse(text)
  } catch {
    return undefined
  }
  const isByte = (one: unknown): one is number => Number.isInteger(one) && Number(one) >= 0 && Number(one) < 256
  if (!Array.isArray(numbers) || numbers.length !== 64 || !numbers.every(isByte)) return undefined
  const bytes = Uint8Array.from(numbers)
  const seed = bytes.slice(0, 32)
  return toBase58(ed25519KeyOf(seed)) === toBase58(bytes.slice(32)) ? seed : undefined
}
