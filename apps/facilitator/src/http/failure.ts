import { randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { Refusal, Unavailable } from '../errors.ts'

export type Failure = { readonly status: number; readonly code: string; readonly text: string; readonly details: Readonly<Record<string, unknown>> }

/** What a thrown thing becomes for the caller. A cause that is not the caller's stays in the log, under the answer's `ref`. */
export function describeFailure(error: unknown, reply: FastifyReply, log: Logger): Failure {
  if (error instanceof Refusal) return { status: error.status, code: error.code, text: error.message, details: error.details }
  const ref = randomUUID()
  log.warn({ ref, err: error }, 'request failed')
  if (error instanceof Unavailable) {
    reply.header('retry-after', '5')
    return { status: error.status, code: error.code, text: error.message, details: { ...error.details, ref } }
  }
  return { status: 500, code: 'unexpected_error', text: 'unexpected_error', details: { ref } }
}
