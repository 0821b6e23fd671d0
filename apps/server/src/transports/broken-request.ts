import { createBrokenRequests, type BrokenReason } from '@ergon/process'
import { errorAnswer } from '../dispatch/error-body.ts'
import { refusal } from '../dispatch/refusal.ts'

const reasons: Readonly<Record<BrokenReason, string>> = {
  headers_too_large: 'The target and the headers together are too large.',
  too_late: 'The request did not arrive in time.',
  no_request: 'This is not an HTTP request.',
}

/** Says it in the words of the catalogue, which has one code for all of it; the status tells them apart. */
export function brokenRequests(nextRequestId: () => string): ReturnType<typeof createBrokenRequests> {
  return createBrokenRequests((reason) => {
    const requestId = nextRequestId()
    const { body } = errorAnswer(refusal('MALFORMED_BODY', {}, reasons[reason]), requestId)
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId },
      body: JSON.stringify(body),
    }
  })
}

const leavings: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ABORT_ERR',
])

/**
 * Whether the caller left before the body or the answer was complete: nobody waits for an answer, and nothing is wrong
 * here.
 */
export function hasLeft(error: unknown): boolean {
  if (!(error instanceof Error) || isFromElsewhere(error)) return false
  return error.name === 'AbortError' || ('code' in error && leavings.has(error.code))
}

/** The same codes come of lines of our own, to the database or to a node: those say where they led. */
function isFromElsewhere(error: Error): boolean {
  return (
    'address' in error ||
    'query' in error ||
    ('syscall' in error && error.syscall !== 'read' && error.syscall !== 'write')
  )
}
