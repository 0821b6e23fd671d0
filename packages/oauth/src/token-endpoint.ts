import { digestOf, sameText, toBase64url } from './digests.ts'
import { readFields, required, singleFields, type Fields } from './fields.ts'
import { OAuthError } from './oauth-error.ts'
import type { AccessTokens } from './access-token.ts'
import type { Clock, Grant, OAuthStore, RandomBytes, RefreshToken } from './ports.ts'
import { readResource, type Places } from './resource.ts'
import { grantedScopes, readScope, renewableScopes, type ScopeRules } from './scope-rules.ts'

/** What a client is given (RFC 6749 §5.1). */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

export type TokenEndpoint = {
  /** Answers a form. @throws OAuthError */
  answer(form: string): Promise<TokenAnswer>
  /** Ends what a token belongs to; of an unknown one nothing is said (RFC 7009 §2.2). @throws OAuthError */
  revoke(form: string): Promise<void>
}

export type TokenDeps = {
  readonly store: Pick<OAuthStore, 'findCode' | 'redeem' | 'rotate' | 'findRefresh' | 'revoke'>
  readonly tokens: AccessTokens
  readonly rules: ScopeRules
  readonly places: Places
  readonly audience: string
  readonly randomBytes: RandomBytes
  readonly now: Clock
}

const refreshDays = 30
const dayMs = 86_400_000

export function createTokenEndpoint(deps: TokenDeps): TokenEndpoint {
  return {
    async answer(form) {
      const all = readFields(form)
      if ((all.get('resource')?.length ?? 0) > 1)
        throw new OAuthError('invalid_target', 'a token here is for one resource')
      const fields = singleFields(all)
      const type = required(fields, 'grant_type')
      readResource(fields.get('resource'), deps.places)
      if (type === 'authorization_code') return redeemCode(deps, fields)
      if (type === 'refresh_token') return refresh(deps, fields)
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token')
    },
    async revoke(form) {
      const fields = singleFields(readFields(form))
      const [token, clientId] = [required(fields, 'token'), required(fields, 'client_id')]
      const known = await deps.store.findRefresh(digestOf(token), deps.now())
      const owner = known ?? (await deps.tokens.verify(token, deps.audience))
      if (owner === undefined) return
      if (owner.clientId !== clientId) throw new OAuthError('invalid_grant', 'the token was issued to another client')
      await deps.store.revoke(owner.grantId, 'revoked_by_client', deps.now())
    },
  }
}

/**
 * The challenge is proven before the code is consumed, so that a guess burns nothing; a code that comes back was seen
 * by two, and takes along whatever it issued (spec §5, OAuth 5).
 */
async function redeemCode(deps: TokenDeps, fields: Fields): Promise<TokenAnswer> {
  const [code, verifier] = [required(fields, 'code'), required(fields, 'code_verifier')]
  const [clientId, redirectUri] = [required(fields, 'client_id'), required(fields, 'redirect_uri')]
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier))
    throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters')
  const codeHash = digestOf(code)
  const grant = await deps.store.findCode(codeHash)
  if (grant === null || grant.clientId !== clientId)
    throw new OAuthError('invalid_grant', 'the code is unknown or was issued to another client')
  if (grant.isUsed) return reused(deps, grant.id)
  if (grant.redirectUri !== redirectUri)
    throw new OAuthError('invalid_grant', 'redirect_uri is not the one that the code was sent to')
  if (!sameText(digestOf(verifier), grant.challenge))
    throw new OAuthError('invalid_grant', 'code_verifier does not fit the code_challenge')
  if (grant.isRevoked || grant.codeExpiresAt <= deps.now())
    throw new OAuthError('invalid_grant', 'the code is older than 60 seconds or its grant was revoked')
  const isRenewable = renewableScopes(grant.scopes, deps.rules).length > 0
  const next = isRenewable ? newRefresh(deps) : undefined
  if (!(await deps.store.redeem(codeHash, next?.kept ?? null, deps.now()))) return reused(deps, grant.id)
  return answerOf(deps, grant, grant.scopes, next?.token)
}

async function reused(deps: TokenDeps, grantId: string): Promise<never> {
  await deps.store.revoke(grantId, 'code_reused', deps.now())
  throw new OAuthError('invalid_grant', 'the code was used before: everything it issued is revoked, sign in again')
}

/** Whoever presents a rotated token, or loses the race for one, ends the family (spec §5, OAuth 6). */
async function refresh(deps: TokenDeps, fields: Fields): Promise<TokenAnswer> {
  const [token, clientId] = [required(fields, 'refresh_token'), required(fields, 'client_id')]
  const hash = digestOf(token)
  const asked = fields.get('scope')
  const wanted = asked === undefined ? undefined : await narrower(deps, hash, asked)
  const next = newRefresh(deps)
  const grant = await deps.store.rotate(hash, clientId, next.kept, deps.now())
  if (grant === null) return unrenewed(deps, hash, clientId)
  // What the grant is for has another name since: a token for the old one would be refused at every call.
  if (grant.resource !== deps.audience)
    throw new OAuthError('invalid_grant', `the resource here is ${deps.audience} now: sign in again`)
  return answerOf(deps, grant, wanted ?? renewableScopes(grant.scopes, deps.rules), next.token)
}

/**
 * What a refresh asks for, judged before the token is used up. Hosts repeat all they hold, so the scope that no refresh
 * renews is left out without a word, and the answer says what is carried. @throws OAuthError invalid_scope
 */
async function narrower(deps: TokenDeps, hash: string, asked: string): Promise<readonly string[] | undefined> {
  const wanted = readScope(asked, deps.rules)
  const known = await deps.store.findRefresh(hash, deps.now())
  if (known === null || known.isUsed) return undefined
  const scopes = renewableScopes(known.scopes, deps.rules).filter((scope) => wanted.includes(scope))
  if (scopes.length === 0 || wanted.some((scope) => !known.scopes.includes(scope)))
    throw new OAuthError(
      'invalid_scope',
      'a refresh asks for no more than was allowed: sign in again for another scope',
    )
  return scopes
}

async function unrenewed(deps: TokenDeps, hash: string, clientId: string): Promise<never> {
  const known = await deps.store.findRefresh(hash, deps.now())
  if (known === null || known.clientId !== clientId)
    throw new OAuthError('invalid_grant', 'the refresh token is unknown or was issued to another client')
  if (known.isSpent)
    throw new OAuthError('temporarily_unavailable', 'the grant was renewed too often today: keep a token for its hour')
  if (!known.isUsed)
    throw new OAuthError('invalid_grant', 'the refresh token has expired or its grant was revoked: sign in again')
  await deps.store.revoke(known.grantId, 'refresh_reused', deps.now())
  throw new OAuthError('invalid_grant', 'the refresh token was used before: its family is revoked, sign in again')
}

function newRefresh(deps: TokenDeps): { readonly token: string; readonly kept: RefreshToken } {
  const token = toBase64url(deps.randomBytes(32))
  const expiresAt = new Date(deps.now().getTime() + refreshDays * dayMs)
  return { token, kept: { hash: digestOf(token), expiresAt } }
}

async function answerOf(
  deps: TokenDeps,
  grant: Grant,
  scopes: readonly string[],
  refreshToken: string | undefined,
): Promise<TokenAnswer> {
  const carried = grantedScopes(scopes, deps.rules)
  const { token, expiresInSec } = await deps.tokens.issue(grant, carried)
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresInSec,
    scope: carried.join(' '),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  }
}
