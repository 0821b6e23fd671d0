import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../errors.ts'

/** Answers in the gateway's own words. */
export function say(response: ServerResponse, status: number, body: object | string): void {
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  end(response, status, type, typeof body === 'string' ? body : JSON.stringify(body))
}

/** Answers with a refusal, as a problem (RFC 9457); its challenges have been set before. */
export function sayRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { receipt } = refusal.details
  if (typeof receipt === 'string') response.setHeader('payment-receipt', receipt)
  if (refusal.retryAfterSec !== undefined) response.setHeader('retry-after', refusal.retryAfterSec)
  // What is left of a body that nobody reads would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close')
  end(response, refusal.status, problemType, JSON.stringify(problemOf(refusal)))
}

export const problemType = 'application/problem+json'

/** A refusal as RFC 9457 writes it. */
export function problemOf(refusal: Refusal): object {
  const { receipt: _said, ...details } = refusal.details
  return {
    type: refusal.type === undefined ? 'about:blank' : `https://paymentauth.org/problems/${refusal.type}`,
    title: refusal.code.replaceAll('_', ' '),
    status: refusal.status,
    detail: refusal.message,
    error: refusal.code,
    ...details,
  }
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  })
  response.end(text)
}
