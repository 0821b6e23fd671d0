import { bytesToBase64 } from '../base64.ts'
import { hexToBytes, utf8 } from '../bytes.ts'
import { ProtocolError } from '../protocol-error.ts'
import type { Signer } from '../signer.ts'
import { contentDigest } from './content-digest.ts'
import { coveredWhenPresent } from './coverage.ts'
import { formatKeyid } from './keyid.ts'
import { collectFields, normalizeAuthority, type RequestParts } from './message.ts'
import { signatureBase } from './signature-base.ts'
import { serializeString } from './structured-field.ts'

/** A request about to be sent. */
export type SignRequestInput = {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}
/** Who signs, when, and under which nonce. */
export type SignRequestOptions = {
  readonly signer: Signer
  readonly chainId: number
  /** Unix seconds. */
  readonly now: number
  /** Fresh for every request; 1 to 128 printable characters. */
  readonly nonce: string
  /** How long the signature is valid; 60 seconds unless told. */
  readonly ttlSec?: number
  /** Names of further headers to cover. */
  readonly cover?: readonly string[]
}

const label = 'eth'

/**
 * The headers that sign a request: `content-digest` when there is a body, `signature-input` and
 * `signature`. Add them to the request and change nothing else. Throws ProtocolError `malformed` when a
 * header to be covered is absent or cannot be signed.
 */
export async function signRequest(
  request: SignRequestInput,
  options: SignRequestOptions,
): Promise<Record<string, string>> {
  const body = typeof request.body === 'string' ? utf8(request.body) : (request.body ?? new Uint8Array(0))
  const digest: Record<string, string> = body.length > 0 ? { 'content-digest': contentDigest(body) } : {}
  const parts = partsOf(request, digest, body.length > 0)
  const components = componentsOf(parts, options.cover ?? [])
  const text = `(${components.map(serializeString).join(' ')})${paramsText(options)}`
  const base = signatureBase({ label, components, parameterized: false, params: new Map(), text }, parts)
  if (typeof base !== 'string')
    throw new ProtocolError('malformed', 'a header to be signed is absent or holds foreign characters')
  const signature = hexToBytes(await options.signer.signMessage(base))
  return { ...digest, 'signature-input': `${label}=${text}`, signature: `${label}=:${bytesToBase64(signature)}:` }
}

function partsOf(request: SignRequestInput, digest: Readonly<Record<string, string>>, hasBody: boolean): RequestParts {
  const url = new URL(request.url)
  const kept = Object.entries(request.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-digest')
  return {
    method: request.method.toUpperCase(),
    authority: normalizeAuthority(url.host),
    path: url.pathname,
    query: url.search === '' ? undefined : url.search,
    hasBody,
    fields: collectFields([...kept, ...Object.entries(digest)]),
  }
}

function componentsOf(parts: RequestParts, cover: readonly string[]): readonly string[] {
  const names = ['@method', '@authority', '@path']
  if (parts.query !== undefined) names.push('@query')
  if (parts.hasBody) names.push('content-digest')
  names.push(...coveredWhenPresent.filter((name) => parts.fields.values.has(name)))
  names.push(...cover.map((name) => name.toLowerCase()))
  return [...new Set(names)]
}

function paramsText(options: SignRequestOptions): string {
  const created = Math.floor(options.now)
  const expires = created + (options.ttlSec ?? 60)
  const keyid = formatKeyid({ chainId: options.chainId, address: options.signer.address })
  if (!/^[ -~]{1,128}$/.test(options.nonce))
    throw new ProtocolError('malformed', 'a nonce has 1 to 128 printable characters')
  return (
    `;created=${created};expires=${expires}` +
    `;nonce=${serializeString(options.nonce)};keyid=${serializeString(keyid)};alg="eip191"`
  )
}
