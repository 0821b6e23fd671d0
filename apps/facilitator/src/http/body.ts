import { hash } from 'node:crypto'
import type { Terms } from '../chain/draft.ts'
import { Refusal } from '../errors.ts'
import { headerOf, type HttpRequest } from './exchange.ts'

/** The parsed body with the hash that idempotency compares. */
export type Body = { readonly value: unknown; readonly requestHash: string }

const maxHeaderPayload = 16_384

/** A JSON body; without one, the base64 JSON of the PAYMENT-SIGNATURE header (x402 v2). */
export function readBody(request: HttpRequest): Body {
  const bytes = request.body.length > 0 ? request.body : fromHeader(headerOf(request, 'payment-signature'))
  return { value: parseJson(bytes), requestHash: hash('sha256', bytes, 'hex') }
}

function fromHeader(header: string | undefined): Uint8Array {
  if (header === undefined || header === '') throw new Refusal('invalid_payload', 'a JSON body is required')
  if (header.length > maxHeaderPayload) throw new Refusal('invalid_payload', 'PAYMENT-SIGNATURE is too long')
  return Buffer.from(header, 'base64')
}

/** What is no UTF-8 is refused, for another text than was sent would be written on a chain. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw new Refusal('invalid_payload', 'the body is not JSON', { cause })
  }
}

/** What the order says about itself; a body that cannot be read has no hash yet. */
export function readTerms(request: HttpRequest, requestHash: string): Terms {
  const idempotencyKey = readIdempotencyKey(request)
  const settleBefore = readSettleBefore(request)
  return {
    requestHash,
    ...(request.from === undefined ? {} : { from: request.from }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(settleBefore === undefined ? {} : { settleBefore }),
  }
}

/** One to 200 visible ASCII characters. */
function readIdempotencyKey(request: HttpRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Refusal('invalid_payload', 'Idempotency-Key must be 1 to 200 visible characters')
  return key
}

/** Unix seconds. */
function readSettleBefore(request: HttpRequest): number | undefined {
  const text = request.headers['settle-before']
  if (text === undefined) return undefined
  if (typeof text !== 'string' || !/^[0-9]{1,12}$/.test(text))
    throw new Refusal('invalid_payload', 'Settle-Before must be a time in whole unix seconds')
  return Number(text)
}
