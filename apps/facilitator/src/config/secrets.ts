import { readFileSync } from 'node:fs'
import { checkMetricsToken, type MetricsAt } from '@ergon/process'
import { ed25519KeyOf, fromBase58, hexToBytes, isHex32, isPrivateKey, toBase58 } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import type { Env } from './env.ts'

/** Kept apart from the configuration, which may be logged. */
export type Secrets = {
  readonly privateKey: Uint8Array
  readonly adminToken: string | undefined
  /** What whoever reads the figures has to send; undefined where only this machine reaches them. */
  readonly metricsToken?: string | undefined
  /** The seed of the key that pays fees on Solana. */
  readonly solanaSeed?: Uint8Array | undefined
}

/** `metrics` is where the figures are told; null: nowhere. */
export function readSecrets(env: Env, metrics: MetricsAt | null = null): Secrets {
  const file = env['FACILITATOR_KEY_FILE']
  if (file !== undefined && file !== '' && env['FACILITATOR_KEY'] !== undefined && env['FACILITATOR_KEY'] !== '')
    throw new StartupError('set FACILITATOR_KEY or FACILITATOR_KEY_FILE, not both')
  const text = (file === undefined || file === '' ? (env['FACILITATOR_KEY'] ?? '') : readKeyFile(file)).trim()
  const hex = text.startsWith('0x') ? text : `0x${text}`
  if (!isHex32(hex) || !isPrivateKey(hexToBytes(hex)))
    throw new StartupError('set FACILITATOR_KEY or FACILITATOR_KEY_FILE to a private key of 32 bytes in hex')
  const solanaSeed = readSolanaSeed(env)
  const adminToken = env['FACILITATOR_ADMIN_TOKEN']
  return {
    privateKey: hexToBytes(hex),
    adminToken: adminToken === '' ? undefined : adminToken,
    metricsToken: readMetricsToken(env, metrics),
    solanaSeed,
  }
}

function readMetricsToken(env: Env, metrics: MetricsAt | null): string | undefined {
  const [token = '', file = ''] = [env['FACILITATOR_METRICS_TOKEN'], env['FACILITATOR_METRICS_TOKEN_FILE']]
  if (token !== '' && file !== '')
    throw new StartupError('set FACILITATOR_METRICS_TOKEN or FACILITATOR_METRICS_TOKEN_FILE, not both')
  const given = file === '' ? token : readKeyFile(file, 'FACILITATOR_METRICS_TOKEN_FILE').trim()
  return checkMetricsToken('FACILITATOR', metrics, given, (sentence) => new StartupError(sentence))
}

function readSolanaSeed(env: Env): Uint8Array | undefined {
  const [key = '', file = ''] = [env['FACILITATOR_SOLANA_KEY'], env['FACILITATOR_SOLANA_KEY_FILE']]
  if (key !== '' && file !== '')
    throw new StartupError('set FACILITATOR_SOLANA_KEY or FACILITATOR_SOLANA_KEY_FILE, not both')
  if (key === '' && file === '') return undefined
  const text = (file === '' ? key : readKeyFile(file, 'FACILITATOR_SOLANA_KEY_FILE')).trim()
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

function readKeyFile(path: string, name = 'FACILITATOR_KEY_FILE'): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartupError(`${name} cannot be read`, { cause })
  }
}
