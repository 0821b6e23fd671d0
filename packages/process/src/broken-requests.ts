import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type BrokenReason = 'headers_too_large' | 'too_late' | 'no_request'
/** What a service says; the status follows from the reason. */
export type BrokenAnswer = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A client that sends a smaller header section, or sends sooner, is served (RFC 6585 §5, RFC 9110 §15.5.9). */
export const brokenStatus = { headers_too_large: 431, too_late: 408, no_request: 400 } as const satisfies Readonly<
  Record<BrokenReason, number>
>

type ParserError = Error & { readonly code?: string }

/** Answers bytes that the platform could not read as a request: no route, no handler and no hook ever sees them. */
export type BrokenRequests = {
  watch(server: Server): void
  /** For the event `clientError`. */
  answer(error: ParserError, socket: Socket): void
}

/**
 * Bytes that come behind a request that is being answered are told nothing: what was asked may have been done, and its
 * answer is the next that its caller reads. The connection ends behind it.
 */
export function createBrokenRequests(answerOf: (reason: BrokenReason) => BrokenAnswer): BrokenRequests {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  const ending = new WeakSet<Socket>()
  return {
    watch(server) {
      server.on('request', ({ socket }, response) => {
        const answers = open.get(socket) ?? new Set()
        open.set(socket, answers.add(response))
        response.once('close', () => answers.delete(response))
      })
    },
    answer(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed || ending.has(socket)) return
      const answers = [...(open.get(socket) ?? [])]
      const last = answers.findLast((one) => one.req.complete && !one.writableFinished)
      if (last !== undefined) {
        ending.add(socket)
        last.shouldKeepAlive = false
        last.once('finish', () => {
          socket.destroySoon()
        })
        return
      }
      // Nothing is said into the middle of an answer that came before its request was whole.
      const reason = reasonOf(error)
      if (socket.writable && !answers.some(({ headersSent }) => headersSent))
        socket.write(textOf(brokenStatus[reason], answerOf(reason)))
      socket.destroySoon()
    },
  }
}

function reasonOf({ code }: ParserError): BrokenReason {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too_late' : 'no_request'
}

function textOf(status: number, { headers, body }: BrokenAnswer): string {
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
