import { createAccessTokens } from './access-token.ts'
import { judgeAuthorize, type Asked } from './authorize.ts'
import { createClients, type Clients } from './clients.ts'
import { createConsent, type Consent } from './consent.ts'
import { createLiveTokens, type LiveTokens } from './live-tokens.ts'
import { authorizationServerMetadata, hostResourceMetadata, toolResourceMetadata } from './metadata.ts'
import type { Clock, DocumentFetcher, OAuthStore, RandomBytes, WalletProof } from './ports.ts'
import { audienceOf, type Places } from './resource.ts'
import type { ScopeRules } from './scope-rules.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'
import { createTokenEndpoint, type TokenEndpoint } from './token-endpoint.ts'

type Document = Readonly<Record<string, unknown>>

/** The authorization server, for a transport to serve. */
export type AuthorizationServer = {
  readonly places: Places
  readonly rules: ScopeRules
  readonly metadata: { readonly server: Document; readonly toolResource: Document; readonly hostResource: Document }
  readonly clients: Pick<Clients, 'register' | 'registration'>
  /** Judges the query of a request for authorization. @throws OAuthError for a page of our own, never a redirect */
  authorize(query: string): Promise<Asked>
  readonly consent: Consent
  readonly tokens: TokenEndpoint
  /** For the gate of the tools. */
  readonly live: LiveTokens
  readonly keys: Pick<SigningKeys, 'jwks'>
}

export type AuthorizationServerDeps = {
  readonly places: Places
  readonly rules: ScopeRules
  readonly store: OAuthStore
  readonly wallets: WalletProof
  readonly documents: DocumentFetcher
  /** Keys of thirty-two bytes, each for one purpose alone. */
  readonly secrets: { readonly signing: Uint8Array; readonly capability: Uint8Array }
  /** Unguessable ids; of letters, digits, dashes and underscores. */
  readonly nextId: () => string
  readonly randomBytes: RandomBytes
  readonly now: Clock
  readonly elapsedMs: () => number
}

/** OAuth 2.1 for public clients, where the person is a wallet (spec §5, OAuth). */
export function createAuthorizationServer(deps: AuthorizationServerDeps): AuthorizationServer {
  const { places, rules, store, wallets, documents, secrets, nextId, randomBytes, now, elapsedMs } = deps
  const keys = createSigningKeys({ root: secrets.signing, store, now })
  const tokens = createAccessTokens({ issuer: places.issuer, rules, keys, nextId, now })
  const clients = createClients({ store, documents, issuer: places.issuer, nextId, now })
  return {
    places,
    rules,
    metadata: {
      server: authorizationServerMetadata(places, rules),
      toolResource: toolResourceMetadata(places, rules),
      hostResource: hostResourceMetadata(places, rules),
    },
    clients,
    authorize: (query) => judgeAuthorize({ places, rules, findClient: (id) => clients.find(id) }, query),
    consent: createConsent({ store, wallets, rules, places, key: secrets.capability, randomBytes, now }),
    tokens: createTokenEndpoint({ store, tokens, rules, places, audience: audienceOf(places), randomBytes, now }),
    live: createLiveTokens({ tokens, store, now, elapsedMs }),
    keys,
  }
}
