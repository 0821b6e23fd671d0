import { isSolanaAddress } from '@ergon/channels'
import { StartupError } from '../errors.ts'

/** What is sold at a path: each call costs its price, and its seller is the payee. */
export type Endpoint = {
  /** Without a slash at its end; empty for everything. */
  readonly path: string
  readonly upstream: URL
  /** Atomic units of the token. */
  readonly price: bigint
  /** The seller: a Solana address. */
  readonly payee: string
  /** Whether the upstream's name may lead to private addresses. */
  readonly isPrivate: boolean
}

const form = 'GATEWAY_ENDPOINTS must be PATH UPSTREAM PRICE PAYEE, separated by commas'
const mostEndpoints = 256

/** Throws `StartupError` naming the entry that is wrong. */
export function readEndpoints(text: string): readonly Endpoint[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0 || entries.length > mostEndpoints) throw new StartupError(form)
  const endpoints = entries.map(readEndpoint)
  if (new Set(endpoints.map(({ path }) => path)).size !== endpoints.length)
    throw new StartupError('GATEWAY_ENDPOINTS names a path twice')
  // The longest path that fits is the one that is meant.
  return endpoints.toSorted((one, other) => other.path.length - one.path.length)
}

function readEndpoint(entry: string): Endpoint {
  const [path = '', address = '', price = '', payee = '', word, ...more] = entry.split(/\s+/)
  if (payee === '' || more.length > 0 || (word !== undefined && word !== 'private'))
    throw new StartupError(`${form}: ${entry}`)
  if (!/^\/[A-Za-z0-9._~/-]*$/.test(path) || isUnsafePath(path) || path.startsWith('/__402'))
    throw new StartupError(`GATEWAY_ENDPOINTS: ${path} is no path that can be sold`)
  if (!/^[1-9][0-9]{0,14}$/.test(price))
    throw new StartupError(`GATEWAY_ENDPOINTS: the price of ${path} must be a whole number above 0`)
  if (!isSolanaAddress(payee)) throw new StartupError(`GATEWAY_ENDPOINTS: the payee of ${path} is no Solana address`)
  const upstream = readUpstream(path, address)
  return { path: withoutSlash(path), upstream, price: BigInt(price), payee, isPrivate: word === 'private' }
}

function readUpstream(path: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === undefined || !isHttp || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new StartupError(`GATEWAY_ENDPOINTS: the upstream of ${path} must be http or https without query`)
  return url
}

/** The endpoint a path belongs to; undefined where nothing is sold, and for paths that an upstream might read anew. */
export function endpointAt(endpoints: readonly Endpoint[], path: string): Endpoint | undefined {
  if (isUnsafePath(path)) return undefined
  return endpoints.find((endpoint) => path === endpoint.path || path.startsWith(`${endpoint.path}/`))
}

/** What the upstream is asked for: its own path, and what follows the endpoint's. */
export function upstreamPath({ upstream, path }: Endpoint, asked: string, query: string): string {
  const rest = asked.slice(path.length)
  const whole = `${withoutSlash(upstream.pathname)}${rest}`
  return `${whole === '' ? '/' : whole}${query}`
}

/** Dots and backslashes that lead out of a path, however they are written. */
function isUnsafePath(path: string): boolean {
  if (!path.startsWith('/') || path.includes('\\') || path.includes('//')) return true
  if (/%(?![0-9a-f]{2})/i.test(path) || /%(?:2f|5c|00|25)/i.test(path)) return true
  return path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}
