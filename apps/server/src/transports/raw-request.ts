import { whenLeft } from '@ergon/process'
import { addressKey } from '@ergon/protocols'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headerPairs, type RawRequest } from '../dispatch/request.ts'

const noBody = new Uint8Array(0)

/** A request as it came, for whoever checks its signature. */
export function rawRequest(request: FastifyRequest, reply: FastifyReply): RawRequest {
  return {
    method: request.method,
    target: request.raw.url ?? '',
    headers: headerPairs(request.raw.rawHeaders),
    body: Buffer.isBuffer(request.body) ? request.body : noBody,
    ip: addressKey(request.ip),
    requestId: request.id,
    onEnd: (run) => {
      whenLeft(reply.raw, run)
    },
  }
}
