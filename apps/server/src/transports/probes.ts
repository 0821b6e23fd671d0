import type { FastifyInstance } from 'fastify'

export type Probes = {
  /** What is known, without asking anything. */
  readonly readiness: () => { readonly status: 'ready' | 'degraded' | 'not_ready'; readonly reasons: readonly string[] }
}

/**
 * For what restarts a process (`/livez`) and what sends requests to it (`/readyz`). Both are answered from memory, so a
 * database that does not answer cannot hold them up, and they spend nobody's limit.
 */
export function addProbes(server: FastifyInstance, { readiness }: Probes): void {
  const head = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  server.get('/livez', (_request, reply) => reply.headers(head).send({ status: 'alive' }))
  server.get('/readyz', (_request, reply) => {
    const seen = readiness()
    return reply
      .code(seen.status === 'not_ready' ? 503 : 200)
      .headers(head)
      .send(seen)
  })
}
