import { isIPv6 } from 'node:net'
import { isLoopbackHost, type MetricsAt } from '@ergon/process'
import { paymentModes, type PaymentMode } from '@ergon/contract'
import type { UploadLimits } from '@ergon/core'
import { isAddress, lowerAddress, networkByName, type Address, type Network } from '@ergon/protocols'
import type { LimitSettings } from '../dispatch/limits.ts'
import { readArbiters } from './arbiters.ts'
import { ConfigError } from './config-error.ts'
import type { RawSettings } from './env.ts'
import { refuseContradictions } from './contradictions.ts'
import { decideGeocoder, type GeocoderSettings } from './geocoder.ts'
import { decideLinkedSigner, type LinkedSignerSettings } from './linked-signer.ts'
import { decideMail, type MailSettings } from './mail-settings.ts'
import { decideMetrics } from './metrics.ts'
import { readIdentityNetwork } from './identity-network.ts'
import { readNetworkLists } from './network-lists.ts'
import { readNetworkRows } from './network-rows.ts'
import { refuseInProduction } from './production.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { usualRates } from './run-defaults.ts'
import { decideSolana, type SolanaSettings } from './solana-settings.ts'
import { flag } from './value-of.ts'
import { decideWeb, type WebSettings } from './web-settings.ts'
import { decideXmtp } from './xmtp.ts'

export type ServedNetwork = { readonly network: Network; readonly chainId: number; readonly rpcUrls: readonly string[] }

/** A bucket of an S3-compatible store; its secret key is among the secrets. */
export type EvidenceBucket = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly pathStyle: boolean
}

/** What this deployment does. Holds no secret and may be logged, except for the database URL. */
export type Config = {
  readonly host: string
  readonly port: number
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Where tools are called, without a slash at its end; /mcp/ is below it. */
  readonly mcpUrl: string
  /** Serves what the conformance suite of the tool protocol asks for as well. */
  readonly mcpConformance: boolean
  readonly authorities: readonly string[]
  readonly trustedProxies: readonly string[]
  /** Further origins whose pages may act with a session. */
  readonly allowedOrigins: readonly string[]
  /** Where a weakness is reported; null keeps security.txt away. */
  readonly securityContact: string | null
  readonly sessionHours: number
  readonly databaseUrl: string
  /** How long a start waits for a database that does not answer. */
  readonly databaseWaitMs: number
  readonly poolSize: number
  readonly paymentMode: PaymentMode
  /** Null: no task is metered. */
  readonly solana: SolanaSettings | null
  /** The first is preferred. */
  readonly networks: readonly [ServedNetwork, ...ServedNetwork[]]
  /** By name, or `*`: they take no new jobs; the admin key closes others, and opens none of these (decision 0299). */
  readonly closedNetworks: readonly string[]
  /** Whose open money is left to its payers (decision 0298). */
  readonly leftNetworks: readonly string[]
  /** Where agents are known and rated. */
  readonly identityNetwork: string
  /** Whether a setting names it; else it follows from the order of the networks. */
  readonly isIdentityNetworkNamed: boolean
  readonly facilitatorUrl: string
  readonly dataDir: string
  /** Null keeps evidence in the data folder. */
  readonly evidenceBucket: EvidenceBucket | null
  /** Opening files of evidence. */
  readonly inspection: { readonly processes: number; readonly timeoutMs: number }
  /** Room for uploads in bytes, and for how long a file may wait to be handed in. */
  readonly uploads: { readonly limits: UploadLimits; readonly keepMs: number }
  /** Null: no model reviews evidence. */
  readonly review: { readonly url: string; readonly model: string; readonly timeoutMs: number } | null
  /** Null: no external signers are linked. */
  readonly linkedSigner: LinkedSignerSettings | null
  /** Null: no mail is sent. */
  readonly mail: MailSettings | null
  /** Null: no addresses are looked up. */
  readonly geocoder: GeocoderSettings | null
  /** The platform's own ERC-8004 id on the identity network; null when it has none. */
  readonly platformAgentId: number | null
  readonly requireIdentity: boolean
  readonly autoRegister: boolean
  /** Gives tasks a policy whose publisher gave them none (decision 0157). */
  readonly taskPolicy: boolean
  /** Wallets that may rule on disputes, lower case (decision 0168). */
  readonly arbiters: readonly string[]
  /** Whether strangers' addresses may be on this machine itself. */
  readonly webhooksAllowLoopback: boolean
  readonly settleWaitMs: number
  /** How long answers are kept for their idempotency keys. */
  readonly idempotencyHours: number
  /** How long events can be read; at least a week, so that a consumer survives an outage of its own. */
  readonly eventsKeptDays: number
  /** How long offers of a settlement are kept that came to nothing. */
  readonly offersKeptDays: number
  readonly rates: LimitSettings
  /** Identities that this deployment pays for in a day; 0 is no limit. */
  readonly registrations: { readonly perAddress: number; readonly inAll: number }
  /** Locks and direct payments begun in a UTC day; 0 is no limit. */
  readonly payments: { readonly perWallet: number; readonly perAddress: number; readonly inAll: number }
  /** Cash-outs without gas in a UTC day; 0 lets none. */
  readonly cashOutsPerDay: number
  /** Sockets that this process holds open. */
  readonly sockets: number
  /** Streams of meters that this process holds open: of one caller, of one address, and of all. */
  readonly meterSeats: { readonly each: number; readonly perAddress: number; readonly inAll: number }
  /** Whether the vouchers of channels are shown as they are accepted. */
  readonly gateway: boolean
  /** Whether work is metered without a task. */
  readonly streams: boolean
  /** Null: workers are told over sockets alone. */
  readonly xmtpEnv: 'local' | 'dev' | 'production' | null
  /** Delegated access for tool hosts; off, its routes answer as those of a disabled feature. */
  readonly oauth: boolean
  /** Who may be asked to put a wallet up, in a call that is only simulated. */
  readonly walletFactories: readonly Address[]
  /** Null: no app is served, only the interfaces for programs. */
  readonly web: WebSettings | null
  /** Delay of the event loop above which anonymous requests are refused; 0 refuses none. */
  readonly shedAboveMs: number
  /** Null: no figures are told. */
  readonly metrics: MetricsAt | null
  readonly logLevel: string
}

