import { randomBytes, randomUUID } from 'node:crypto'
import { basicScopes, oauthScopes, type OAuthScope } from '@ergon/contract'
import { createAuthorizationServer, type AuthorizationServer, type DocumentFetcher } from '@ergon/oauth'
import type { Hex } from '@ergon/protocols'
import type { PostgresOAuthStore } from './adapters/postgres/index.ts'
import type { Config } from './config/config.ts'
import { createGuardedClient, type GuardedClient } from './delivery/guarded-client.ts'
import type { Accounts } from './dispatch/accounts.ts'
import type { BearerGrants } from './dispatch/bearer-grants.ts'
import { proofOf, type WalletSignatureDeps } from './sessions/wallet-signature.ts'
import { keyFor } from './surroundings/key-for.ts'

type OAuthWiring = {
  readonly config: Pick<Config, 'baseUrl' | 'mcpUrl' | 'oauth'>
  readonly secret: string
  readonly store: PostgresOAuthStore
  /** Fetches from public addresses alone. */
  readonly client: Pick<GuardedClient, 'exchange'>
  readonly now: () => Date
}

export type OAuthLanes = WalletSignatureDeps & { readonly accounts: Pick<Accounts, 'check'> }

export type WiredOAuth = {
  readonly server: AuthorizationServer
  /** For the gate of the tools. */
  readonly grants: BearerGrants
}

/** Null where it is off. Metadata documents of clients come from public addresses alone, whatever webhooks may. */
export function openOAuth(
  given: Omit<OAuthWiring, 'client'> & { readonly parts: AsyncDisposableStack },
): ((lanes: OAuthLanes) => WiredOAuth) | null {
  if (!given.config.oauth) return null
  const client = given.parts.use(createGuardedClient({ allowLoopback: false }))
  return (lanes) => wireOAuth({ ...given, client }, lanes)
}

const scopeRules = { all: oauthScopes, basic: basicScopes, approve: 'agent:approve' } as const

/** Puts delegated access together; each key serves one purpose and all come from the deployment's secret. */
function wireOAuth({ config, secret, store, client, now }: OAuthWiring, lanes: OAuthLanes): WiredOAuth {
  const server = createAuthorizationServer({
    places: { issuer: config.baseUrl, toolHost: config.mcpUrl },
    rules: scopeRules,
    store,
    wallets: {
      async isSigned({ address, chainId, message, signature, from }) {
        if (!/^0x(?:[0-9a-fA-F]{2}){1,4096}$/.test(signature)) return false
        // Hex after 0x, as was just seen.
        const text = { account: { address, chainId }, message, signature: signature as Hex }
        const proof = await proofOf(lanes, text, from)
        if (proof === null) return false
        await lanes.accounts.check({ wallet: address, proof })
        return true
      },
    },
    documents: createDocumentFetcher(client),
    secrets: { signing: keyFor(secret, 'oauth signing keys'), capability: keyFor(secret, 'oauth capabilities') },
    nextId: () => randomUUID(),
    randomBytes: (length) => randomBytes(length),
    now,
    elapsedMs: () => performance.now(),
  })
  return { server, grants: createBearerGrants(server) }
}

function createDocumentFetcher(client: OAuthWiring['client']): DocumentFetcher {
  return {
    async fetch(url, { timeoutMs, maxBytes }) {
      const headers = { accept: 'application/json' }
      const answer = await client.exchange({ url, method: 'GET', headers, timeoutMs, maxBytes })
      return {
        status: answer.status,
        contentType: answer.headers['content-type'] ?? '',
        cacheControl: answer.headers['cache-control'] ?? '',
        body: answer.body,
        isCut: answer.isCut,
      }
    },
  }
}

function createBearerGrants({ live }: AuthorizationServer): BearerGrants {
  return {
    async grantOf(token, resource) {
      const claims = await live.read(token, resource)
      if (claims === undefined) return undefined
      const { grantId, clientId, address, account, scopes, limits, expiresAt } = claims
      const carried = new Set(scopes as readonly OAuthScope[]) // our own rules let no other word into a token
      return { grantId, clientId, wallet: address, account, scopes: carried, approval: limits, expiresAt }
    },
  }
}
