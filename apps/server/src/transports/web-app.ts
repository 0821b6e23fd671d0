import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebFile, WebFiles } from '../web/web-files.ts'

export type WebApp = { readonly files: WebFiles; readonly headers: Readonly<Record<string, string>> }

/** What belongs to programs is never answered with a page. */
const programs = /^\/(?:api|mcp|a2a|ws|oauth|metrics|evidence|\.well-known)(?:\/|$)/

/**
 * The app for people at `/`: its files, and its page for every address that a browser goes to, so that each screen can
 * be linked and reloaded. Whatever else is asked for is unknown, as without an app.
 */
export function addWebApp(server: FastifyInstance, { files, headers }: WebApp): void {
  const page = files.get('/index.html')
  if (page === undefined) throw new Error('an app has a page')
  const answer = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const path = pathOf(request.url)
    const found = path === undefined ? undefined : path === '/' ? page : files.get(path) ?? (isGoneTo(request, path) ? page : undefined)
    if (found === undefined) {
      reply.callNotFound()
      return reply
    }
    return send(request, reply, found)
  }
  const send = (request: FastifyRequest, reply: FastifyReply, file: WebFile): unknown => {
    const coding = codingOf(request.headers['accept-encoding'], file)
    const etag = `"${file.etag}${coding === undefined ? '' : `-${coding}`}"`
    reply.headers({ ...headers, 'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache', etag, vary: 'accept-encoding' })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const bytes = coding === undefined ? file.bytes : file.encoded[coding] ?? file.bytes
    reply.headers({ 'content-type': file.contentType, 'content-length': bytes.length, ...(coding === undefined ? {} : { 'content-encoding': coding }) })
    return request.method === 'HEAD' ? reply.send() : reply.send(bytes)
  }
  for (const url of ['/', '/*']) server.route({ method: ['GET', 'HEAD'], url, handler: answer })
}

/** The path as a file would be named; undefined for what is no path of a file. */
function pathOf(target: string): string | undefined {
  try {
    const path = decodeURIComponent(target.split('?', 1)[0] ?? '')
    return path.includes('\0') || path.includes('\\') || path.split('/').includes('..') ? undefined : path
  } catch {
    return undefined
  }
}

/** Whether a browser goes to an address, rather than a page or a program asking for something. */
function isGoneTo(request: FastifyRequest, path: string): boolean {
  return !programs.test(path) && !/\.[a-z0-9]{1,11}$/i.test(path) && (request.headers.accept ?? '').includes('text/html')
}

function codingOf(accepted: string | undefined, { encoded }: WebFile): 'br' | 'gzip' | undefined {
  const offers = (accepted ?? '').split(',').map((one) => one.trim().toLowerCase()).filter((one) => !/;\s*q=0(?:\.0*)?$/.test(one)).map((one) => one.split(';', 1)[0])
  return (['br', 'gzip'] as const).find((coding) => offers.includes(coding) && encoded[coding] !== undefined)
}
