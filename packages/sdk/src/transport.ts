import { headerNames } from '@ergon/contract'
import type { WireOperation } from '@ergon/contract/wire'
import { bytesToHex, type Signer } from '@ergon/protocols'
import { createSessionCookie, type SessionCookie } from './cookie.ts'
import { ErgonError, errorOfAnswer } from './ergon-error.ts'
import { placeInput, type PlacedRequest } from './place-input.ts'
import { defaultRetryPolicy, nextDelayMs, type RetryPolicy } from './retry.ts'

/** What a client depends on; everything but the address of the service has a default. */
export type TransportOptions = {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly randomNonce: () => string
  /** How long one request is waited for; a file has five minutes at least. */
  readonly timeoutMs: number
  /** How long a payment that is under way is waited for, before it is told that it is. */
  readonly patienceMs: number
  readonly retry: RetryPolicy
  /** Whether the cookie of a person's session says who is calling, instead of a signature. */
  readonly session: boolean
}

/** Who signs, and the chain named in the keyid. */
export type RequestSigner = { readonly signer: Signer; readonly chainId: () => Promise<number> }

/**
 * A success; 202 means that the flow is still under way, `replayed` that an earlier call with the same key was answered
 * with this.
 */
export type Answer<T> = {
  readonly status: number
  readonly data: T
  readonly requestId: string | undefined
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

/** How one call is sent. */
export type Sending = {
  readonly signer?: RequestSigner | undefined
  readonly adminKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** The key within `input`; a call that has one may be sent again. */
  readonly key?: string | undefined
  /** Sent once, whatever happens: whoever asks comes again by itself. */
  readonly once?: true
  /** Asked when nobody knows what became of the call; undefined when it has to be sent again to find out. */
  readonly lookUp?: (() => Promise<Answer<unknown> | undefined>) | undefined
}

export type Transport = {
  send(definition: WireOperation, input: Readonly<Record<string, unknown>>, sending?: Sending): Promise<Answer<unknown>>
  /** The raw answer of one signed read, for bodies that arrive piece by piece. */
  open(definition: WireOperation, input: Readonly<Record<string, unknown>>, sending: Sending): Promise<Response>
  /**
   * A bare request to a link the service handed out: unsigned and sent once. It may take five minutes, however short
   * other calls are: a phone's line carries a film no faster.
   */
  put(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<void>
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly randomNonce: () => string
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly patienceMs: number
  /** What a socket has to be opened with, where the platform does not do it by itself. */
  cookieHeaders(): Readonly<Record<string, string>>
}

type Wire = TransportOptions & { readonly cookie: SessionCookie | undefined }

const signatureTtlSec = 60
/** As long as the service takes in a body. */
const uploadMs = 300_000

/** Fills in the defaults: the platform's fetch, clock, timers and randomness. */
export function transportOptions(options: { readonly baseUrl: string } & Partial<TransportOptions>): TransportOptions {
  return {
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    randomNonce: () => bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2),
    timeoutMs: 60_000,
    patienceMs: 180_000,
    retry: defaultRetryPolicy,
    session: false,
    ...options,
  }
}

/** Sends operations over HTTP: placed, signed, timed out, and repeated only where that is safe. */
export function createTransport(options: TransportOptions): Transport {
  const { now, wait, randomNonce, baseUrl, timeoutMs, patienceMs } = options
  const wire: Wire = { ...options, cookie: options.session ? createSessionCookie(new URL(baseUrl).origin) : undefined }
  const place = (
    definition: WireOperation,
    input: Readonly<Record<string, unknown>>,
    { adminKey }: Sending,
  ): PlacedRequest => {
    const request = placeInput(baseUrl, definition, input)
    return adminKey === undefined
      ? request
      : { ...request, headers: { ...request.headers, [headerNames.adminKey.toLowerCase()]: adminKey } }
  }
  return {
    now,
    wait,
    randomNonce,
    baseUrl,
    timeoutMs,
    patienceMs,
    cookieHeaders: () => wire.cookie?.socketHeaders() ?? {},
    send: (definition, input, sending = {}) => sendRepeatedly(wire, place(definition, input, sending), sending),
    open: async (definition, input, sending) =>
      attempt(wire, await sign(wire, place(definition, input, sending), sending), undefined, {
        signal: sending.signal,
        endless: true,
      }),
    async put(url, headers, body) {
      // The bytes are copied so that the body is backed by a plain ArrayBuffer, which is what fetch takes.
      const response = await attempt(
        { ...wire, cookie: undefined, timeoutMs: Math.max(timeoutMs, uploadMs) },
        { method: 'PUT', url, headers },
        new Uint8Array(body),
      )
      if (!response.ok) throw errorOfAnswer(response.status, response.headers, await readBody(response))
    },
  }
}

async function sendRepeatedly(wire: Wire, request: PlacedRequest, sending: Sending): Promise<Answer<unknown>> {
  const { key, lookUp } = sending
  const isRepeatable = request.method === 'GET' || key !== undefined
  const policy = sending.once === true ? { ...wire.retry, attempts: 1 } : wire.retry
  // Where nothing answers, every attempt lasts as long as one may: two of them are patience enough.
  const deadline = wire.now() + 2 * wire.timeoutMs
  for (let count = 1; ; count += 1) {
    try {
      // Signed anew each time: of a signature that was sent nobody can say that its nonce is not spent.
      return await sendOnce(wire, await sign(wire, request, sending), sending)
    } catch (error) {
      if (!(error instanceof ErgonError)) throw error
      const delayMs = nextDelayMs(error, count, isRepeatable, policy)
      if (delayMs === undefined || wire.now() >= deadline) throw error.underKey(key)
      await wire.wait(delayMs)
      const found = error.pending ? await lookUp?.() : undefined
      if (found !== undefined) return found
    }
  }
}

async function sign(wire: Wire, request: PlacedRequest, { signer }: Sending): Promise<PlacedRequest> {
  if (signer === undefined) return request
  const { signRequest } = await import('./sign-request.ts')
  const now = Math.floor(wire.now() / 1_000)
  const { method, url, headers, body } = request
  const signature = await signRequest(
    { method, url, headers, ...(body === undefined ? {} : { body }) },
    { signer: signer.signer, chainId: await signer.chainId(), now, nonce: wire.randomNonce(), ttlSec: signatureTtlSec },
  )
  return { ...request, headers: { ...headers, ...signature } }
}

async function sendOnce(wire: Wire, request: PlacedRequest, { signal, key }: Sending): Promise<Answer<unknown>> {
  const response = await attempt(wire, request, request.body, { signal })
  const data = await readBody(response, signal)
  if (!response.ok) throw errorOfAnswer(response.status, response.headers, data)
  const { status, headers } = response
  return {
    status,
    data,
    requestId: headers.get('x-request-id') ?? undefined,
    replayed: headers.get('idempotent-replayed') === 'true',
    idempotencyKey: key,
  }
}

/** A redirect is not followed: its target was not signed for. */
async function attempt(
  wire: Wire,
  request: Pick<PlacedRequest, 'method' | 'url' | 'headers'>,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  how: { readonly signal?: AbortSignal | undefined; readonly endless?: true } = {},
): Promise<Response> {
  const { method, url } = request
  const headers = { ...request.headers, ...wire.cookie?.headers() }
  const signals = [
    ...(how.endless ? [] : [AbortSignal.timeout(wire.timeoutMs)]),
    ...(how.signal === undefined ? [] : [how.signal]),
  ]
  try {
    const response = await wire.fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.any(signals),
      ...(wire.cookie === undefined ? {} : { credentials: 'include' as const }),
      ...(body === undefined ? {} : { body }),
    })
    wire.cookie?.keep(response.headers)
    return response
  } catch (cause) {
    throw silence(cause, how.signal)
  }
}

async function readBody(response: Response, signal?: AbortSignal): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw silence(cause, signal)
  })
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What it means that no answer came; whoever gave up waiting is told the reason they gave themselves. */
function silence(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
  return new ErgonError(
    timedOut
      ? {
          status: 0,
          code: 'timeout',
          message: 'the service did not answer in time',
          retryable: true,
          recovery: 'Read the state before trying again: the request may have taken effect.',
        }
      : {
          status: 0,
          code: 'unreachable',
          message: 'the service cannot be reached',
          retryable: true,
          recovery: 'Check the address and the connection; read the state before trying again.',
        },
    { cause },
  )
}
