import { isSolanaAddress } from '@ergon/channels'
import { malformed, readText } from '../wire/read.ts'

/** Base58, in which case counts. @throws Refusal invalid_payload */
export function readSolanaAddress(value: unknown, path: string): string {
  const text = readText(value, path, 44)
  if (!isSolanaAddress(text)) throw malformed(path, 'a Solana address')
  return text
}

export function readOptionalAddress(value: unknown, path: string): string | undefined {
  return value === undefined ? undefined : readSolanaAddress(value, path)
}
