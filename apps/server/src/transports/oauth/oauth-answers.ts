import { OAuthError } from '@ergon/oauth'
import type { FastifyReply } from 'fastify'
import { errorAnswer } from '../../dispatch/error-body.ts'

const json = 'application/json; charset=utf-8'

/** A description for everybody, which may be kept for a while. */
export function sendDocument(reply: FastifyReply, body: object): FastifyReply {
  return reply
    .headers({
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'content-type': json,
    })
    .send(JSON.stringify(body))
}

/** An answer to one caller (RFC 6749 §5.1). */
export function sendPrivate(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', pragma: 'no-cache', 'x-content-type-options': 'nosniff' })
    .header('content-type', json)
    .send(JSON.stringify(body))
}

/** What went wrong, in the form of RFC 6749 §5.2; what is no fault of the client's in that of the service. */
export function sendOAuthError(reply: FastifyReply, thrown: unknown): FastifyReply {
  if (thrown instanceof OAuthError) {
    const status = thrown.code === 'temporarily_unavailable' ? 429 : 400
    if (status === 429) reply.header('retry-after', '3600')
    return sendPrivate(reply, status, { error: thrown.code, error_description: thrown.message })
  }
  const answer = errorAnswer(thrown, reply.request.id)
  return sendPrivate(reply.headers(answer.headers), answer.status, answer.body)
}

export function sendTooMany(reply: FastifyReply, waitSec: number): FastifyReply {
  return sendPrivate(reply.header('retry-after', String(waitSec)), 429, {
    error: 'temporarily_unavailable',
    error_description: 'too many requests: wait as Retry-After says',
  })
}
