import {
  privateKeySigner,
  signRequest,
  utf8,
  verifyRequest,
  type Hex,
  type SignRequestInput,
  type SignRequestOptions,
  type VerifyRequestMessage,
  type VerifyRequestOptions,
  type VerifyRequestResult,
} from '../../src/index.ts'
import { bytesToBase64 } from '../../src/base64.ts'
import { hexToBytes } from '../../src/bytes.ts'

export const now = 1_790_000_000
export const key: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
export const signer = privateKeySigner(key)
export const authority = 'api.example.com'

type Headers = readonly (readonly [string, string])[]

/** A store that keeps everything, as a real one does while `now <= expiresAt`. */
export function aNonceStore() {
  const kept = new Map<string, number>()
  return {
    kept,
    async consume(nonceKey: string, expiresAt: number): Promise<boolean> {
      if (kept.has(nonceKey)) return false
      kept.set(nonceKey, expiresAt)
      return true
    },
  }
}

/** Contract wallets that answer by a rule, and the calls they got. */
export function someContracts(
  answer: (call: { chainId: number; address: string; hash: string; signature: string }) => boolean,
) {
  const calls: { chainId: number; address: string; hash: string; signature: string }[] = []
  return {
    calls,
    async isValidSignature(call: {
      chainId: number
      address: string
      hash: string
      signature: string
    }): Promise<boolean> {
      calls.push(call)
      return answer(call)
    },
  }
}

export function theOptions(overrides: Partial<VerifyRequestOptions> = {}): VerifyRequestOptions {
  return {
    policy: { authorities: [authority], chains: [8453, 31337], maxValiditySec: 300, clockSkewSec: 30 },
    now,
    nonces: aNonceStore(),
    contracts: someContracts(() => false),
    ...overrides,
  }
}

/** The request as a server receives it: raw target, raw header list. */
export function received(request: SignRequestInput, headers: Readonly<Record<string, string>>): VerifyRequestMessage {
  const url = new URL(request.url)
  const all: Headers = [['Host', url.host], ...Object.entries(request.headers ?? {}), ...Object.entries(headers)]
  const body = typeof request.body === 'string' ? utf8(request.body) : (request.body ?? new Uint8Array(0))
  return { method: request.method, target: url.pathname + url.search, headers: all, body }
}

export const aPost: SignRequestInput = {
  method: 'POST',
  url: `https://${authority}/api/v1/tasks`,
  headers: { 'Content-Type': 'application/json' },
  body: '{"title":"photo of the door"}',
}

export const aGet: SignRequestInput = { method: 'GET', url: `https://${authority}/api/v1/tasks` }

export async function aSigned(
  request: SignRequestInput = aPost,
  options: Partial<SignRequestOptions> = {},
): Promise<VerifyRequestMessage> {
  return received(request, await signRequest(request, { signer, chainId: 8453, now, nonce: 'nonce-1', ...options }))
}

/** What a hostile or foreign signer chooses for itself. */
export type HandMade = {
  readonly label?: string
  /** The covered components as the base names them, with the value the signer claims for each. */
  readonly lines?: readonly (readonly [string, string])[]
  readonly params?: string
  /** Replaces the inner list and parameters on the wire, but not in the signed base. */
  readonly wire?: string
  readonly target?: string
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
}

export const keyid = `erc8128:8453:${signer.address}`
export const params = `;created=${now};expires=${now + 60};nonce="n1";keyid="${keyid}"`
export const getLines = [
  ['@method', 'GET'],
  ['@authority', authority],
  ['@path', '/api/v1/tasks'],
] as const

/** Signs a base written out by hand, so that a test decides every character. Answers a GET unless told. */
export async function handMade(made: HandMade = {}): Promise<VerifyRequestMessage> {
  const lines = made.lines ?? getLines
  const input = `(${lines.map(([name]) => `"${name}"`).join(' ')})${made.params ?? params}`
  const base = [...lines.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${input}`].join('\n')
  const signature = bytesToBase64(hexToBytes(await signer.signMessage(base)))
  const label = made.label ?? 'eth'
  return {
    method: made.method ?? 'GET',
    target: made.target ?? '/api/v1/tasks',
    headers: [
      ['Host', authority],
      ...(made.headers ?? []),
      ['Signature-Input', `${label}=${made.wire ?? input}`],
      ['Signature', `${label}=:${signature}:`],
    ],
    body: utf8(made.body ?? ''),
  }
}

export function withHeaders(
  message: VerifyRequestMessage,
  change: (headers: Headers) => Headers,
): VerifyRequestMessage {
  return { ...message, headers: change(message.headers) }
}

export function replaceHeader(
  message: VerifyRequestMessage,
  name: string,
  value: (old: string) => string,
): VerifyRequestMessage {
  return withHeaders(message, (headers) =>
    headers.map(([key, old]) => [key, key.toLowerCase() === name ? value(old) : old] as const),
  )
}

/** The code of a refusal, or `ok`. */
export async function codeOf(
  message: VerifyRequestMessage,
  options: VerifyRequestOptions = theOptions(),
): Promise<string> {
  const result: VerifyRequestResult = await verifyRequest(message, options)
  return result.ok ? 'ok' : result.code
}

export { bytesToBase64, hexToBytes, utf8 }
