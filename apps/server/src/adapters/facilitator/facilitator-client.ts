import { sendBefore } from '@ergon/core'
import { createHttpClient, HttpFault, type HttpClient } from '../http/http-client.ts'
import { isRecord } from '../chain/rpc.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What became of a request to the facilitator, in the terms of a rail answer. */
export type FacilitatorAnswer =
  | { readonly kind: 'done'; readonly body: Fields }
  /** A verdict: asking again unchanged brings the same. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: string
      readonly reason: string
      readonly body: Fields
      /** No copy of the request can be carried out any more. */
      readonly final: boolean
      /** By the facilitator's own clock. */
      readonly at: Date | null
    }
  /**
   * Not carried out now. `sent: false`: not a byte of it left. `spentForSec`: it pays no gas for it until then, in
   * seconds. `status`: what answered was not the facilitator's own word.
   */
  | {
      readonly kind: 'unavailable'
      readonly sent: boolean
      readonly spentForSec?: number
      readonly status?: number
    }
  /** It may have been, or may still be, sent. `status`: as above. */
  | { readonly kind: 'unknown'; readonly txHash?: string; readonly status?: number }

/** The settlement facilitator, reached over HTTP as any other facilitator would be. */
export type FacilitatorClient = Disposable & {
  post(
    path: string,
    body: unknown,
    options: {
      readonly timeoutMs: number
      readonly key?: string
      /** A copy that arrives later is not carried out. */
      readonly before?: Date
      /** Whose connections it takes: a network that holds all of its own holds none of another's. */
      readonly network?: string
    },
  ): Promise<FacilitatorAnswer>
  get(path: string, timeoutMs: number, network?: string): Promise<FacilitatorAnswer>
}

const maxBytes = 1024 * 1024

/** Over an address, or over a line that another party made. Whatever carries a key carries a deadline as well. */
export function createFacilitatorClient(to: string | HttpClient, now: () => Date): FacilitatorClient {
  const http = typeof to === 'string' ? createHttpClient(to) : to
  const naming = (key: string | undefined, before: Date | undefined): Readonly<Record<string, string>> => {
    if (key === undefined) return {}
    const until = before ?? sendBefore(now())
    return { 'idempotency-key': key, 'settle-before': String(Math.floor(until.getTime() / 1_000)) }
  }
  return {
    post: (path, body, { timeoutMs, key, before, network: lane }) =>
      ask(http, {
        method: 'POST',
        path,
        body: JSON.stringify(body),
        timeoutMs,
        maxBytes,
        lane,
        headers: naming(key, before),
      }),
    get: (path, timeoutMs, lane) => ask(http, { method: 'GET', path, timeoutMs, maxBytes, lane }),
    [Symbol.dispose]() {
      http[Symbol.dispose]()
    },
  }
}

async function ask(http: HttpClient, request: Parameters<HttpClient['exchange']>[0]): Promise<FacilitatorAnswer> {
  try {
    const { status, text, headers } = await http.exchange(request)
    return judge(status, fieldsIn(text), timeIn(headers?.['date']))
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error
    return error.sent ? { kind: 'unknown' } : { kind: 'unavailable', sent: false }
  }
}

/**
 * A 5xx counts as not sent only where the facilitator says so under a code that means it; any other may have been sent.
 */
function judge(status: number, body: Fields | undefined, at: Date | null): FacilitatorAnswer {
  if (body === undefined) return { kind: 'unknown', status }
  const code = typeof body['errorCode'] === 'string' ? body['errorCode'] : ''
  const final = body['final'] === true
  // It pays no more gas of this kind today, and sent nothing; a copy that is under way may find gas again.
  if (code === 'gas_budget_spent' && !final) return { kind: 'unavailable', sent: true, spentForSec: spentForSec(body) }
  if (status === 429 && !final) return { kind: 'unavailable', sent: true }
  if (!final && notSentCodes.has(code) && body['broadcast'] !== true) return { kind: 'unavailable', sent: true }
  if (!final && status >= 500 && code !== 'transfer_failed') return { kind: 'unknown', ...hashIn(body) }
  if (status >= 200 && status < 300 && body['success'] !== false) return { kind: 'done', body }
  // Not the facilitator's own words: something on the way to it answered.
  if (code === '' && body['success'] !== false)
    return turnedAway.has(status) ? { kind: 'unavailable', sent: true, status } : { kind: 'unknown', status }
  const reason = body['errorReason'] ?? body['error']
  return { kind: 'refused', status, code, reason: typeof reason === 'string' ? reason : '', body, final, at }
}

const turnedAway = new Set([401, 404, 405, 407, 413])
const notSentCodes = new Set([
  'rpc_unavailable',
  'store_unavailable',
  'idempotency_store_unavailable',
  'out_of_gas',
  'out_of_sol',
  'gas_too_dear',
  'agent_not_settled',
])

export function hashIn(body: Fields): { readonly txHash?: string } {
  const hash = body['transaction'] ?? body['transactionHash']
  return typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? { txHash: hash } : {}
}

const daySec = 86_400

/** The wait that a spent budget names, at most a day; an hour where it names none. */
export function spentForSec({ retry_after: seconds }: Fields): number {
  return typeof seconds === 'number' && seconds > 0 ? Math.min(daySec, Math.ceil(seconds)) : 3_600
}

/** HTTP's own form of a date (RFC 9110 §5.6.7); anything else says nothing. */
function timeIn(header: string | undefined): Date | null {
  const time = header === undefined ? Number.NaN : Date.parse(header)
  return Number.isNaN(time) ? null : new Date(time)
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
