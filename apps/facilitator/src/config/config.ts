import {
  databaseUrlFault,
  decideMetricsAt,
  httpUrlsOf,
  isLoopbackHost,
  logLevelFault,
  settingsJson,
  type MetricsAt,
} from '@ergon/process'
import { isSolanaAddress } from '@ergon/channels'
import { isAddress, networkByCaip2, networkByName, type Address, type Network } from '@ergon/protocols'
import { StartupError } from '../errors.ts'
import type { GasLimits } from '../gas/gas-budget.ts'
import type { GasTerms } from '../gas/gas-terms.ts'
import { dayLimits } from './day-limits.ts'
import { decimal } from './decimal.ts'
import type { SolanaConfig } from '../solana/network.ts'
import type { RawSettings } from './env.ts'
import { decideSolana, isSolanaName } from './solana.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { readNetworkRows, type NetworkRow } from './network-rows.ts'

export type LifecycleMode = 'enforce' | 'log' | 'off'
/** Requests one address may make: a full bucket, refilled at this pace. */
export type RateLimit = { readonly burst: number; readonly perSecond: number }
export type BlockedAddress = { readonly account_type: string; readonly wallet: string; readonly reason: string }

export type Config = {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  /** With the nodes of each, in the order in which they are asked. */
  readonly networks: readonly { readonly row: Network; readonly rpcUrls: readonly string[] }[]
  readonly orderDelegates: readonly Address[]
  /** Lowercase. */
  readonly walletFactories: readonly Address[]
  readonly lifecycleMode: LifecycleMode
  readonly blacklist: readonly BlockedAddress[]
  /** Undefined: no limit. */
  readonly rateLimit: { readonly payments: RateLimit; readonly identity: RateLimit } | undefined
  /** Undefined: no limit. */
  readonly gas: GasLimits | undefined
  readonly paymentGas: GasLimits | undefined
  readonly gasTerms: GasTerms
  /** Millionths of a token's unit. */
  readonly smallestMillionths: bigint
  readonly settleWaitMs: number
  readonly rpcTimeoutMs: number
  /** How long a start waits for a predecessor with the same account to end. */
  readonly leaseWaitMs: number
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitMs: number
  /** Whether a development node is asked for blocks; otherwise it is waited for, like a real network. */
  readonly minesOnDemand: boolean
  /** Delay of the event loop above which nothing but orders is taken; 0 takes everything. */
  readonly shedAboveMs: number
  /** Null: no figures are told. */
  readonly metrics: MetricsAt | null
  readonly logLevel: string
  /** Undefined: Solana is not served. */
  readonly solana?: SolanaConfig | undefined
}

