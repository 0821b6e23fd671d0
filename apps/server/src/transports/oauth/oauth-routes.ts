import { OAuthError } from '@ergon/oauth'
import { normalizeAuthority } from '@ergon/protocols'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readJsonObject } from '../../dispatch/json-text.ts'
import { isRefusal, refusal } from '../../dispatch/refusal.ts'
import { addConsentRoutes } from './consent-routes.ts'
import { sendDocument, sendOAuthError, sendPrivate } from './oauth-answers.ts'
import { answered, bodyLimit, bytesOf, readForm, type OAuthDeps } from './oauth-desk.ts'

/** Delegated access: discovery, registration, tokens, and the page on which a wallet consents. */
export function addOAuth(server: FastifyInstance, deps: OAuthDeps): void {
  addDiscovery(server, deps)
  addClients(server, deps)
  addTokens(server, deps)
  addConsentRoutes(server, deps)
}

/** None of it depends on a cookie; the pages of consent do, and stay with our own. */
const forEvery = { config: { origins: 'every' } } as const

function addDiscovery(server: FastifyInstance, { server: { metadata, keys, places } }: OAuthDeps): void {
  const own = normalizeAuthority(new URL(places.issuer).host)
  const documents = [
    ['/.well-known/oauth-protected-resource/mcp', () => metadata.toolResource],
    ['/.well-known/oauth-protected-resource', () => metadata.hostResource],
    ['/oauth/jwks', () => keys.jwks()],
  ] as const
  for (const [path, document] of documents) {
    server.get(path, forEvery, async (_request, reply) => sendDocument(reply, await document()))
  }
  server.get('/.well-known/oauth-authorization-server', forEvery, (request, reply) =>
    // A client discards metadata whose issuer is not the host it asked (RFC 8414 §3.3), so another host has none.
    normalizeAuthority(request.headers.host ?? '') === own
      ? sendDocument(reply, metadata.server)
      : sendOAuthError(reply, refusal('NOT_FOUND', {}, `The issuer is ${places.issuer}: ask there.`)),
  )
}

function addClients(server: FastifyInstance, deps: OAuthDeps): void {
  const { clients } = deps.server
  const path = '/oauth/register'
  server.post(path, { bodyLimit, ...forEvery }, (request, reply) =>
    answered(deps, 'register', request, reply, async (address) =>
      sendPrivate(reply, 201, await clients.register(readFields(request), address)),
    ),
  )
  server.get<{ Params: { readonly id: string } }>(`${path}/:id`, forEvery, (request, reply) =>
    answered(deps, 'register', request, reply, async () => {
      const found = await clients.registration(request.params.id)
      if (found === null) throw refusal('NOT_FOUND')
      return sendPrivate(reply, 200, found)
    }),
  )
}

function readFields(request: FastifyRequest): Readonly<Record<string, unknown>> {
  try {
    return readJsonObject(bytesOf(request), new Set()).value
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    throw new OAuthError('invalid_client_metadata', 'the body must be one JSON object in UTF-8', cause)
  }
}

function addTokens(server: FastifyInstance, deps: OAuthDeps): void {
  const { tokens } = deps.server
  server.post('/oauth/token', { bodyLimit, ...forEvery }, (request, reply) =>
    answered(deps, 'token', request, reply, async (address) => {
      const token = await tokens.answer(readForm(request))
      deps.limits.noteProven(address, deps.now())
      return sendPrivate(reply, 200, token)
    }),
  )
  server.post('/oauth/revoke', { bodyLimit, ...forEvery }, (request, reply) =>
    answered(deps, 'token', request, reply, async () => {
      await tokens.revoke(readForm(request))
      return sendPrivate(reply, 200, {})
    }),
  )
}
