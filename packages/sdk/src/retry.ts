import type { ErgonError } from './ergon-error.ts'

/** Refused before anything was looked at, so that sending again cannot do a thing twice. */
const refusedEarly: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'SERVICE_BUSY',
  'nonce_store_unavailable',
  'identity_check_unavailable',
])

/**
 * Never sent again, whatever an answer says about them: a signature for another network is worth nothing (spec §7), and
 * a settlement that does not name its transaction has to be looked up.
 */
const neverAgain: ReadonlySet<string> = new Set(['NETWORK_MISMATCH', 'TX_HASH_MISSING'])

/**
 * Every attempt has a nonce of its own, so it was a proxy or the platform that sent it twice: what became of the first
 * copy is not known, and only a new signature finds out.
 */
const repeatedOnTheWay = 'SIGNATURE_REPLAYED'

/** How often, and how patiently, a request is sent again; each time it is signed anew. */
export type RetryPolicy = {
  /** Attempts in all; 1 never retries. */
  readonly attempts: number
  /** Doubles with each attempt; a Retry-After that asks for more is honoured. */
  readonly firstDelayMs: number
  /** A service that asks for more than this is reported rather than waited for. */
  readonly maxDelayMs: number
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 5, firstDelayMs: 250, maxDelayMs: 10_000 }

/** How long to wait before the next attempt; undefined gives up. */
export function nextDelayMs(
  error: ErgonError,
  attempt: number,
  isRepeatable: boolean,
  policy: RetryPolicy,
): number | undefined {
  if (attempt >= policy.attempts) return undefined
  if (error.code === repeatedOnTheWay) return isRepeatable ? policy.firstDelayMs : undefined
  if (!error.retryable || neverAgain.has(error.code) || !mayPassByItself(error)) return undefined
  if (!isRepeatable && !refusedEarly.has(error.code)) return undefined
  const askedMs = (error.retryAfterSec ?? 0) * 1_000
  if (askedMs > policy.maxDelayMs) return undefined
  return Math.max(askedMs, Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1)))
}

/** A 4xx that asks for no patience asks for something else: funds, another document, room among the listings. */
function mayPassByItself({ status, retryAfterSec }: ErgonError): boolean {
  return status === 0 || status >= 500 || retryAfterSec !== undefined
}
