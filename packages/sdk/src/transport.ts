import type { Operation } from '@ergon/contract'
import { bytesToHex, signRequest, type Signer } from '@ergon/protocols'
import { ErgonError, errorOfAnswer } from './ergon-error.ts'
import { placeInput, type PlacedRequest } from './place-input.ts'
import { defaultRetryPolicy, nextAttempt, type RetryPolicy } from './retry.ts'

/** What a client stands on; everything but the address of the service has a default. */
export type TransportOptions = {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly randomNonce: () => string
  readonly timeoutMs: number
  readonly retry: RetryPolicy
}

/** Who signs, and the chain named in the keyid. */
export type RequestSigner = { readonly signer: Signer; readonly chainId: () => Promise<number> }

/** A success; 202 means that the flow is still under way. */
export type Answer<T> = { readonly status: number; readonly data: T; readonly requestId: string | undefined }

export type Transport = {
  send(definition: Operation, input: Readonly<Record<string, unknown>>, signer?: RequestSigner): Promise<Answer<unknown>>
  /** A bare request to a link the service handed out: unsigned and sent once. */
  put(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<void>
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

const signatureTtlSec = 60

/** Fills in the defaults: the platform's fetch, clock, timers and randomness. */
export function transportOptions(options: { readonly baseUrl: string } & Partial<TransportOptions>): TransportOptions {
  return {
    fetch: (input, init) => fetch(input, init),
    now: () => Date.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    randomNonce: () => bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2),
    timeoutMs: 60_000,
    retry: defaultRetryPolicy,
    ...options,
  }
}

/** Sends operations over HTTP: placed, signed, timed out, and repeated only where that is safe. */
export function createTransport(options: TransportOptions): Transport {
  return {
    now: options.now,
    wait: options.wait,
    send: (definition, input, signer) => sendRepeatedly(options, placeInput(options.baseUrl, definition, input), signer),
    async put(url, headers, body) {
      // The bytes are copied so that the body is backed by a plain ArrayBuffer, which is what fetch takes.
      const response = await attempt(options, { method: 'PUT', url, headers }, new Uint8Array(body))
      if (!response.ok) throw errorOfAnswer(response.status, response.headers, await readBody(response))
    },
  }
}

async function sendRepeatedly(options: TransportOptions, request: PlacedRequest, signer: RequestSigner | undefined): Promise<Answer<unknown>> {
  const isRepeatable = request.method === 'GET' || request.headers['x-idempotency-key'] !== undefined
  let signed = await sign(options, request, signer)
  for (let count = 1; ; count += 1) {
    try {
      return await sendOnce(options, signed.request)
    } catch (error) {
      const next = error instanceof ErgonError ? nextAttempt(error, count, isRepeatable, options.retry) : undefined
      if (next === undefined) throw error
      await options.wait(next.delayMs)
      if (!next.sameSignature || options.now() / 1_000 >= signed.expires) signed = await sign(options, request, signer)
    }
  }
}

async function sign(options: TransportOptions, request: PlacedRequest, signer: RequestSigner | undefined): Promise<{ readonly request: PlacedRequest; readonly expires: number }> {
  if (signer === undefined) return { request, expires: Infinity }
  const now = Math.floor(options.now() / 1_000)
  const { method, url, headers, body } = request
  const signature = await signRequest(
    { method, url, headers, ...(body === undefined ? {} : { body }) },
    { signer: signer.signer, chainId: await signer.chainId(), now, nonce: options.randomNonce(), ttlSec: signatureTtlSec },
  )
  return { request: { ...request, headers: { ...headers, ...signature } }, expires: now + signatureTtlSec }
}

async function sendOnce(options: TransportOptions, request: PlacedRequest): Promise<Answer<unknown>> {
  const response = await attempt(options, request, request.body)
  const data = await readBody(response)
  if (!response.ok) throw errorOfAnswer(response.status, response.headers, data)
  return { status: response.status, data, requestId: response.headers.get('x-request-id') ?? undefined }
}

/** A redirect is not followed: its target was not signed for. */
async function attempt(options: TransportOptions, request: Pick<PlacedRequest, 'method' | 'url' | 'headers'>, body: string | Uint8Array<ArrayBuffer> | undefined): Promise<Response> {
  const { method, url, headers } = request
  try {
    return await options.fetch(url, { method, headers, redirect: 'error', signal: AbortSignal.timeout(options.timeoutMs), ...(body === undefined ? {} : { body }) })
  } catch (cause) {
    throw silence(cause)
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw silence(cause)
  })
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function silence(cause: unknown): ErgonError {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
  return new ErgonError(
    timedOut
      ? { status: 0, code: 'timeout', message: 'the service did not answer in time', retryable: true, recovery: 'Read the state before trying again: the request may have taken effect.' }
      : { status: 0, code: 'unreachable', message: 'the service cannot be reached', retryable: true, recovery: 'Check the address and the connection; read the state before trying again.' },
    { cause },
  )
}
