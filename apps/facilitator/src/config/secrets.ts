import { checkMetricsToken, givenOf, secretOf, type Env, type MetricsAt } from '@ergon/process'
import { ed25519KeyOf, fromBase58, hexToBytes, isHex32, isPrivateKey, toBase58 } from '@ergon/protocols'
import { StartupError } from '../errors.ts'

/** Kept apart from the configuration, which may be logged. */
export type Secrets = {
  readonly privateKey: Uint8Array
  readonly adminToken: string | undefined
  /** What whoever reads the figures has to send; undefined where only this machine reaches them. */
  readonly metricsToken?: string | undefined
  /** The seed of the key that pays fees on Solana. */
  readonly solanaSeed?: Uint8Array | undefined
  /** What is told at the start and refuses nothing. */
  readonly warnings?: readonly string[]
}

type Read = (name: string) => string | undefined

/** `metrics` is where the figures are told; null: nowhere. */
export function readSecrets(env: Env, metrics: MetricsAt | null = null): Secrets {
  const given = givenOf(env)
  const warnings: string[] = []
  const read: Read = (name) =>
    secretOf(
      (one) => given[one],
      name,
      (text, cause) => new StartupError(text, { cause }),
      (sentence) => warnings.push(sentence),
    )
  const text = read('FACILITATOR_KEY') ?? ''
  const hex = text.startsWith('0x') ? text : `0x${text}`
  if (!isHex32(hex) || !isPrivateKey(hexToBytes(hex)))
    throw new StartupError('set FACILITATOR_KEY or FACILITATOR_KEY_FILE to a private key of 32 bytes in hex')
  const solanaSeed = readSolanaSeed(read)
  const refuse = (sentence: string): StartupError => new StartupError(sentence)
  return {
    privateKey: hexToBytes(hex),
    adminToken: read('FACILITATOR_ADMIN_TOKEN'),
    metricsToken: checkMetricsToken('FACILITATOR', metrics, read('FACILITATOR_METRICS_TOKEN'), refuse),
    solanaSeed,
    warnings,
  }
}

function readSolanaSeed(read: Read): Uint8Array | undefined {
  const text = read('FACILITATOR_SOLANA_KEY')
  if (text === undefined) return undefined
  const bytes = text.startsWith('[') ? numbersOf(text) : base58Of(text)
  const seed = bytes?.slice(0, 32)
  // The second half of 64 bytes is the public key; one that is another key's is a mistake in copying.
  const isWhole =
    bytes !== undefined &&
    seed !== undefined &&
    (bytes.length === 32 || (bytes.length === 64 && toBase58(bytes.slice(32)) === toBase58(ed25519KeyOf(seed))))
  if (isWhole) return seed
  throw new StartupError('FACILITATOR_SOLANA_KEY must be a key of Solana: 32 or 64 bytes in base58, or their list')
}

function base58Of(text: string): Uint8Array | undefined {
  try {
    return fromBase58(text)
  } catch {
    return undefined
  }
}

function numbersOf(text: string): Uint8Array | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isBytes = Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    return isBytes ? Uint8Array.from(value as readonly number[]) : undefined
  } catch {
    return undefined
  }
}