/** @throws ConfigError naming the first setting that is missing or contradicts another */
export function decideConfig(raw: RawSettings): Config {
  refuseUnknown(raw)
  const host = raw.text('SVC_HOST') ?? '127.0.0.1'
  const port = whole(raw, 'SVC_PORT', 4020, 65_535)
  const listening = `http://${isIPv6(host) ? `[${host}]` : host}:${String(port)}`
  const baseUrl = publicUrl('SVC_BASE_URL', raw.text('SVC_BASE_URL') ?? listening)
  const mcpUrl = publicUrl('SVC_MCP_URL', raw.text('SVC_MCP_URL') ?? baseUrl)
  const paymentMode = decideMode(raw.text('SVC_PAYMENT_MODE') ?? 'fase2')
  const networks = decideNetworks(raw, paymentMode)
  const solana = decideSolana(raw)
  const config: Config = {
    host,
    port,
    baseUrl,
    mcpUrl,
    mcpConformance: raw.text('SVC_MCP_CONFORMANCE') === '1',
    authorities: decideAuthorities(raw, baseUrl, mcpUrl, host, port),
    trustedProxies: list(raw.text('SVC_TRUSTED_PROXIES')),
    allowedOrigins: list(raw.text('SVC_ALLOWED_ORIGINS')).map(origin),
    securityContact: contact(raw.text('SVC_SECURITY_CONTACT')),
    sessionHours: whole(raw, 'SVC_SESSION_HOURS', 12, 720, 1),
    databaseUrl: required(raw, 'DATABASE_URL', 'a PostgreSQL database'),
    databaseWaitMs: whole(raw, 'SVC_DATABASE_WAIT_MS', 60_000, 3_600_000),
    poolSize: whole(raw, 'SVC_POOL_SIZE', 10, 1_000, 2),
    paymentMode,
    solana,
    networks,
    ...readNetworkLists(raw, { networks, solana }),
    ...readIdentityNetwork(raw, networks),
    facilitatorUrl: url('SVC_FACILITATOR_URL', required(raw, 'SVC_FACILITATOR_URL', 'the URL of the facilitator')),
    dataDir: raw.text('SVC_DATA_DIR') ?? './data',
    evidenceBucket: decideBucket(raw),
    review: decideReview(raw),
    linkedSigner: decideLinkedSigner(raw),
    mail: decideMail(raw),
    geocoder: decideGeocoder(raw),
    platformAgentId:
      raw.text('SVC_PLATFORM_AGENT_ID') === undefined
        ? null
        : whole(raw, 'SVC_PLATFORM_AGENT_ID', 0, Number.MAX_SAFE_INTEGER),
    requireIdentity: flag(raw, 'SVC_REQUIRE_IDENTITY', true),
    autoRegister: flag(raw, 'SVC_AUTO_REGISTER', true),
    taskPolicy: flag(raw, 'SVC_TASK_POLICY', false),
    arbiters: readArbiters(raw),
    settleWaitMs: whole(raw, 'SVC_SETTLE_WAIT_MS', 10_000, 60_000),
    eventsKeptDays: whole(raw, 'SVC_EVENTS_KEPT_DAYS', 90, 3_650, 7),
    offersKeptDays: whole(raw, 'SVC_OFFERS_KEPT_DAYS', 365, 3_650, 7),
    idempotencyHours: Math.max(1, whole(raw, 'SVC_IDEMPOTENCY_HOURS', 24, 8_760)),
    webhooksAllowLoopback: decideLoopback(raw, networks),
    ...decideLimits(raw),
    payments: decidePayments(raw, networks),
    cashOutsPerDay: whole(raw, 'SVC_CASH_OUTS_PER_DAY', 500, 10_000_000),
    sockets: whole(raw, 'SVC_WS_CONNECTIONS', 500, 100_000, 1),
    meterSeats: decideMeterSeats(raw),
    ...{ gateway: flag(raw, 'SVC_GATEWAY', true), streams: flag(raw, 'SVC_STREAMS', true) },
    xmtpEnv: decideXmtp(raw),
    oauth: flag(raw, 'SVC_OAUTH', false),
    walletFactories: list(raw.text('SVC_WALLET_FACTORIES')).map(factory),
    web: decideWeb(
      raw,
      networks.map(({ network }) => network.name),
    ),
    shedAboveMs: whole(raw, 'SVC_SHED_ABOVE_MS', 1_000, 60_000),
    metrics: decideMetrics(raw),
    logLevel: raw.text('SVC_LOG_LEVEL') ?? 'info',
  }
  refuseContradictions(raw, config)
  refuseInProduction(config)
  return config
}

