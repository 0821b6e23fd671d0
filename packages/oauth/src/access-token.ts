import { caip10, parseCaip10, type Address } from '@ergon/protocols'
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { centsOf, usdOf } from './approval-limits.ts'
import type { ApprovalLimits, Clock, Grant } from './ports.ts'
import type { ScopeRules } from './scope-rules.ts'
import type { SigningKeys } from './signing-keys.ts'

/** Spec §8: an hour; 15 minutes with `agent:approve`. */
export const tokenSec = { plain: 3_600, approving: 900 } as const
const mostChars = 8_192
const typ = 'at+jwt'

export type IssuedToken = { readonly token: string; readonly expiresInSec: number }

/** What a token that is of ours, for this resource and in time was given for; its grant may be revoked since. */
export type TokenClaims = {
  readonly grantId: string
  readonly clientId: string
  readonly address: Address
  readonly account: string
  readonly scopes: readonly string[]
  readonly limits: ApprovalLimits | null
  readonly expiresAt: Date
}

export type AccessTokens = {
  issue(grant: Grant, scopes: readonly string[]): Promise<IssuedToken>
  verify(token: string, resource: string): Promise<TokenClaims | undefined>
}

export type AccessTokenDeps = {
  readonly issuer: string
  readonly rules: ScopeRules
  readonly keys: SigningKeys
  readonly nextId: () => string
  readonly now: Clock
}

/** Access tokens as RFC 9068 has them, signed ES256, with the grant in `gid`. */
export function createAccessTokens({ issuer, rules, keys, nextId, now }: AccessTokenDeps): AccessTokens {
  return {
    async issue(grant, scopes) {
      const approving = scopes.includes(rules.approve) && grant.limits !== null
      const expiresInSec = approving ? tokenSec.approving : tokenSec.plain
      const { kid, key } = await keys.current()
      const at = Math.floor(now().getTime() / 1_000)
      const token = await new SignJWT({
        client_id: grant.clientId,
        scope: scopes.join(' '),
        gid: grant.id,
        ...(approving && grant.limits !== null
          ? { approve_max_usd: usdOf(grant.limits.maxCents), approve_max_count: grant.limits.maxCount }
          : {}),
      })
        .setProtectedHeader({ alg: 'ES256', typ, kid })
        .setIssuer(issuer)
        .setSubject(caip10(grant.chainId, grant.address))
        .setAudience(grant.resource)
        .setJti(nextId())
        .setIssuedAt(at)
        .setExpirationTime(at + expiresInSec)
        .sign(key)
      return { token, expiresInSec }
    },
    async verify(token, resource) {
      if (token.length > mostChars) return undefined
      const kid = kidOf(token)
      const key = kid === undefined ? undefined : await keys.byKid(kid)
      if (key === undefined) return undefined
      try {
        const { payload } = await jwtVerify(token, key, {
          issuer,
          audience: resource,
          typ,
          algorithms: ['ES256'],
          currentDate: now(),
          requiredClaims: ['sub', 'exp', 'gid', 'client_id', 'scope'],
        })
        return claimsOf(payload)
      } catch {
        // Forged, over, or for another audience: from outside these are one.
        return undefined
      }
    },
  }
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

type Payload = Awaited<ReturnType<typeof jwtVerify>>['payload']

function claimsOf(payload: Payload): TokenClaims {
  const account = String(payload.sub)
  const usd = payload['approve_max_usd']
  return {
    grantId: String(payload['gid']),
    clientId: String(payload['client_id']),
    // Ours, so an EVM account.
    address: parseCaip10(account).address as Address,
    account,
    scopes: String(payload['scope']).split(' '),
    limits: typeof usd === 'string' ? { maxCents: centsOf(usd), maxCount: Number(payload['approve_max_count']) } : null,
    expiresAt: new Date((payload.exp ?? 0) * 1_000),
  }
}
