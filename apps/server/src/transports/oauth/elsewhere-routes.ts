import type { Held } from '@ergon/oauth'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { noticePage } from './consent-page.ts'
import { elsewhereDonePage, elsewhereOrderPage, elsewhereTextPage } from './elsewhere-page.ts'
import { elsewherePath } from './elsewhere-section.ts'
import { answered, bodyLimit, queryOf, readForm, redirectTo, tongueFor, type PageDeps } from './oauth-desk.ts'
import { sendPage } from './page-answer.ts'
import { words, type PageFault, type Tongue } from './page-words.ts'

type Rid = { readonly Params: { readonly rid: string } }
type PageError = (reply: FastifyReply, thrown: unknown) => FastifyReply
/** What was sent, and whose sign-in it is for. */
type Given = { readonly tongue: Tongue; readonly rid: string; readonly token: string }

/**
 * The page that a wallet on another device opens. The delivery token is the capability, as it is for programs, so there
 * is no cookie; what is signed here is finished by the browser that began (decision 0132).
 */
export function addElsewhere(server: FastifyInstance, desk: PageDeps, onError: PageError): void {
  const path = '/oauth/consent/:rid/elsewhere'
  server.get<Rid>(path, (request, reply) =>
    answered(desk, 'delivery', request, reply, () => show(desk, request, reply), onError),
  )
  server.post<Rid>(path, { bodyLimit }, (request, reply) =>
    answered(desk, 'delivery', request, reply, (address) => take(desk, request, reply, address), onError),
  )
}

async function show(desk: PageDeps, request: FastifyRequest<Rid>, reply: FastifyReply): Promise<FastifyReply> {
  const token = new URLSearchParams(queryOf(request)).get('delivery_token') ?? ''
  return answerPage(desk, reply, { tongue: tongueFor(request), rid: request.params.rid, token }, null)
}

async function take(
  desk: PageDeps,
  request: FastifyRequest<Rid>,
  reply: FastifyReply,
  address: string,
): Promise<FastifyReply> {
  const form = new URLSearchParams(readForm(request))
  const [token, signature] = [form.get('delivery_token') ?? '', (form.get('signature') ?? '').trim()]
  const given: Given = { tongue: tongueFor(request, form.get('lang')), rid: request.params.rid, token }
  const held = await desk.server.consent.held(given.rid, token)
  if (held === null) return gone(desk, reply, given.tongue)
  const isTaken =
    form.get('action') === 'order'
      ? desk.orders.offer(held.signIn) === null || (await desk.orders.deliver(held.signIn, signature, address))
      : (await desk.server.consent.deliver(given.rid, token, signature, address)) !== 'signature_mismatch'
  if (!isTaken) return answerPage(desk, reply, given, 'signature_mismatch')
  return redirectTo(reply, elsewherePath({ rid: given.rid, deliveryToken: token }, given.tongue))
}

/** What there is to sign now: the text, then the order where there is one, then nothing. */
async function answerPage(
  desk: PageDeps,
  reply: FastifyReply,
  { tongue, rid, token }: Given,
  fault: PageFault | null,
): Promise<FastifyReply> {
  const held = await desk.server.consent.held(rid, token)
  const text = held === null ? null : await pageFor(desk, tongue, held, { deliveryToken: token, fault })
  if (text === null) return gone(desk, reply, tongue)
  return sendPage(reply, desk.isSecure, fault === null ? 200 : 422, text)
}

async function pageFor(
  { orders }: PageDeps,
  tongue: Tongue,
  { signIn, offer }: Held,
  given: { readonly deliveryToken: string; readonly fault: PageFault | null },
): Promise<string | null> {
  const { outcome } = signIn
  if (outcome.kind === 'open') return offer === null ? null : elsewhereTextPage(tongue, { ...given, signIn, offer })
  if (outcome.kind === 'finished') return elsewhereDonePage(tongue)
  if (outcome.kind === 'denied') return null
  const document = orders.offer(signIn)
  if (document === null || (await orders.isKept(signIn))) return elsewhereDonePage(tongue)
  return elsewhereOrderPage(tongue, { ...given, signIn, document, account: outcome.address })
}

function gone({ isSecure }: PageDeps, reply: FastifyReply, tongue: Tongue): FastifyReply {
  const say = words[tongue]
  return sendPage(reply, isSecure, 404, noticePage(tongue, say.goneTitle, say.goneElsewhere))
}
