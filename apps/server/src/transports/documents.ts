import { createHash } from 'node:crypto'
import {
  llmsFullText,
  llmsText,
  mcpServerCard,
  serverJson,
  signingVectors,
  skillFile,
  type About,
} from '@ergon/contract'
import type { FastifyInstance } from 'fastify'

const text = 'text/plain; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const json = 'application/json; charset=utf-8'

/** Documents for programs, printed from the contract once; open to every page, and revalidated by their tag. */
export function addDocuments(server: FastifyInstance, about: About): void {
  const asJson = (document: unknown): string | undefined =>
    document === undefined ? undefined : JSON.stringify(document)
  const documents: readonly (readonly [path: string, contentType: string, body: string | undefined])[] = [
    ['/llms.txt', text, llmsText(about)],
    ['/llms-full.txt', text, llmsFullText(about)],
    ['/SKILL.md', markdown, skillFile(about)],
    ['/skill.md', markdown, skillFile(about)],
    ['/signing-vectors.json', json, asJson(signingVectors)],
    ['/server.json', json, asJson(serverJson(about))],
    ['/.well-known/mcp/server-card.json', json, asJson(mcpServerCard(about))],
  ]
  for (const [path, contentType, body] of documents) {
    if (body === undefined) continue
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    server.get(path, { config: { origins: 'every' } }, (request, reply) => {
      reply.headers({
        etag,
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      return reply.header('content-type', contentType).send(body)
    })
  }
}
