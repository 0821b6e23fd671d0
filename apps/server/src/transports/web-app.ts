import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseForm } from '../web/content-coding.ts'
import type { WebApp, WebFile } from '../web/web-file.ts'
import { holdsTag } from './revalidation.ts'
import { answerCard, type SocialCards } from './social-cards.ts'

export type WebAppDeps = {
  readonly app: WebApp
  /** On every answer of the app. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether a route of the service has this path, whatever the method. */
  readonly isRouted: (path: string) => boolean
  /** What links to tasks show where people share them. */
  readonly cards: SocialCards
}

/** Answers what no route answers, if it is a file or a screen of the app; false leaves it to the service. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => boolean

const ofTheService = /^\/(?:api|mcp|a2a|ws|\.well-known|oauth|metrics|assets)(?:\/|$)/

export function createWebApp({ app, headers, isRouted, cards }: WebAppDeps): AnswerPage {
  const send = (request: FastifyRequest, reply: FastifyReply, file: WebFile, vary: string): true => {
    const { coding, etag, body } = chooseForm(file, request.headers['accept-encoding'])
    reply.headers({
      ...headers,
      etag,
      vary,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    const given = request.headers['if-none-match']
    if (given !== undefined && holdsTag(given, etag)) {
      void reply.code(304).send()
      return true
    }
    reply.code(200).headers({
      'content-type': file.contentType,
      'content-length': body.length,
      ...(coding === null ? {} : { 'content-encoding': coding }),
    })
    void (request.method === 'HEAD' ? reply.send() : reply.send(body))
    return true
  }
  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const path = request.url.split('?', 1)[0] ?? ''
    const file = path === '/' ? app.pageFor(path, request.url.includes('?')) : app.files.get(path)
    if (file !== undefined) return send(request, reply, file, 'Accept-Encoding')
    const page = (): true =>
      send(request, reply, app.pageFor(path, request.url.includes('?')), 'Accept, Accept-Encoding')
    if (answerCard(cards, path, request, reply, page)) return true
    if (!asksForPage(request) || !namesScreen(path) || ofTheService.test(path) || isRouted(path)) return false
    return page()
  }
}

function asksForPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept?.toLowerCase().includes('text/html') === true
}

/**
 * The app's addresses are plain: what climbs, doubles or hides a slash, or holds a control character names no screen.
 */
function namesScreen(path: string): boolean {
  if (/%2f|%5c/i.test(path)) return false
  try {
    const segments = decodeURIComponent(path).split('/').slice(1)
    return segments.every(
      (part, index) =>
        part !== '.' && part !== '..' && (part !== '' || index === segments.length - 1) && /^[^\p{Cc}\\]*$/u.test(part),
    )
  } catch {
    return false
  }
}
