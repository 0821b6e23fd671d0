import { isIP } from 'node:net'
import { databaseUrlFault, logLevelFault } from '@ergon/process'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { RawSettings } from './env.ts'

/** Smaller first: the second holds the first within it. Zero is no limit. */
const nested = [
  ['SVC_UPLOAD_TASK_MIB', 'SVC_UPLOAD_DAY_MIB'],
  ['SVC_UPLOAD_WALLET_DAY_MIB', 'SVC_UPLOAD_DAY_MIB'],
  ['SVC_PAYMENTS_PER_WALLET', 'SVC_PAYMENTS_PER_DAY'],
  ['SVC_PAYMENTS_PER_ADDRESS', 'SVC_PAYMENTS_PER_DAY'],
  ['SVC_REGISTER_PER_ADDRESS', 'SVC_REGISTER_PER_DAY'],
] as const

/** Refuses what each setting allows and two of them together do not. @throws ConfigError in one sentence */
export function refuseContradictions(raw: RawSettings, config: Config): void {
  const fault =
    databaseUrlFault(config.databaseUrl) ??
    addressFault(config) ??
    logLevelFault('SVC_LOG_LEVEL', config.logLevel) ??
    oauthFault(config) ??
    limitFault(raw) ??
    identityFault(raw, config)
  if (fault !== null) throw new ConfigError(fault)
}

function addressFault({ authorities, trustedProxies, facilitatorUrl, baseUrl, mcpUrl }: Config): string | null {
  const wrong = authorities.find(
    (one) => !URL.canParse(`http://${one}`) || new URL(`http://${one}`).host !== hostOf(one),
  )
  if (wrong !== undefined)
    return `SVC_AUTHORITIES must list hosts such as market.example or market.example:8443; ${wrong} is none`
  const proxy = trustedProxies.find((one) => !isAddressOrRange(one))
  if (proxy !== undefined)
    return `SVC_TRUSTED_PROXIES must list addresses or ranges such as 10.0.0.0/8; ${proxy} is none`
  const own = [baseUrl, mcpUrl].find((url) => new URL(url).host === new URL(facilitatorUrl).host)
  return own === undefined ? null : 'SVC_FACILITATOR_URL is the address of this service itself; name the facilitator'
}

/** The port of http is no part of a host as URL writes it. */
const hostOf = (authority: string): string => authority.toLowerCase().replace(/:80$/, '')

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  if (namedRanges.includes(text)) return true
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined ||
    isIP(bits) === version ||
    (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** The metadata of an issuer is looked for at the root of its host (RFC 8414 §3). */
function oauthFault({ oauth, baseUrl, mcpUrl }: Config): string | null {
  const withPath = [baseUrl, mcpUrl].some((url) => new URL(url).pathname !== '/')
  return oauth && withPath
    ? 'SVC_OAUTH is set, and SVC_BASE_URL or SVC_MCP_URL has a path: clients look at the root'
    : null
}

/** A default gives way; two that were set must agree. */
function limitFault(raw: RawSettings): string | null {
  const broken = nested.find(([part, whole]) => {
    const [inner, outer] = [raw.text(part), raw.text(whole)]
    if (inner === undefined || outer === undefined || Number(outer) === 0) return false
    return Number(inner) > Number(outer)
  })
  return broken === undefined ? null : `${broken[0]} allows more than ${broken[1]}, which holds it`
}

function identityFault(raw: RawSettings, { requireIdentity, autoRegister }: Config): string | null {
  const budget = ['SVC_REGISTER_PER_ADDRESS', 'SVC_REGISTER_PER_DAY'].find(
    (name) => raw.text(name) !== undefined && raw.text(name) !== '0',
  )
  if (requireIdentity || autoRegister || budget === undefined) return null
  return `${budget} is set, and neither SVC_REQUIRE_IDENTITY nor SVC_AUTO_REGISTER lets anybody be registered`
}
