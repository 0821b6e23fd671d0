import type { FastifyInstance } from 'fastify'

/** An answer that carries a tag is not sent again to who has it (RFC 9110 §13.1.2). */
export function addRevalidation(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const given = request.headers['if-none-match']
    const tag = reply.getHeader('etag')
    if (
      (request.method !== 'GET' && request.method !== 'HEAD') ||
      reply.statusCode !== 200 ||
      given === undefined ||
      typeof tag !== 'string' ||
      !holdsTag(given, tag)
    ) {
      done(null, payload)
      return
    }
    void reply.code(304).removeHeader('content-type').removeHeader('content-length')
    done(null, '')
  })
}

export function holdsTag(given: string, tag: string): boolean {
  return given === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
