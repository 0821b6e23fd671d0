import { OAuthError, readLimits, type ApprovalLimits, type Choice, type SignIn } from '@ergon/oauth'
import { isAddress, lowerAddress } from '@ergon/protocols'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../dispatch/error-body.ts'
import { choicePage, decidedPage, noticePage, signingPage, type PageContext, type Typed } from './consent-page.ts'
import { orderPage } from './order-page.ts'
import { addDelivery } from './delivery-routes.ts'
import { addElsewhere } from './elsewhere-routes.ts'
import type { LinkedNotice } from './linked-form.ts'
import { createOAuthCookies, type OAuthCookies } from './oauth-cookies.ts'
import {
  answered,
  bodyLimit,
  queryOf,
  readForm,
  redirectTo,
  tongueFor,
  type OAuthDeps,
  type PageDeps,
} from './oauth-desk.ts'
import { sendPage } from './page-answer.ts'
import { words, type PageFault, type Tongue } from './page-words.ts'

type Rid = { readonly Params: { readonly rid: string } }
type Request = FastifyRequest<Rid>
type Desk = PageDeps & { readonly cookies: OAuthCookies }

export function addConsentRoutes(server: FastifyInstance, deps: OAuthDeps): void {
  const isSecure = deps.server.places.issuer.startsWith('https:')
  const desk: Desk = { ...deps, isSecure, cookies: createOAuthCookies(isSecure) }
  const path = '/oauth/consent/:rid'
  server.get('/oauth/authorize', (request, reply) =>
    answered(deps, 'authorize', request, reply, () => authorize(desk, request, reply), pageError(desk)),
  )
  server.get<Rid>(path, (request, reply) =>
    answered(deps, 'consent', request, reply, () => show(desk, request, reply), pageError(desk)),
  )
  server.post<Rid>(path, { bodyLimit }, (request, reply) =>
    answered(deps, 'consent', request, reply, (address) => act(desk, request, reply, address), pageError(desk)),
  )
  server.get<Rid>(`${path}/finish`, (request, reply) =>
    answered(deps, 'consent', request, reply, () => finish(desk, request, reply), pageError(desk)),
  )
  addDelivery(server, deps, desk.cookies)
  addElsewhere(server, desk, pageError(desk))
}

/** Whatever is wrong before client and redirect are known to be good is told here, never there. */
const pageError =
  (desk: Desk) =>
  (reply: FastifyReply, thrown: unknown): FastifyReply => {
    const tongue = tongueFor(reply.request)
    const say = words[tongue]
    if (thrown instanceof OAuthError)
      return sendPage(reply, desk.isSecure, 400, noticePage(tongue, say.wrongTitle, say.wrongHint, thrown.message))
    const { status, headers, body } = errorAnswer(thrown, reply.request.id)
    const text = noticePage(tongue, say.busyTitle, say.busyHint, body.message)
    return sendPage(reply.headers(headers), desk.isSecure, status, text)
  }

async function authorize(desk: Desk, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // Programs that are no browsers write a mode by themselves; what it is for is said by browsers alone.
  const dest = request.headers['sec-fetch-dest']
  if (dest !== undefined && dest !== 'document')
    throw new OAuthError('invalid_request', 'a browser opens this address as a page of its own, not inside another')
  const asked = await desk.server.authorize(queryOf(request))
  if (asked.kind === 'redirect') return redirectTo(reply, asked.location)
  const { rid, csrf, expiresAt } = await desk.server.consent.begin(asked.request)
  const lifeSec = Math.ceil((expiresAt.getTime() - desk.now()) / 1_000)
  const locale = new URLSearchParams(queryOf(request)).get('ui_locales')
  const tongue = tongueFor(request, locale?.slice(0, 2) ?? null)
  return redirectTo(
    reply.header('set-cookie', desk.cookies.setCsrf(rid, csrf, lifeSec)),
    `/oauth/consent/${rid}?lang=${tongue}`,
  )
}

async function show(desk: Desk, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const tongue = tongueFor(request)
  const own = await ownSignIn(desk, request)
  if (own === null) return gone(desk, reply, tongue)
  const { signIn, csrf } = own
  if (signIn.outcome.kind !== 'open') return showDecided(desk, reply, { signIn, csrf, tongue, fault: null })
  const remembered = rememberedIn(desk, request, signIn)
  const typed: Typed = {
    address: remembered?.address ?? '',
    chainId: String(remembered?.chainId ?? desk.chains[0]?.chainId ?? 1),
    scopes: desk.server.rules.basic,
    approves: false,
    usd: '',
    count: '',
  }
  return sendPage(
    reply,
    desk.isSecure,
    200,
    choicePage(contextOf(desk, tongue), { signIn, csrf, typed, remembered, fault: null }),
  )
}