/** How much is taken of each kind. */
function decideLimits(raw: RawSettings): Pick<Config, 'inspection' | 'uploads' | 'rates' | 'registrations'> {
  return {
    inspection: {
      processes: whole(raw, 'SVC_INSPECT_THREADS', 1, 4, 1),
      timeoutMs: whole(raw, 'SVC_INSPECT_TIMEOUT_MS', 5_000, 20_000, 100),
    },
    uploads: {
      limits: {
        perTask: mib(raw, 'SVC_UPLOAD_TASK_MIB', 500),
        perWalletDay: mib(raw, 'SVC_UPLOAD_WALLET_DAY_MIB', 2_048),
        perDay: mib(raw, 'SVC_UPLOAD_DAY_MIB', 20_480),
      },
      keepMs: whole(raw, 'SVC_UPLOAD_KEEP_HOURS', 24, 720, 1) * 3_600_000,
    },
    rates: {
      anonymousPerMinute: whole(raw, 'SVC_RATE_ANON_PER_MIN', usualRates.anonymousPerMinute, 1_000_000),
      walletPerMinute: whole(raw, 'SVC_RATE_WALLET_PER_MIN', usualRates.walletPerMinute, 1_000_000),
      publishPerHour: whole(raw, 'SVC_PUBLISH_PER_HOUR', usualRates.publishPerHour, 1_000_000),
    },
    registrations: {
      perAddress: whole(raw, 'SVC_REGISTER_PER_ADDRESS', 60, 1_000_000),
      inAll: whole(raw, 'SVC_REGISTER_PER_DAY', 2_000, 10_000_000),
    },
  }
}

