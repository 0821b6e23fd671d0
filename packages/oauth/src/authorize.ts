import { readFields, required, singleFields, type Fields } from './fields.ts'
import { OAuthError, type OAuthErrorCode } from './oauth-error.ts'
import type { Client } from './ports.ts'
import { isOwnRedirect } from './redirects.ts'
import { readResource, type Places } from './resource.ts'
import { readScope, type ScopeRules } from './scope-rules.ts'

/** What a client asked, with everything in it found good. */
export type AuthorizeRequest = {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | null
  readonly scopes: readonly string[]
  readonly resource: string
  readonly challenge: string
}

export type Asked =
  | { readonly kind: 'good'; readonly request: AuthorizeRequest }
  /** Client and redirect are good, so the client is told. */
  | { readonly kind: 'redirect'; readonly location: string }

export type AuthorizeDeps = {
  readonly places: Places
  readonly rules: ScopeRules
  /** @throws OAuthError invalid_client */
  readonly findClient: (id: string) => Promise<Client>
}

const mostStateChars = 2_048

/**
 * Judges a request for authorization. Until the client and where it is answered are known to be good, nothing is
 * redirected: a fault is thrown, for a page of our own.
 * @throws OAuthError
 */
export async function judgeAuthorize(deps: AuthorizeDeps, query: string): Promise<Asked> {
  const all = readFields(query)
  const client = await deps.findClient(required(one(all, 'client_id'), 'client_id'))
  const redirectUri = required(one(all, 'redirect_uri'), 'redirect_uri')
  if (!isOwnRedirect(redirectUri, client.redirectUris))
    throw new OAuthError(
      'invalid_request',
      'redirect_uri is none of the client: it must be the same in every character',
    )
  const states = all.get('state') ?? []
  const [state = null] = states.length === 1 && (states[0]?.length ?? 0) <= mostStateChars ? states : []
  try {
    return { kind: 'good', request: { client, redirectUri, state, ...judgeRest(deps, all) } }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const location = errorRedirect(deps.places, { redirectUri, state }, error.code, error.message)
    return { kind: 'redirect', location }
  }
}

function one(all: ReadonlyMap<string, readonly string[]>, name: string): Fields {
  const values = all.get(name)
  return singleFields(values === undefined ? new Map() : new Map([[name, values]]))
}

function judgeRest(
  { places, rules }: AuthorizeDeps,
  all: ReadonlyMap<string, readonly string[]>,
): Pick<AuthorizeRequest, 'scopes' | 'resource' | 'challenge'> {
  if ((all.get('resource')?.length ?? 0) > 1) throw new OAuthError('invalid_target', 'a token here is for one resource')
  const fields = singleFields(all)
  if ((fields.get('state')?.length ?? 0) > mostStateChars)
    throw new OAuthError('invalid_request', `state is longer than ${String(mostStateChars)} characters`)
  if (fields.has('request')) throw new OAuthError('request_not_supported', 'request objects are not read here')
  if (fields.has('request_uri')) throw new OAuthError('request_uri_not_supported', 'request objects are not read here')
  if (required(fields, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  if ((fields.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query')
  if (required(fields, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256')
  const challenge = required(fields, 'code_challenge')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be 43 characters of base64url')
  return {
    scopes: readScope(fields.get('scope'), rules),
    resource: readResource(fields.get('resource'), places),
    challenge,
  }
}

type Answered = { readonly redirectUri: string; readonly state: string | null }

/** Where a client is told what went wrong (RFC 6749 §4.1.2.1, RFC 9207). */
export function errorRedirect(
  { issuer }: Places,
  answered: Answered,
  error: OAuthErrorCode,
  description: string,
): string {
  return redirectTo(answered, { error, error_description: description, iss: issuer })
}

/** Where a client is given its code. */
export function codeRedirect({ issuer }: Places, answered: Answered, code: string): string {
  return redirectTo(answered, { code, iss: issuer })
}

/** The redirect's own query stays as it is (RFC 6749 §3.1.2). */
function redirectTo({ redirectUri, state }: Answered, answer: Readonly<Record<string, string>>): string {
  const added = new URLSearchParams({ ...answer, ...(state === null ? {} : { state }) })
  return `${redirectUri}${redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'}${added.toString()}`
}