const contextOf = (desk: Desk, tongue: Tongue): PageContext => ({
  tongue,
  rules: desk.server.rules,
  chains: desk.chains,
})

const rememberedIn = (desk: Desk, request: Request, signIn: SignIn) =>
  desk.server.consent.rememberedWallet(signIn, desk.cookies.wallet(request.headers, signIn.clientId)) ?? null

function gone(desk: Desk, reply: FastifyReply, tongue: Tongue): FastifyReply {
  const say = words[tongue]
  return sendPage(reply, desk.isSecure, 404, noticePage(tongue, say.goneTitle, say.goneHint))
}

async function ownSignIn(
  desk: Desk,
  request: Request,
): Promise<{ readonly signIn: SignIn; readonly csrf: string } | null> {
  const csrf = desk.cookies.csrf(request.headers)
  const signIn = csrf === undefined ? null : await desk.server.consent.read(request.params.rid, csrf)
  return signIn === null || csrf === undefined ? null : { signIn, csrf }
}

/** A form of this page, from this page: what other sites send carries neither the cookie nor the field. */
function isOwnForm({ server }: Desk, request: Request, form: URLSearchParams, csrf: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // A page without a referrer sends null as its origin.
  if (origin !== undefined && origin !== 'null' && origin !== new URL(server.places.issuer).origin) return false
  return form.get('csrf') === csrf
}

async function act(desk: Desk, request: Request, reply: FastifyReply, address: string): Promise<FastifyReply> {
  const form = new URLSearchParams(readForm(request))
  const tongue = tongueFor(request, form.get('lang'))
  const own = await ownSignIn(desk, request)
  if (own === null || !isOwnForm(desk, request, form, own.csrf)) return gone(desk, reply, tongue)
  const { signIn } = own
  const page = `/oauth/consent/${signIn.rid}?lang=${tongue}`
  const action = form.get('action')
  if (action === 'order') return order(desk, reply, { ...own, tongue, form, address })
  if (signIn.outcome.kind !== 'open') return redirectTo(reply, page)
  if (action === 'sign') return sign(desk, reply, { ...own, tongue, form, address })
  if (action === 'linked') return signLinked(desk, reply, { ...own, tongue, form, address })
  const typed = typedIn(form)
  if (action === 'deny' || (typed.scopes.length === 0 && !typed.approves)) {
    await desk.server.consent.deny(signIn)
    return redirectTo(reply, page)
  }
  const chosen = choiceOf(desk, typed)
  if ('fault' in chosen) {
    const { fault } = chosen
    const remembered = rememberedIn(desk, request, signIn)
    const text = choicePage(contextOf(desk, tongue), { ...own, typed, remembered, fault })
    return sendPage(reply, desk.isSecure, 422, text)
  }
  const cookie = desk.cookies.wallet(request.headers, signIn.clientId)
  if (await desk.server.consent.allowRemembered(signIn, chosen, cookie)) return redirectTo(reply, page)
  const offer = desk.server.consent.offer(signIn, chosen)
  return showOffer(desk, reply, { ...own, tongue, account: chosen.address, ...offer, fault: null })
}

function typedIn(form: URLSearchParams): Typed {
  return {
    address: form.get('address')?.trim().slice(0, 100) ?? '',
    chainId: form.get('chain') ?? '',
    scopes: form.getAll('scope').slice(0, 20),
    approves: form.get('approve') === 'yes',
    usd: form.get('usd')?.slice(0, 20) ?? '',
    count: form.get('count')?.slice(0, 20) ?? '',
  }
}

function choiceOf({ server, chains }: Desk, typed: Typed): Choice | { readonly fault: PageFault } {
  const chain = chains.find(({ chainId }) => String(chainId) === typed.chainId)
  if (!isAddress(typed.address) || chain === undefined) return { fault: 'address' }
  let limits: ApprovalLimits | null = null
  if (typed.approves) {
    const read = readLimits(typed.usd, typed.count)
    if ('fault' in read) return read
    limits = read
  }
  const { basic, approve } = server.rules
  return {
    address: lowerAddress(typed.address),
    chainId: chain.chainId,
    scopes: [...typed.scopes.filter((scope) => basic.includes(scope)), ...(limits === null ? [] : [approve])],
    limits,
  }
}

type Signing = {
  readonly signIn: SignIn
  readonly csrf: string
  readonly tongue: Tongue
}

