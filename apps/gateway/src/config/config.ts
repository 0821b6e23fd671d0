import {
  checkMetricsToken,
  databaseUrlFault,
  decideMetricsAt,
  firstUnknownName,
  givenOf,
  httpUrlsOf,
  logLevelFault,
  sayUnknownName,
  secretOf,
  writtenFault,
  type Env,
  type MetricsAt,
} from '@ergon/process'
import { isSolanaAddress, mainnetChannelProgram, type SessionNetwork, type VoucherSigner } from '@ergon/channels'
import { ed25519KeyOf, hexToBytes, isHex32, toBase58 } from '@ergon/protocols'
import { clusterGenesis, localKeys, localMint } from '@ergon/solana-ledger'
import { StartupError } from '../errors.ts'
import { createCallers } from '../http/caller.ts'
import { readEndpoints, type Endpoint } from './endpoints.ts'
import { settings } from './settings-table.ts'

/** A key of the gateway's own, by its seed. */
export type Key = { readonly address: string; readonly seed: Uint8Array }

export type Config = {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitMs: number
  readonly endpoints: readonly Endpoint[]
  readonly rpcUrls: readonly string[]
  readonly network: SessionNetwork
  /** Undefined on localnet: the first node is asked. */
  readonly genesis: string | undefined
  readonly mint: string
  readonly channelProgram: string
  readonly programHash: string | undefined
  readonly voucherSigners: readonly VoucherSigner[]
  readonly realm: string
  readonly deposits: { readonly least: bigint; readonly suggested: bigint; readonly most: bigint }
  readonly graceSec: number
  readonly idleSec: number
  readonly bodies: { readonly request: number; readonly answer: number }
  readonly upstreamMs: { readonly answer: number; readonly stream: number }
  readonly seats: { readonly channel: number; readonly address: number; readonly all: number }
  readonly channels: { readonly payer: number; readonly address: number; readonly all: number }
  /** Of one address: at once, and more of them a minute. */
  readonly rates: { readonly acts: Rate; readonly failures: Rate }
  /** Openings and top-ups of a day (UTC) that the operator pays the fees of. */
  readonly sponsored: { readonly payer: number; readonly address: number; readonly all: number }
  /** Addresses or CIDR blocks whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Null: no figures are told. */
  readonly metrics: MetricsAt | null
  readonly logLevel: string
}

export type Rate = { readonly burst: number; readonly perMinute: number }

/** Kept apart from the configuration, which may be logged. */
export type Secrets = {
  readonly operator: Key
  readonly voucher: Key
  /** What whoever reads the figures has to send; undefined where only this machine reaches them. */
  readonly metricsToken?: string | undefined
  /** What is told at the start and refuses nothing. */
  readonly warnings?: readonly string[]
}

