import { createHash } from 'node:crypto'
import { headerOf } from '../../dispatch/plan.ts'
import type { RawRequest } from '../../dispatch/request.ts'

const header = 'x-idempotency-key'

/**
 * The id of a message tells a resend from another message, so it is the key of its action where no header names one
 * (decision 0050). An id that cannot be a key is known by its hash.
 */
export function keyedByMessage(request: RawRequest, messageId: string): RawRequest {
  if (headerOf(request, header) !== undefined) return request
  const key = /^[\x21-\x7e]{1,128}$/.test(messageId)
    ? messageId
    : `message-${createHash('sha256').update(messageId).digest('hex')}`
  return { ...request, headers: [...request.headers, [header, key]] }
}
