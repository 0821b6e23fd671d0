import { createHttpClient, HttpFault, type HttpClient } from '../http/http-client.ts'
import { isRecord } from '../chain/rpc.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What became of a request to the facilitator, in the terms of a rail answer. */
export type FacilitatorAnswer =
  | { readonly kind: 'done'; readonly body: Fields }
  /** A verdict: asking again unchanged brings the same. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly reason: string; readonly body: Fields }
  /** Nothing was sent to the chain. */
  | { readonly kind: 'unavailable' }
  /** It may have been, or may still be, sent. */
  | { readonly kind: 'unknown'; readonly txHash?: string }

/** The settlement facilitator, reached over HTTP as any other facilitator would be. */
export type FacilitatorClient = Disposable & {
  post(path: string, body: unknown, options: { readonly timeoutMs: number; readonly key?: string; readonly headers?: Readonly<Record<string, string>> }): Promise<FacilitatorAnswer>
  get(path: string, timeoutMs: number): Promise<FacilitatorAnswer>
}

const maxBytes = 1024 * 1024

export function createFacilitatorClient(url: string): FacilitatorClient {
  const http = createHttpClient(url)
  return {
    post: (path, body, { timeoutMs, key, headers }) => ask(http, {
      method: 'POST', path, body: JSON.stringify(body), timeoutMs, maxBytes,
      headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    }),
    get: (path, timeoutMs) => ask(http, { method: 'GET', path, timeoutMs, maxBytes }),
    [Symbol.dispose]() { http[Symbol.dispose]() },
  }
}

async function ask(http: HttpClient, request: Parameters<HttpClient['exchange']>[0]): Promise<FacilitatorAnswer> {
  try {
    const { status, text } = await http.exchange(request)
    return judge(status, fieldsIn(text))
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error
    return error.sent ? { kind: 'unknown' } : { kind: 'unavailable' }
  }
}

/** A 5xx counts as not sent only where the facilitator says so under a code that means it; any other may have been sent. */
function judge(status: number, body: Fields | undefined): FacilitatorAnswer {
  if (body === undefined) return { kind: 'unknown' }
  const code = typeof body['errorCode'] === 'string' ? body['errorCode'] : ''
  if (status === 429) return { kind: 'unavailable' }
  if (notSentCodes.has(code) && body['broadcast'] !== true) return { kind: 'unavailable' }
  if (status >= 500 && code !== 'transfer_failed') return { kind: 'unknown', ...hashIn(body) }
  if (status >= 200 && status < 300 && body['success'] !== false) return { kind: 'done', body }
  // Not the facilitator's own words: something on the way to it answered.
  if (code === '' && body['success'] !== false) return { kind: turnedAway.has(status) ? 'unavailable' : 'unknown' }
  const reason = body['errorReason'] ?? body['error']
  return { kind: 'refused', status, code, reason: typeof reason === 'string' ? reason : '', body }
}

const turnedAway = new Set([401, 404, 405, 407, 413])
const notSentCodes = new Set(['rpc_unavailable', 'store_unavailable', 'idempotency_store_unavailable'])

export function hashIn(body: Fields): { readonly txHash?: string } {
  const hash = body['transaction'] ?? body['transactionHash']
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? { txHash: hash } : {}
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
