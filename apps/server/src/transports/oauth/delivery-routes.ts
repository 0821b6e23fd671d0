import { OAuthError, type DeliveryFault } from '@ergon/oauth'
import { caip10 } from '@ergon/protocols'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readJsonObject } from '../../dispatch/json-text.ts'
import { isRefusal } from '../../dispatch/refusal.ts'
import { sendPrivate } from './oauth-answers.ts'
import type { OAuthCookies } from './oauth-cookies.ts'
import { answered, bodyLimit, bytesOf, queryOf, readForm, type OAuthDeps } from './oauth-desk.ts'

type Rid = { readonly Params: { readonly rid: string } }
type Delivered = { readonly token: string; readonly signature: string }

const faults: Readonly<Record<DeliveryFault, readonly [status: number, code: string, message: string]>> = {
  unknown: [404, 'not_found', 'No such sign-in is open for this delivery token.'],
  delivery_already_used: [409, 'delivery_already_used', 'A signature was delivered for this sign-in before: stop.'],
  signature_mismatch: [400, 'signature_mismatch', 'The wallet did not sign this very text; the sign-in stays open.'],
}

/**
 * Signatures from wallets elsewhere. The delivery token is the capability, so there is no cookie; the browser that
 * began learns of it by the status, which needs its own (spec §5, OAuth 11).
 */
export function addDelivery(server: FastifyInstance, deps: OAuthDeps, cookies: OAuthCookies): void {
  const { consent } = deps.server
  const path = '/oauth/consent/:rid'
  const deliver = async (
    rid: string,
    reply: FastifyReply,
    address: string,
    { token, signature }: Delivered,
  ): Promise<FastifyReply> => {
    const first = await consent.deliver(rid, token, signature, address)
    const fault = first === 'unknown' ? await deliverOrder(deps, rid, { token, signature }, address) : first
    if (fault === null) return sendPrivate(reply, 200, { status: 'signed' })
    const [status, code, message] = faults[fault]
    return sendPrivate(reply, status, { error: code, error_description: message })
  }
  server.post<Rid>(`${path}/signature`, { bodyLimit }, (request, reply) =>
    answered(deps, 'delivery', request, reply, (address) =>
      deliver(request.params.rid, reply, address, readDelivery(request)),
    ),
  )
  server.get<Rid>(`${path}/signature`, (request, reply) =>
    answered(deps, 'delivery', request, reply, (address) =>
      deliver(request.params.rid, reply, address, deliveryIn(new URLSearchParams(queryOf(request)))),
    ),
  )
  server.get<Rid>(`${path}/status`, (request, reply) =>
    answered(deps, 'consent', request, reply, async () => {
      const signIn = await consent.read(request.params.rid, cookies.csrf(request.headers))
      if (signIn === null) return sendPrivate(reply, 404, { error: 'not_found', error_description: faults.unknown[2] })
      const { outcome } = signIn
      if (outcome.kind !== 'allowed') return sendPrivate(reply, 200, { status: outcome.kind })
      const account = caip10(outcome.chainId, outcome.address)
      return sendPrivate(reply, 200, {
        status: 'signed',
        account,
        ...(deps.orders.offer(signIn) === null
          ? {}
          : { standing_order: (await deps.orders.isKept(signIn)) ? 'signed' : 'open' }),
        continue: `/oauth/consent/${signIn.rid}/finish`,
      })
    }),
  )
}

/** The second signature of a sign-in, by a token for it; anything else is as unknown as before. */
async function deliverOrder(
  { server: { consent }, orders }: OAuthDeps,
  rid: string,
  { token, signature }: Delivered,
  address: string,
): Promise<DeliveryFault | null> {
  const held = await consent.held(rid, token)
  if (held === null || orders.offer(held.signIn) === null) return 'unknown'
  if (await orders.isKept(held.signIn)) return 'delivery_already_used'
  return (await orders.deliver(held.signIn, signature, address)) ? null : 'signature_mismatch'
}

function readDelivery(request: FastifyRequest): Delivered {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return deliveryIn(new URLSearchParams(readForm(request)))
  try {
    const { delivery_token: token, signature } = readJsonObject(bytesOf(request), new Set()).value
    return { token: typeof token === 'string' ? token : '', signature: typeof signature === 'string' ? signature : '' }
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    throw new OAuthError('invalid_request', 'the body must be one JSON object in UTF-8', cause)
  }
}

const deliveryIn = (fields: URLSearchParams): Delivered => ({
  token: fields.get('delivery_token') ?? '',
  signature: (fields.get('signature') ?? '').trim(),
})