/** USDC of the main network. */
const usdcMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** Throws `StartupError` naming the setting that is missing or wrong. */
export function decideConfig(whole: Env): Config {
  const fault = writtenFault(whole, 'GATEWAY_')
  if (fault !== undefined) throw new StartupError(fault)
  const env = givenOf(whole)
  const names = Object.keys(env).filter((name) => name.startsWith('GATEWAY_'))
  const unknown = firstUnknownName(
    names,
    settings.map(({ name }) => name),
  )
  if (unknown !== undefined) throw new StartupError(sayUnknownName(unknown))
  const network = oneOf('GATEWAY_NETWORK', env['GATEWAY_NETWORK'], ['localnet', 'devnet', 'mainnet'])
  const [request, answer] = wholes('GATEWAY_BODIES', env['GATEWAY_BODIES'], [1_048_576, 16_777_216])
  const [answerMs, streamMs] = wholes('GATEWAY_UPSTREAM_MS', env['GATEWAY_UPSTREAM_MS'], [30_000, 600_000], {
    most: dayMs,
  })
  const [channel, address, all] = wholes('GATEWAY_SEATS', env['GATEWAY_SEATS'], [128, 128, 512])
  const [payer, opener, open] = wholes('GATEWAY_CHANNELS', env['GATEWAY_CHANNELS'], [4, 16, 1_000])
  const [acts, actsAMinute, failed, failedAMinute] = wholes('GATEWAY_RATES', env['GATEWAY_RATES'], [12, 6, 60, 60])
  const [ofPayer, ofAddress, inAll] = wholes('GATEWAY_SPONSORED', env['GATEWAY_SPONSORED'], [64, 256, 10_000])
  const deposits = wholes('GATEWAY_DEPOSITS', env['GATEWAY_DEPOSITS'], [100_000, 1_000_000, 100_000_000])
  const [least, suggested, most] = deposits
  if (least > suggested || suggested > most) throw new StartupError('GATEWAY_DEPOSITS must go up')
  const [graceSec] = wholes('GATEWAY_GRACE_SEC', env['GATEWAY_GRACE_SEC'], [900])
  if (graceSec < 900) throw new StartupError('GATEWAY_GRACE_SEC must be at least 900')
  return {
    host: env['GATEWAY_HOST'] ?? '127.0.0.1',
    port: wholes('GATEWAY_PORT', env['GATEWAY_PORT'], [4_030], { least: 0, most: 65_535 })[0],
    databaseUrl: decideDatabaseUrl(env['DATABASE_URL']),
    databaseWaitMs: decideDatabaseWait(env['GATEWAY_DATABASE_WAIT_MS']),
    endpoints: readEndpoints(required('GATEWAY_ENDPOINTS', env['GATEWAY_ENDPOINTS'])),
    rpcUrls: decideNodes(required('GATEWAY_RPC', env['GATEWAY_RPC'])),
    network,
    genesis: env['GATEWAY_GENESIS'] ?? (network === 'localnet' ? undefined : clusterGenesis[network]),
    mint: decideMint(env['GATEWAY_MINT'], network),
    channelProgram: address58('GATEWAY_PROGRAM', env['GATEWAY_PROGRAM'] ?? mainnetChannelProgram),
    programHash: network === 'localnet' ? undefined : required('GATEWAY_PROGRAM_HASH', env['GATEWAY_PROGRAM_HASH']),
    voucherSigners: decideSigners(env['GATEWAY_VOUCHERS']),
    realm: decideRealm(env['GATEWAY_REALM']),
    deposits: { least: BigInt(least), suggested: BigInt(suggested), most: BigInt(most) },
    graceSec,
    idleSec: wholes('GATEWAY_IDLE_SEC', env['GATEWAY_IDLE_SEC'], [600])[0],
    bodies: { request, answer },
    upstreamMs: { answer: answerMs, stream: streamMs },
    seats: { channel, address, all },
    channels: { payer, address: opener, all: open },
    rates: {
      acts: { burst: acts, perMinute: actsAMinute },
      failures: { burst: failed, perMinute: failedAMinute },
    },
    sponsored: { payer: ofPayer, address: ofAddress, all: inAll },
    trustedProxies: decideProxies(env['GATEWAY_TRUSTED_PROXIES']),
    metrics: decideMetricsAt(
      'GATEWAY',
      { host: env['GATEWAY_METRICS_HOST'], port: env['GATEWAY_METRICS_PORT'] },
      refuse,
    ),
    logLevel: decideLogLevel(env['GATEWAY_LOG_LEVEL']),
  }
}

/** Throws `StartupError` for keys that are missing, no seeds, or anybody's where money is real. */
export function readSecrets(whole: Env, { network, metrics }: Pick<Config, 'network' | 'metrics'>): Secrets {
  const env = givenOf(whole)
  const warnings: string[] = []
  const read = (name: string): string | undefined =>
    secretOf(
      (one) => env[one],
      name,
      (sentence, cause) => new StartupError(sentence, { cause }),
      (sentence) => warnings.push(sentence),
    )
  const key = (name: string, local: Key): Key => {
    const text = read(name)
    if (text === undefined && network === 'localnet') return { address: local.address, seed: local.seed }
    const hex = text?.startsWith('0x') === true ? text : `0x${text ?? ''}`
    if (!isHex32(hex)) throw new StartupError(`set ${name} or ${name}_FILE to a seed of 32 bytes in hex`)
    const seed = hexToBytes(hex)
    const address = toBase58(ed25519KeyOf(seed))
    const isKnown = Object.values(localKeys).some((known) => known.address === address)
    if (isKnown && network !== 'localnet') throw new StartupError(`${name} is a public key of the embedded ledger`)
    return { address, seed }
  }
  const operator = key('GATEWAY_OPERATOR_KEY', localKeys.operator)
  const voucher = key('GATEWAY_VOUCHER_KEY', localKeys.voucher)
  if (operator.address === voucher.address)
    throw new StartupError('GATEWAY_VOUCHER_KEY must differ from GATEWAY_OPERATOR_KEY')
  const metricsToken = checkMetricsToken('GATEWAY', metrics, read('GATEWAY_METRICS_TOKEN'), refuse)
  return { operator, voucher, metricsToken, warnings }
}