export function decideConfig(raw: RawSettings): Config {
  if (raw.fault !== undefined) throw new StartupError(raw.fault)
  const host = raw.host ?? '127.0.0.1'
  if (raw.databaseUrl === undefined) throw new StartupError('set DATABASE_URL to a PostgreSQL database')
  const urlFault = databaseUrlFault(raw.databaseUrl)
  if (urlFault !== undefined) throw new StartupError(urlFault)
  const lifecycleMode = raw.lifecycleMode ?? 'enforce'
  if (lifecycleMode !== 'enforce' && lifecycleMode !== 'log' && lifecycleMode !== 'off') {
    throw new StartupError('FACILITATOR_LIFECYCLE_MODE must be enforce, log or off')
  }
  const networks = decideNetworks(raw)
  const solana = decideSolana(raw, list(raw.networks), isLoopbackHost(host))
  refuseUnknown(raw.names, networks)
  return {
    host,
    port: integer('FACILITATOR_PORT', raw.port, 4021, 65_535),
    databaseUrl: raw.databaseUrl,
    networks,
    ...(solana === undefined ? {} : { solana }),
    orderDelegates: addresses('FACILITATOR_ORDER_DELEGATES', raw.orderDelegates),
    walletFactories: addresses('FACILITATOR_WALLET_FACTORIES', raw.walletFactories),
    lifecycleMode,
    blacklist: raw.blacklistFile === undefined ? [] : readBlacklist(raw.blacklistFile),
    rateLimit: decideRateLimit(raw.rateLimit, host),
    gas: decideGas('FACILITATOR_GAS_PER_DAY', raw.gasPerDay, `50/${isLoopbackHost(host) ? '0' : '400'}/2000`),
    paymentGas: decideGas('FACILITATOR_PAYMENT_GAS_PER_DAY', raw.paymentGasPerDay, paymentDefault(networks, host)),
    gasTerms: decideGasTerms(raw),
    smallestMillionths: decimal(
      'FACILITATOR_SMALLEST_PAYMENT',
      raw.smallestPayment,
      isLocal(networks) ? '0' : '0.001',
      6,
    ),
    settleWaitMs: integer('FACILITATOR_SETTLE_WAIT_MS', raw.settleWaitMs, 30_000),
    rpcTimeoutMs: decideRpcTimeout(raw.rpcTimeoutMs),
    leaseWaitMs: integer('FACILITATOR_LEASE_WAIT_MS', raw.leaseWaitMs, 10_000),
    databaseWaitMs: integer('FACILITATOR_DATABASE_WAIT_MS', raw.databaseWaitMs, 60_000),
    minesOnDemand: decideMining(raw.mining),
    shedAboveMs: integer('FACILITATOR_SHED_ABOVE_MS', raw.shedAboveMs, 1_000),
    metrics: decideMetricsAt(
      'FACILITATOR',
      { host: raw.metricsHost, port: raw.metricsPort },
      (sentence) => new StartupError(sentence),
    ),
    logLevel: decideLogLevel(raw.logLevel ?? 'info'),
  }
}

function decideRpcTimeout(text: string | undefined): number {
  const ms = integer('FACILITATOR_RPC_TIMEOUT_MS', text, 10_000)
  if (ms === 0) throw new StartupError('FACILITATOR_RPC_TIMEOUT_MS must be 1 at least')
  return ms
}

function decideMining(text = 'on'): boolean {
  if (!['on', 'off'].includes(text)) throw new StartupError('FACILITATOR_MINING must be on or off')
  return text !== 'off'
}

function decideLogLevel(level: string): string {
  const fault = logLevelFault('FACILITATOR_LOG_LEVEL', level)
  if (fault !== undefined) throw new StartupError(fault)
  return level
}

function decideNetworks(raw: RawSettings): Config['networks'] {
  const extra =
    raw.networksFile === undefined ? [] : readNetworkRows(readJson('FACILITATOR_NETWORKS_FILE', raw.networksFile))
  const names = list(raw.networks)
  if (new Set(names).size < names.length) throw new StartupError('FACILITATOR_NETWORKS names a network twice')
  if (names.length === 0)
    throw new StartupError('set FACILITATOR_NETWORKS to the networks to serve, separated by commas')
  return names
    .filter((name) => !isSolanaName(name))
    .map((name) => {
      const row: NetworkRow | undefined =
        extra.find((one) => one.name === name || one.caip2 === name) ?? networkByName(name) ?? networkByCaip2(name)
      if (row === undefined) throw new StartupError(`FACILITATOR_NETWORKS names ${name}, which has no row`)
      if (row.chainId === undefined)
        throw new StartupError(`${name} is not an EVM network; this facilitator does not serve it`)
      const given = raw.rpcUrls.get(row.name)
      const rpcUrls = httpUrlsOf(given ?? (row.rpcUrls ?? []).join(','))
      if (rpcUrls === undefined) {
        throw new StartupError(
          `set FACILITATOR_RPC_${row.name.toUpperCase().replaceAll('-', '_')} to the URL of a node of ${row.name}, or several`,
        )
      }
      return { row, rpcUrls }
    })
}

