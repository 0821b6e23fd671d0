import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/** The files of the pages for people without the app, each under a name that changes with its bytes. */
export const pageFiles = {
  style: fileOf('css', 'text/css; charset=utf-8', pageStyle),
  script: fileOf('js', 'text/javascript; charset=utf-8', pageScript),
} as const

function fileOf(ending: string, contentType: string, body: string) {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  return { path: `/oauth/page-${digest}.${ending}`, contentType, body }
}

export function addPageFiles(server: FastifyInstance): void {
  for (const { path, contentType, body } of Object.values(pageFiles))
    server.get(path, (_request, reply) =>
      reply
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        .header('content-type', contentType)
        .send(body),
    )
}

const closed = ['accelerometer', 'camera', 'geolocation', 'gyroscope', 'microphone', 'payment', 'usb']
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // It stops the redirect after a form as well, so a decided sign-in ends with a link (decision 0123).
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What every answer of the consent page carries. */
export function pageHeaders(isSecure: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'permissions-policy': closed.map((feature) => `${feature}=()`).join(', '),
    // Wallets open windows and report back to the page that opened them.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cache-control': 'no-store',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

export function sendPage(reply: FastifyReply, isSecure: boolean, status: number, text: string): FastifyReply {
  return reply.code(status).headers(pageHeaders(isSecure)).header('content-type', 'text/html; charset=utf-8').send(text)
}
