import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** What a deployment says about itself at the places that the standards name. */
export type WellKnown = {
  readonly baseUrl: string
  /** Where a weakness is reported, as a URI; null where the operator named none, and then there is no file. */
  readonly securityContact: string | null
  /** The registration file of the platform's own agent (ERC-8004); null while it is registered nowhere. */
  readonly registration: object | null
  readonly now: () => Date
}

const dayMs = 86_400_000
/** RFC 9116 §2.5.5 asks for less than a year. */
const securityTextDays = 180

/** Files that crawlers, agents and researchers look for; open to every page. */
export function addWellKnown(server: FastifyInstance, files: WellKnown): void {
  const add = (path: string, contentType: string, read: () => string): void => {
    server.get(path, { config: { origins: 'every' } }, (_request, reply) => {
      const body = read()
      return reply
        .headers({
          etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
          'cache-control': 'public, max-age=300',
          'x-content-type-options': 'nosniff',
          'content-type': contentType,
        })
        .send(body)
    })
  }
  const { baseUrl, securityContact, registration, now } = files
  add('/robots.txt', 'text/plain; charset=utf-8', () => robots(baseUrl))
  if (securityContact !== null)
    add('/.well-known/security.txt', 'text/plain; charset=utf-8', () => securityText(baseUrl, securityContact, now()))
  if (registration !== null)
    add('/.well-known/agent-registration.json', 'application/json; charset=utf-8', () => JSON.stringify(registration))
}

/** Texts and documents may be read by all; answers that change by the minute, and doors, are not for an index. */
function robots(baseUrl: string): string {
  return [
    'User-agent: *',
    'Allow: /',
    'Disallow: /api/',
    'Disallow: /oauth/',
    'Disallow: /a2a',
    'Disallow: /mcp',
    'Disallow: /ws',
    '',
    '# For programs:',
    `# ${baseUrl}/llms.txt`,
    `# ${baseUrl}/openapi.json`,
    `# ${baseUrl}/.well-known/agent-card.json`,
    '',
  ].join('\n')
}

/** RFC 9116; the same text all day, so that it can be revalidated. */
function securityText(baseUrl: string, contact: string, now: Date): string {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + securityTextDays * dayMs).toISOString()}`,
    'Preferred-Languages: en, es',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