async function sign(
  desk: Desk,
  reply: FastifyReply,
  given: Signing & { readonly form: URLSearchParams; readonly address: string },
): Promise<FastifyReply> {
  const { signIn, tongue, form, address } = given
  const { consent } = desk.server
  const token = form.get('delivery_token') ?? ''
  const fault = await consent.deliver(signIn.rid, token, (form.get('signature') ?? '').trim(), address)
  const offer = fault === 'signature_mismatch' ? consent.offerAgain(signIn, token) : undefined
  if (offer === undefined) return redirectTo(reply, `/oauth/consent/${signIn.rid}?lang=${tongue}`)
  const account = offer.choice.address
  return showOffer(desk, reply, { ...given, ...offer, account, fault: 'signature_mismatch' })
}

/** The external signer of the wallet signs the text, once its owner approved it there (spec §5, OAuth 12). */
async function signLinked(
  desk: Desk,
  reply: FastifyReply,
  given: Signing & { readonly form: URLSearchParams; readonly address: string },
): Promise<FastifyReply> {
  const { signIn, form, address } = given
  const { consent } = desk.server
  const offer = consent.offerAgain(signIn, form.get('delivery_token') ?? '')
  const page = `/oauth/consent/${signIn.rid}?lang=${given.tongue}`
  if (desk.linked === null || offer === undefined) return redirectTo(reply, page)
  const wallet = offer.choice.address
  desk.limits.demandLinked(address, wallet, desk.now())
  const answer = await desk.linked.sign({ wallet, message: offer.message, deliveryToken: offer.deliveryToken })
  if (answer.status === 'signed') {
    const fault = await consent.deliver(signIn.rid, offer.deliveryToken, answer.signature, address)
    if (fault !== 'signature_mismatch') {
      if (fault === null) await answer.keep()
      return redirectTo(reply, page)
    }
  }
  const linked: LinkedNotice =
    answer.status === 'pending'
      ? { state: 'pending', approvalUrl: answer.approvalUrl }
      : { state: 'unavailable', approvalUrl: null }
  return showOffer(desk, reply, { ...given, ...offer, account: wallet, fault: null, linked })
}

function showOffer(
  desk: Desk,
  reply: FastifyReply,
  {
    tongue,
    signIn,
    csrf,
    account,
    message,
    deliveryToken,
    fault,
    linked = { state: 'offered', approvalUrl: null },
  }: Signing & {
    readonly linked?: LinkedNotice
    readonly account: string
    readonly message: string
    readonly deliveryToken: string
    readonly fault: PageFault | null
  },
): FastifyReply {
  const { issuer } = desk.server.places
  const shown = desk.linked === null ? null : linked
  const text = signingPage(tongue, { signIn, csrf, account, message, deliveryToken, issuer, linked: shown, fault })
  return sendPage(reply, desk.isSecure, fault === null ? 200 : 422, text)
}

/** Where approvals were allowed, the order by which they move money is signed before the browser goes on. */
async function showDecided(
  desk: Desk,
  reply: FastifyReply,
  { signIn, csrf, tongue, fault }: Signing & { readonly fault: PageFault | null },
): Promise<FastifyReply> {
  const document = desk.orders.offer(signIn)
  const text =
    document === null || signIn.outcome.kind !== 'allowed' || (await desk.orders.isKept(signIn))
      ? decidedPage(tongue, signIn)
      : orderPage(tongue, {
          signIn,
          csrf,
          account: signIn.outcome.address,
          document,
          deliveryToken: desk.server.consent.orderToken(signIn),
          issuer: desk.server.places.issuer,
          fault,
        })
  return sendPage(reply, desk.isSecure, fault === null ? 200 : 422, text)
}

async function order(
  desk: Desk,
  reply: FastifyReply,
  given: Signing & { readonly form: URLSearchParams; readonly address: string },
): Promise<FastifyReply> {
  const { signIn, tongue, form, address } = given
  const isUnsigned =
    desk.orders.offer(signIn) !== null &&
    !(await desk.orders.deliver(signIn, (form.get('signature') ?? '').trim(), address))
  if (isUnsigned) return showDecided(desk, reply, { ...given, fault: 'signature_mismatch' })
  return redirectTo(reply, `/oauth/consent/${signIn.rid}?lang=${tongue}`)
}

/** The link at the end: it leads to the client, with the code or with what was not allowed. */
async function finish(desk: Desk, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const tongue = tongueFor(request)
  const site = request.headers['sec-fetch-site']
  const own = await ownSignIn(desk, request)
  if (own === null || (site !== undefined && site !== 'same-origin' && site !== 'none'))
    return gone(desk, reply, tongue)
  const done = await desk.server.consent.finish(own.signIn)
  if (done === null) return redirectTo(reply, `/oauth/consent/${own.signIn.rid}?lang=${tongue}`)
  if (done.remember !== null) reply.header('set-cookie', desk.cookies.setWallet(own.signIn.clientId, done.remember))
  return redirectTo(reply, done.location)
}