/** Who does not sign is known by its address alone, so both are bounded alike. */
function decideMeterSeats(raw: RawSettings): Config['meterSeats'] {
  const perAddress = whole(raw, 'SVC_METER_STREAMS_PER_ADDRESS', 50, 100_000, 1)
  return { each: perAddress, perAddress, inAll: whole(raw, 'SVC_METER_STREAMS', 2_000, 100_000, 1) }
}

function decideMode(text: string): PaymentMode {
  const mode = paymentModes.find((one) => one === text)
  if (mode === undefined) throw new ConfigError(`SVC_PAYMENT_MODE must be one of ${paymentModes.join(', ')}`)
  return mode
}

/** The gas of a local chain is worth nothing. */
function decidePayments(raw: RawSettings, networks: Config['networks']): Config['payments'] {
  const isLocal = networks.every(({ network }) => network.name === 'localnet')
  const most = (name: string, otherwise: number): number => whole(raw, name, isLocal ? 0 : otherwise, 10_000_000)
  return {
    perWallet: most('SVC_PAYMENTS_PER_WALLET', 500),
    perAddress: most('SVC_PAYMENTS_PER_ADDRESS', 1_000),
    inAll: most('SVC_PAYMENTS_PER_DAY', 20_000),
  }
}

function decideNetworks(raw: RawSettings, mode: PaymentMode): Config['networks'] {
  const rows = readNetworkRows(raw.text('SVC_NETWORKS_FILE'))
  const served = list(required(raw, 'SVC_NETWORKS', 'the networks to serve, separated by commas')).map(
    (name): ServedNetwork => {
      const network = rows.find((row) => row.name === name) ?? networkByName(name)
      if (network === undefined)
        throw new ConfigError(
          `SVC_NETWORKS names ${name}, which is neither in the network table nor in SVC_NETWORKS_FILE`,
        )
      if (network.chainId === undefined)
        throw new ConfigError(`SVC_NETWORKS names ${name}, which is not an EVM network and has no rail here`)
      const rpcUrls = list(raw.rpcUrls.get(name))
      const setting = `SVC_RPC_${name.toUpperCase().replaceAll('-', '_')}`
      if (rpcUrls.length === 0) throw new ConfigError(`set ${setting} to the URL of a node of ${name}`)
      return { network, chainId: network.chainId, rpcUrls: rpcUrls.map((one) => url(setting, one)) }
    },
  )
  const [preferred, ...others] = served
  if (preferred === undefined) throw new ConfigError('SVC_NETWORKS names no network')
  if (new Set(served.map((one) => one.network.name)).size < served.length)
    throw new ConfigError('SVC_NETWORKS names a network twice')
  if (mode !== 'fase1' && preferred.network.escrow === undefined)
    throw new ConfigError(
      `SVC_PAYMENT_MODE ${mode} holds bounties in escrow, and the preferred network ${preferred.network.name} has none`,
    )
  return [preferred, ...others]
}