// facts §2: one request in two seconds with a burst of thirty for payments, five a minute for identity writes.
const referenceLimits = { payments: { burst: 30, perSecond: 0.5 }, identity: { burst: 5, perSecond: 5 / 60 } }

function decideRateLimit(value: string | undefined, host: string): Config['rateLimit'] {
  if (value === 'off') return undefined
  // On loopback every caller has one address and is the operator's own.
  if (value === undefined) return isLoopbackHost(host) ? undefined : referenceLimits
  const [, burst = 0, perSecond = 0] =
    /^(\d{1,9}(?:\.\d{1,9})?)\/(\d{1,9}(?:\.\d{1,9})?)$/.exec(value)?.map(Number) ?? []
  if (burst < 1 || perSecond === 0)
    throw new StartupError('FACILITATOR_RATE_LIMIT must be off or burst/perSecond, such as 30/0.5')
  return { payments: { burst, perSecond }, identity: { burst: Math.max(1, burst / 6), perSecond: perSecond / 6 } }
}

const localChainId = 31_337

function isLocal(networks: Config['networks']): boolean {
  return networks.every(({ row }) => row.chainId === localChainId)
}

function decideGasTerms(raw: RawSettings): GasTerms {
  const highestFee = decimal('FACILITATOR_HIGHEST_FEE_GWEI', raw.highestFeeGwei, '0', 9)
  return {
    highestFee: highestFee === 0n ? undefined : highestFee,
    alarmBelow: decimal('FACILITATOR_GAS_ALARM', raw.gasAlarm, '0.002', 18),
  }
}

/** About 500 jobs of one wallet, 5,000 of one caller, 50,000 in all. The gas of a local chain is worth nothing. */
function paymentDefault(networks: Config['networks'], host: string): string {
  return isLocal(networks) ? 'off' : `200/${isLoopbackHost(host) ? '0' : '2000'}/20000`
}

/**
 * The default of `FACILITATOR_GAS_PER_DAY`: about 100 identities of one wallet, 800 of one caller, 4,000 in all; a long
 * URI counts for more.
 */
function decideGas(name: string, value: string | undefined, otherwise: string): GasLimits | undefined {
  const example = 'wallet/client/total in millions, such as 50/400/2000'
  return dayLimits(name, value ?? otherwise, { places: 6, example })
}

function readBlacklist(path: string): BlockedAddress[] {
  const parsed = readJson('FACILITATOR_BLACKLIST_FILE', path)
  if (!Array.isArray(parsed)) throw new StartupError('FACILITATOR_BLACKLIST_FILE must hold a JSON list')
  return (parsed as unknown[]).map((entry) => {
    const { account_type, wallet, reason } = (entry ?? {}) as {
      account_type?: unknown
      wallet?: unknown
      reason?: unknown
    }
    // One that is written in another way would be met by nobody.
    if (!isAddress(wallet) && !isSolanaAddress(wallet))
      throw new StartupError('FACILITATOR_BLACKLIST_FILE has an entry whose wallet is no address')
    return {
      account_type: typeof account_type === 'string' ? account_type : 'evm',
      wallet,
      reason: typeof reason === 'string' ? reason : '',
    }
  })
}

function readJson(name: string, path: string): unknown {
  return settingsJson(path, (why, cause) => new StartupError(`${name} cannot be read: ${why}`, { cause }))
}

function list(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function addresses(name: string, value: string | undefined): Address[] {
  return list(value).map((entry) => {
    if (!isAddress(entry)) throw new StartupError(`${name} must be addresses separated by commas`)
    // Lowercasing keeps the prefix.
    return entry.toLowerCase() as Address
  })
}

/** A timer of Node that is to wait for more than 2^31 milliseconds does not wait at all. */
const longestMs = 3_600_000

function integer(name: string, value: string | undefined, fallback: number, most = longestMs): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > most)
    throw new StartupError(`${name} must be a whole number up to ${String(most)}`)
  return number
}
