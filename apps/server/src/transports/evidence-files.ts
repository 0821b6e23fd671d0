import { Readable } from 'node:stream'
import { limits } from '@ergon/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal } from '../dispatch/refusal.ts'
import { partAsked, type BytePart } from './byte-range.ts'

type LinkProof = { readonly expires: string; readonly signature: string }

/** Stored evidence, reached by links that carry their own proof. */
export type EvidenceFiles = {
  receive(
    upload: {
      readonly key: string
      readonly proof: LinkProof
      readonly contentType: string | undefined
      readonly contentLength: number | undefined
      readonly body: AsyncIterable<Uint8Array>
    },
    now: Date,
  ): Promise<{ readonly bytes: number; readonly sha256: string }>
  open(
    key: string,
    proof: LinkProof,
    now: Date,
  ): Promise<{
    readonly contentType: string
    readonly bytes: number
    readonly sha256: string
    readonly stream: (part?: BytePart) => Readable
  }>
}

const path = '/api/v1/evidence/files/*'

/**
 * Ordinary routes, no operations: a link is used by whoever holds it, with bytes instead of fields (spec §4 evidence).
 */
export function addEvidenceFiles(server: FastifyInstance, files: EvidenceFiles, now: () => Date): void {
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, passOn) => {
      passOn(null, payload)
    })
    scope.put(path, { bodyLimit: limits.evidenceBytes, config: { origins: 'every' } }, async (request, reply) => {
      const announced = request.headers['content-length']
      const stored = await files.receive(
        {
          key: keyOf(request),
          proof: proofOf(request),
          contentType: request.headers['content-type'],
          contentLength: announced === undefined ? undefined : Number(announced),
          body: request.body instanceof Readable ? request.body : Readable.from([]),
        },
        now(),
      )
      return reply.code(201).headers(guards).send(stored)
    })
    scope.get(path, { config: { origins: 'every' } }, async (request, reply) => {
      const file = await files.open(keyOf(request), proofOf(request), now())
      const show = file.contentType.startsWith('image/') ? 'inline' : 'attachment'
      const etag = `"${file.sha256}"`
      reply.headers({ ...guards, 'accept-ranges': 'bytes', etag })
      // A phone plays a film only from whoever sends it by the part (decision 0304).
      const part = partAsked(request.method === 'GET' ? request.headers : {}, { bytes: file.bytes, etag })
      if (part === 'beyond')
        return reply
          .code(416)
          .header('content-range', `bytes */${String(file.bytes)}`)
          .send()
      reply.headers({ 'content-type': file.contentType, 'content-disposition': show })
      if (part === 'whole') return reply.header('content-length', file.bytes).send(file.stream())
      return reply
        .code(206)
        .header('content-range', `bytes ${String(part.start)}-${String(part.end)}/${String(file.bytes)}`)
        .header('content-length', part.end - part.start + 1)
        .send(file.stream(part))
    })
    done()
  })
}

/** What strangers uploaded is shown and never run, and the link in the address is told to nobody. */
const guards = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
}

function keyOf(request: FastifyRequest): string {
  // The wildcard of the route; always text.
  return (request.params as Readonly<Record<string, string>>)['*'] ?? ''
}

function proofOf(request: FastifyRequest): LinkProof {
  const target = request.raw.url ?? ''
  const query = new URLSearchParams(target.includes('?') ? target.slice(target.indexOf('?') + 1) : '')
  const [expires, signature] = [query.getAll('expires'), query.getAll('signature')]
  if (expires.length > 1 || signature.length > 1) throw refusal('UPLOAD_NOT_ALLOWED')
  return { expires: expires[0] ?? '', signature: signature[0] ?? '' }
}