function decideBucket(raw: RawSettings): EvidenceBucket | null {
  const endpoint = raw.text('SVC_S3_ENDPOINT')
  if (endpoint === undefined) {
    const orphan = raw.names.find((name) => /^SVC_S3_/.test(name))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_S3_ENDPOINT is not`)
    return null
  }
  const bucket = required(raw, 'SVC_S3_BUCKET', 'the bucket that holds evidence')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw new ConfigError('SVC_S3_BUCKET is no name of a bucket')
  return {
    endpoint: url('SVC_S3_ENDPOINT', endpoint),
    bucket,
    region: raw.text('SVC_S3_REGION') ?? 'us-east-1',
    accessKey: required(raw, 'SVC_S3_ACCESS_KEY', 'the access key of the bucket'),
    pathStyle: flag(raw, 'SVC_S3_PATH_STYLE', true),
  }
}

function decideReview(raw: RawSettings): Config['review'] {
  const address = raw.text('SVC_REVIEW_URL')
  if (address === undefined) {
    const orphan = raw.names.find((name) => /^SVC_REVIEW_/.test(name))
    if (orphan !== undefined) throw new ConfigError(`${orphan} is set and SVC_REVIEW_URL is not`)
    return null
  }
  const base = url('SVC_REVIEW_URL', address)
  // Requests carry the key in a header; an address with credentials would carry it into the configuration.
  if (new URL(base).username !== '' || new URL(base).password !== '')
    throw new ConfigError('SVC_REVIEW_URL must hold no credentials; set SVC_REVIEW_KEY')
  return {
    url: base,
    model: required(raw, 'SVC_REVIEW_MODEL', 'the model that reviews evidence'),
    timeoutMs: whole(raw, 'SVC_REVIEW_TIMEOUT_MS', 20_000, 25_000, 1_000),
  }
}

/** Whoever may reach this machine from within reaches what trusts it: not where money is real. */
function decideLoopback(raw: RawSettings, networks: Config['networks']): boolean {
  const isAllowed = flag(raw, 'SVC_WEBHOOKS_ALLOW_LOOPBACK', false)
  const real = networks.find((one) => !one.network.testnet)
  if (isAllowed && real !== undefined)
    throw new ConfigError(`SVC_WEBHOOKS_ALLOW_LOOPBACK is for development and ${real.network.name} is a real network`)
  return isAllowed
}

/** On loopback the two usual names of the machine stand for the same service. */
function decideAuthorities(
  raw: RawSettings,
  baseUrl: string,
  mcpUrl: string,
  host: string,
  port: number,
): readonly string[] {
  const local = isLoopbackHost(host) ? [`127.0.0.1:${String(port)}`, `localhost:${String(port)}`] : []
  return [...new Set([new URL(baseUrl).host, new URL(mcpUrl).host, ...list(raw.text('SVC_AUTHORITIES')), ...local])]
}

function required(raw: RawSettings, name: string, what: string): string {
  const value = raw.text(name)
  if (value === undefined) throw new ConfigError(`set ${name} to ${what}`)
  return value
}

function url(name: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) throw new ConfigError(`${name} must be an http or https URL`)
  return text.replace(/\/+$/, '')
}

/** Paths are appended to it, and everybody reads it. */
function publicUrl(name: string, text: string): string {
  const address = url(name, text)
  const { username, password } = new URL(address)
  if (username !== '' || password !== '' || /[?#]/.test(address))
    throw new ConfigError(`${name} must hold no credentials, no query and no fragment`)
  return address
}

function contact(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(text))
    throw new ConfigError('SVC_SECURITY_CONTACT must be a URI: mailto:…, https://… or tel:+…')
  return text
}

function factory(text: string): Address {
  if (!isAddress(text)) throw new ConfigError('SVC_WALLET_FACTORIES must be addresses separated by commas')
  return lowerAddress(text)
}

function origin(text: string): string {
  if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '') || new URL(text).origin !== text)
    throw new ConfigError('SVC_ALLOWED_ORIGINS must list origins such as https://app.example.org, without a path')
  return text
}

function whole(raw: RawSettings, name: string, fallback: number, max: number, min = 0): number {
  const text = raw.text(name)
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value > max || value < min)
    throw new ConfigError(
      `${name} must be a whole number ${min === 0 ? '' : `from ${String(min)} `}up to ${String(max)}`,
    )
  return value
}

const mib = (raw: RawSettings, name: string, fallback: number): number =>
  whole(raw, name, fallback, 1_000_000_000) * 1_048_576

function list(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}
