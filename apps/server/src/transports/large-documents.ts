import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { openApiDocument, openApiSections, type OpenApiOptions } from '@ergon/contract'
import type { FastifyInstance } from 'fastify'
import { chooseForm } from '../web/content-coding.ts'
import type { Representation, WebFile } from '../web/web-file.ts'

/** A document that is worth compressing, written when it is first asked for and kept. */
export function addLargeDocument(
  server: FastifyInstance,
  path: string,
  contentType: string,
  write: () => string,
): void {
  let file: WebFile | undefined
  server.get(path, { config: { origins: 'every' } }, (request, reply) => {
    file ??= filed(contentType, write())
    const { coding, etag, body } = chooseForm(file, request.headers['accept-encoding'])
    return reply
      .headers({
        etag,
        vary: 'Accept-Encoding',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-type': contentType,
        ...(coding === null ? {} : { 'content-encoding': coding }),
      })
      .send(body)
  })
}

/** The contract in one document, and a document for each of its sections. */
export function addOpenApi(server: FastifyInstance, about: Omit<OpenApiOptions, 'section'>): void {
  const type = 'application/json; charset=utf-8'
  addLargeDocument(server, '/openapi.json', type, () => JSON.stringify(openApiDocument(about)))
  for (const section of openApiSections)
    addLargeDocument(server, `/openapi/${section}.json`, type, () =>
      JSON.stringify(openApiDocument({ ...about, section })),
    )
}

function filed(contentType: string, text: string): WebFile {
  const bytes = Buffer.from(text, 'utf8')
  return {
    contentType,
    isImmutable: false,
    identity: represent(bytes),
    br: represent(
      brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
    ),
    gzip: represent(gzipSync(bytes)),
  }
}

function represent(body: Buffer): Representation {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
