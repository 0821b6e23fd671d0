import {
  hexToBytes,
  isGuessable,
  isHex32,
  isPrivateKey,
  isPublishedKey,
  secretLength,
  type Hex,
} from '@ergon/protocols'
import { readAgentKeys, type AgentKey } from './agent-keys.ts'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { RawSettings } from './env.ts'
import { readGeocoderHeader } from './geocoder.ts'
import { readMailLogin, type MailLogin } from './mail-settings.ts'
import { readMetricsToken } from './metrics.ts'
import { readSolanaKeys, type SolanaKeys } from './solana-keys.ts'
import { valueOf } from './value-of.ts'

/** Kept apart from the configuration, which may be logged. */
export type Secrets = {
  readonly orderSignerKey: Hex
  readonly secret: string
  readonly adminKey: string | undefined
  /** Null: no keys are exchanged. */
  readonly agentKeys: readonly AgentKey[] | null
  /** Of the evidence bucket; undefined without one. */
  readonly s3SecretKey: string | undefined
  /** Of the reviewer; undefined where it asks for none. */
  readonly reviewKey: string | undefined
  /** Of the external signer; undefined where it asks for none. */
  readonly linkedSignerKey: string | undefined
  /** Undefined where no mail is sent, or the server asks for none. */
  readonly mailLogin: MailLogin | undefined
  /** What the geocoder asks for; null where it asks for nothing. */
  readonly geocoderHeader: readonly [name: string, value: string] | null
  /** What whoever reads the figures has to send; undefined where only this machine reaches them. */
  readonly metricsToken: string | undefined
  /** Of the wallet that writes to workers. */
  readonly xmtpKey: Hex | undefined
  /** Undefined where no task is metered. */
  readonly solana: SolanaKeys | undefined
  /** What is told at the start and refuses nothing. */
  readonly warnings?: readonly string[]
}

/** @throws ConfigError without ever repeating a value */
export function readSecrets(
  raw: RawSettings,
  config: Pick<Config, 'networks' | 'evidenceBucket' | 'metrics' | 'xmtpEnv' | 'solana'>,
): Secrets {
  const key = valueOf(raw, 'SVC_ORDER_SIGNER_KEY')
  const orderSignerKey = key === undefined || key.startsWith('0x') ? key : `0x${key}`
  if (orderSignerKey === undefined || !isHex32(orderSignerKey) || !isPrivateKey(hexToBytes(orderSignerKey)))
    throw new ConfigError('set SVC_ORDER_SIGNER_KEY or SVC_ORDER_SIGNER_KEY_FILE to a private key of 32 bytes in hex')
  const real = config.networks.find((one) => !one.network.testnet)
  const xmtpKey = readXmtpKey(raw, config)
  const adminKey = valueOf(raw, 'SVC_ADMIN_KEY')
  for (const [name, one] of [
    ['SVC_ORDER_SIGNER_KEY', orderSignerKey],
    ['SVC_XMTP_KEY', xmtpKey],
  ] as const) {
    if (real !== undefined && one !== undefined && isPublishedKey(hexToBytes(one)))
      throw new ConfigError(`${name} is a published development key and ${real.network.name} is a real network`)
  }
  const secret = valueOf(raw, 'SVC_SECRET')
  if (secret === undefined || secret.length < secretLength)
    throw new ConfigError(`set SVC_SECRET or SVC_SECRET_FILE to at least ${String(secretLength)} random characters`)
  for (const [name, one] of [
    ['SVC_SECRET', secret],
    ['SVC_ADMIN_KEY', adminKey],
  ] as const) {
    if (real !== undefined && one !== undefined && isGuessable(one))
      throw new ConfigError(
        `${name} must be at least ${String(secretLength)} random characters where ${real.network.name} is served`,
      )
  }
  const s3SecretKey = valueOf(raw, 'SVC_S3_SECRET_KEY')
  if (config.evidenceBucket !== null && s3SecretKey === undefined)
    throw new ConfigError('set SVC_S3_SECRET_KEY or SVC_S3_SECRET_KEY_FILE to the secret key of the evidence bucket')
  return {
    orderSignerKey,
    secret,
    s3SecretKey,
    reviewKey: valueOf(raw, 'SVC_REVIEW_KEY'),
    linkedSignerKey: valueOf(raw, 'SVC_LINKED_SIGNER_KEY'),
    mailLogin: readMailLogin(raw),
    geocoderHeader: readGeocoderHeader(raw),
    metricsToken: readMetricsToken(raw, config.metrics),
    xmtpKey,
    solana: config.solana === null ? undefined : readSolanaKeys(raw),
    adminKey,
    agentKeys: readAgentKeys(raw),
    // The last: whatever is read above adds to them.
    warnings: [...raw.warnings],
  }
}

function readXmtpKey(raw: RawSettings, { xmtpEnv }: Pick<Config, 'xmtpEnv'>): Hex | undefined {
  if (xmtpEnv === null) return undefined
  const given = valueOf(raw, 'SVC_XMTP_KEY')
  const key = given === undefined || given.startsWith('0x') ? given : `0x${given}`
  if (key === undefined || !isHex32(key) || !isPrivateKey(hexToBytes(key)))
    throw new ConfigError('set SVC_XMTP_KEY or SVC_XMTP_KEY_FILE to a private key of 32 bytes in hex')
  return key
}
