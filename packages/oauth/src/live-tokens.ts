import type { AccessTokens, TokenClaims } from './access-token.ts'
import { digestOf } from './digests.ts'
import type { Clock, OAuthStore } from './ports.ts'

export type LiveTokens = {
  /** What a token carries, if it is good now for this resource: proven, in time, and its grant not revoked. */
  read(token: string, resource: string): Promise<TokenClaims | undefined>
}

export type LiveTokensDeps = {
  readonly tokens: Pick<AccessTokens, 'verify'>
  readonly store: Pick<OAuthStore, 'isLive'>
  readonly now: Clock
  /** Milliseconds that only go on, whatever becomes of the clock. */
  readonly elapsedMs: () => number
}

/** How long a grant is taken as live without asking: a revocation is seen everywhere within that (one second). */
const liveMs = 500
const most = { tokens: 20_000, grants: 20_000 }

type Seen = { readonly claims: TokenClaims; readonly resource: string }
type Asked = { readonly at: number; readonly isLive: Promise<boolean> }

/** A signature is checked once a token; whether its grant was revoked is asked once in half a second a grant. */
export function createLiveTokens({ tokens, store, now, elapsedMs }: LiveTokensDeps): LiveTokens {
  const seen = new Map<string, Seen>()
  const asked = new Map<string, Asked>()
  const claimsOf = async (token: string, resource: string): Promise<TokenClaims | undefined> => {
    const key = digestOf(token)
    const known = seen.get(key)
    if (known !== undefined && known.resource === resource) return known.claims
    const claims = await tokens.verify(token, resource)
    if (claims !== undefined) remember(seen, key, { claims, resource }, most.tokens)
    return claims
  }
  const isLive = (grantId: string): Promise<boolean> => {
    const known = asked.get(grantId)
    if (known !== undefined && elapsedMs() - known.at < liveMs) return known.isLive
    const fresh = { at: elapsedMs(), isLive: store.isLive(grantId, now()) }
    remember(asked, grantId, fresh, most.grants)
    // What could not be asked is asked again.
    fresh.isLive.catch(() => {
      if (asked.get(grantId) === fresh) asked.delete(grantId)
    })
    return fresh.isLive
  }
  return {
    async read(token, resource) {
      const claims = await claimsOf(token, resource)
      if (claims === undefined || claims.expiresAt <= now()) return undefined
      return (await isLive(claims.grantId)) ? claims : undefined
    },
  }
}

/** The one set longest ago goes first. */
function remember<V>(map: Map<string, V>, key: string, value: V, mostEntries: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.size > mostEntries ? map.keys().next() : undefined
  if (oldest?.done === false) map.delete(oldest.value)
}
