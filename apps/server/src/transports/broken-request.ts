import type { Socket } from 'node:net'
import { errorAnswer } from '../dispatch/error-body.ts'
import { refusal } from '../dispatch/refusal.ts'

type ParserError = Error & { readonly code?: string }

/** Answers bytes that Node could not read as a request: no route, no handler and no hook ever sees them. */
export function answerBrokenRequest(error: ParserError, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const answer = errorAnswer(refusal('MALFORMED_BODY', {}, reasonOf(error)), requestId)
    const body = JSON.stringify(answer.body)
    socket.write(
      `HTTP/1.1 ${String(answer.status)} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${String(Buffer.byteLength(body))}\r\n` +
        `X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
}

function reasonOf({ code }: ParserError): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The target and the headers together are too large.'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.'
  return 'This is not an HTTP request.'
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
