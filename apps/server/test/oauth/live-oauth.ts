import { freePort } from '@ergon/dev-env'
import type { TypedData } from '@ergon/protocols'
import { createHash, randomBytes } from 'node:crypto'
import { createApp, decideConfig, readEnv, readSecrets, type App, type Env, type Overrides } from '../../src/index.ts'
import type { Rig } from '../adapters/rig.ts'
import { envOf, startLiveMarket, type LiveMarket, type Party } from '../http/live-market.ts'

export type LiveOAuth = AsyncDisposable & { readonly market: LiveMarket; readonly issuer: string }

/** A service at the address it names as its issuer, with tool hosts let in. */
export async function startLiveOAuth(env: Env = {}, overrides: Overrides = {}, rig?: Rig): Promise<LiveOAuth> {
  const port = String(await freePort())
  const issuer = `http://127.0.0.1:${port}`
  const market = await startLiveMarket(
    { SVC_PORT: port, SVC_BASE_URL: issuer, SVC_MCP_URL: issuer, SVC_OAUTH: 'true', ...env },
    rig,
    overrides,
  )
  return { market, issuer, [Symbol.asyncDispose]: () => market[Symbol.asyncDispose]() }
}

/** A second process on the same database, as far as a test needs one. */
export async function startAnother(
  { market, issuer }: LiveOAuth,
  overrides: Overrides = {},
  env: Env = {},
): Promise<App & { readonly at: string }> {
  const given = { SVC_BASE_URL: issuer, SVC_MCP_URL: issuer, SVC_OAUTH: 'true', ...env }
  const raw = readEnv(envOf(market.rig, market.databaseUrl, given))
  const config = decideConfig(raw)
  const app = await createApp(config, readSecrets(raw, config), { ...overrides, unproven: true })
  return Object.assign(app, { at: await app.listen() })
}

export type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly error?: string
  readonly error_description?: string
}
export const tokensOf = async (answer: Response) => (await answer.json()) as Tokens // what the endpoint answers

/** A client of the issuer's that signs people in, by hand. */
export async function createHand(issuer: string, fields: Readonly<Record<string, unknown>> = {}) {
  const [clientId, verifier] = [await register(issuer, fields), newVerifier()]
  const authorizeUrl = (change: Readonly<Record<string, string>> = {}): string =>
    `${issuer}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
      state: 's',
      ...change,
    }).toString()}`
  const codeFields = (code: string) => ({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
  const refreshFields = (token: string) => ({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token })
  const codeOf = async (party: Person, { change = {}, at = issuer, ...given }: Choice = {}) =>
    (await consent(authorizeUrl(change).replace(issuer, at), party, given)).searchParams.get('code') ?? ''
  return {
    clientId,
    authorizeUrl,
    codeFields,
    refreshFields,
    codeOf,
    tokens: async (party: Person, choice: Choice = {}) =>
      tokensOf(await post(`${choice.at ?? issuer}/oauth/token`, codeFields(await codeOf(party, choice)))),
    revoke: (token: string) => post(`${issuer}/oauth/revoke`, { token, client_id: clientId }),
  }
}
type Person = Pick<Party, 'wallet' | 'signer'>
/** What a person allows, of what was asked, and at which process. */
type Choice = Parameters<typeof consent>[2] & {
  readonly change?: Readonly<Record<string, string>>
  readonly at?: string
}

export const redirectUri = 'https://tool.example/callback'
export const newVerifier = (): string => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

export async function register(issuer: string, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Tool', redirect_uris: [redirectUri], ...fields }),
  })
  const body = (await answer.json()) as { readonly client_id: string } // the answer of RFC 7591
  return body.client_id
}

export const post = (
  url: string,
  fields: Readonly<Record<string, string>> | readonly [string, string][],
  headers = {},
) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields as Record<string, string>).toString(),
  })