const refuse = (sentence: string): StartupError => new StartupError(sentence)

function decideNodes(text: string): readonly string[] {
  const urls = httpUrlsOf(text)
  if (urls === undefined) throw new StartupError('GATEWAY_RPC must be the URL of a node of Solana, or several')
  return urls
}

function decideDatabaseWait(text: string | undefined): number {
  return wholes('GATEWAY_DATABASE_WAIT_MS', text, [60_000], { least: 0, most: hourMs })[0]
}

function decideLogLevel(level = 'info'): string {
  const fault = logLevelFault('GATEWAY_LOG_LEVEL', level)
  if (fault !== undefined) throw new StartupError(fault)
  return level
}

function decideMint(text: string | undefined, network: SessionNetwork): string {
  if (text !== undefined) return address58('GATEWAY_MINT', text)
  if (network === 'devnet') throw new StartupError('set GATEWAY_MINT on devnet')
  return network === 'mainnet' ? usdcMint : localMint
}

function decideSigners(text = 'operator,client'): readonly VoucherSigner[] {
  const words = list(text).map((word) => oneOf<VoucherSigner>('GATEWAY_VOUCHERS', word, ['operator', 'client']))
  if (words.length === 0) throw new StartupError('GATEWAY_VOUCHERS must be operator, client or both')
  return words
}

function decideProxies(text = ''): readonly string[] {
  const proxies = list(text)
  try {
    createCallers(proxies)
    return proxies
  } catch (cause) {
    throw new StartupError('GATEWAY_TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8', { cause })
  }
}

function decideRealm(text = 'ergon gateway'): string {
  if (!/^[\x20-\x7e]{1,64}$/.test(text)) throw new StartupError('GATEWAY_REALM must be 1 to 64 printable characters')
  return text
}

function required(name: string, value: string | undefined): string {
  if (value === undefined) throw new StartupError(`set ${name}`)
  return value
}

function decideDatabaseUrl(value: string | undefined): string {
  const url = required('DATABASE_URL', value)
  const fault = databaseUrlFault(url)
  if (fault !== undefined) throw new StartupError(fault)
  return url
}

function address58(name: string, value: string): string {
  if (!isSolanaAddress(value)) throw new StartupError(`${name} must be a Solana address`)
  return value
}

function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function oneOf<const Word extends string>(
  name: string,
  value: string | undefined,
  words: readonly [Word, ...Word[]],
): Word {
  if (value === undefined) return words[0]
  const found = words.find((word) => word === value)
  if (found === undefined) throw new StartupError(`${name} must be ${words.join(', ')}`)
  return found
}

/** A timer of Node that is to wait for more than 2^31 milliseconds does not wait at all. */
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Whole numbers between slashes, as many as there are defaults. */
function wholes<const Defaults extends readonly number[]>(
  name: string,
  value: string | undefined,
  defaults: Defaults,
  { least = 1, most = Number.MAX_SAFE_INTEGER } = {},
): { readonly [At in keyof Defaults]: number } {
  const parts = value?.split('/') ?? []
  // What the language reads besides (an empty text, hex, an exponent) nobody meant.
  const isWritten = parts.every((part) => /^\d+$/.test(part))
  const numbers = value === undefined ? defaults : parts.map(Number)
  const isOne = (one: number): boolean => Number.isSafeInteger(one) && one >= least && one <= most
  if (!isWritten || numbers.length !== defaults.length || !numbers.every(isOne)) {
    const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` up to ${most}`
    throw new StartupError(`${name} must be ${defaults.join('/')} or other whole numbers${upTo}`)
  }
  // As many as the defaults, which has just been asked.
  return numbers as { readonly [At in keyof Defaults]: number }
}