/** A browser without script: it keeps cookies, follows nothing by itself, and fills in forms. */
export type Visitor = {
  readonly cookies: Map<string, string>
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  submit(
    url: string,
    fields: readonly [string, string][],
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
}

export function createVisitor(): Visitor {
  const cookies = new Map<string, string>()
  const keep = (answer: Response): Response => {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }
  const cookie = () => ({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  return {
    cookies,
    get: async (url, headers = {}) =>
      keep(await fetch(url, { redirect: 'manual', headers: { ...cookie(), ...headers } })),
    submit: async (url, fields, headers = {}) => keep(await post(url, [...fields], { ...cookie(), ...headers })),
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
export const textOf = (markup: string): string =>
  markup.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '')

/** What a page holds between two marks. */
export function between(page: string, before: string, after: string): string {
  const from = page.indexOf(before)
  if (from < 0) throw new Error(`the page has no ${before}: ${page.slice(0, 2_000)}`)
  return textOf(page.slice(from + before.length, page.indexOf(after, from + before.length)))
}
export const fieldOf = (page: string, name: string): string => between(page, `name="${name}" value="`, '"')

export const basic = ['task:read', 'task:write', 'task:cancel', 'worker:apply', 'agent:publish']

export type Begun = { readonly page: string; readonly url: string; readonly csrf: string; readonly rid: string }

/** Opens the page that an address for authorization leads to. */
export async function open(visitor: Visitor, authorizeUrl: string): Promise<Begun> {
  const begun = await visitor.get(authorizeUrl)
  const location = begun.headers.get('location') ?? ''
  if (!location.startsWith('/oauth/consent/'))
    throw new Error(`${String(begun.status)} ${location} ${await begun.text()}`)
  const url = new URL(location, authorizeUrl)
  const page = await (await visitor.get(url.href)).text()
  const plain = `${url.origin}${url.pathname}`
  return { page, url: plain, csrf: fieldOf(page, 'csrf'), rid: url.pathname.split('/').at(-1) ?? '' }
}

/** Fills in the first page; answers the page with the text. */
export async function choose(
  visitor: Visitor,
  { url, csrf }: Begun,
  wallet: string,
  scopes: readonly string[] = basic,
  more: readonly [string, string][] = [],
): Promise<{ readonly text: string; readonly token: string; readonly page: string }> {
  const answer = await visitor.submit(url, [
    ['csrf', csrf],
    ['action', 'choose'],
    ['address', wallet],
    ['chain', '31337'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
    ...more,
  ])
  const page = await answer.text()
  return {
    page,
    text: between(page, 'role="region" aria-label="Sign this text">', '</pre>'),
    token: fieldOf(page, 'delivery_token'),
  }
}

/** A person who allows what is asked, by hand; answers where the browser is sent. */
export async function consent(
  authorizeUrl: string,
  party: Pick<Party, 'wallet' | 'signer'>,
  {
    scopes = basic,
    more = [],
    visitor = createVisitor(),
    signsOrder = true,
  }: {
    readonly scopes?: readonly string[]
    readonly more?: readonly [string, string][]
    readonly visitor?: Visitor
    readonly signsOrder?: boolean
  } = {},
): Promise<URL> {
  const begun = await open(visitor, authorizeUrl)
  const { text, token } = await choose(visitor, begun, party.wallet, scopes, more)
  const signed = await visitor.submit(begun.url, [
    ['csrf', begun.csrf],
    ['action', 'sign'],
    ['delivery_token', token],
    ['signature', await party.signer.signMessage(text)],
  ])
  if (signed.status !== 303) throw new Error(`${String(signed.status)} ${await signed.text()}`)
  if (signsOrder) await signOrder(visitor, begun, party)
  const done = await visitor.get(`${begun.url}/finish`)
  return new URL(done.headers.get('location') ?? '', authorizeUrl)
}

/** The typed data of the second signature; undefined where the page asks for none. */
export async function orderIn(visitor: Visitor, { url }: Begun): Promise<TypedData | undefined> {
  const page = await (await visitor.get(url)).text()
  const mark = 'role="region" aria-label="Sign the standing order">'
  if (!page.includes(mark)) return undefined
  const { types, ...rest } = JSON.parse(between(page, mark, '</pre>')) as TypedData // our own page
  const { EIP712Domain: _domain, ...own } = types
  return { ...rest, types: own }
}

export async function deliverOrder(visitor: Visitor, { url, csrf }: Begun, signature: string): Promise<Response> {
  return visitor.submit(url, [
    ['csrf', csrf],
    ['action', 'order'],
    ['signature', signature],
  ])
}

async function signOrder(visitor: Visitor, begun: Begun, { signer }: Pick<Party, 'signer'>): Promise<void> {
  const document = await orderIn(visitor, begun)
  if (document === undefined) return
  const signed = await deliverOrder(visitor, begun, await signer.signTypedData(document))
  if (signed.status !== 303) throw new Error(`${String(signed.status)} ${await signed.text()}`)
}
