import { randomBytes, randomUUID } from 'node:crypto'
import { basicScopes, oauthScopes } from '@ergon/contract'
import { accountProof, type AccountProof } from '@ergon/core'
import {
  createAuthorizationServer,
  createNotes,
  createOwnGrants,
  type AuthorizationServer,
  type DocumentFetcher,
  type Notes,
  type OwnGrants,
} from '@ergon/oauth'
import { bytesToHex, hashMessage, hexToBytes, privateKeySigner, type Signer } from '@ergon/protocols'
import type { ContractWallets } from './adapters/contract-wallets.ts'
import type { ServedNetworks } from './adapters/networks.ts'
import type { PostgresOAuthStore, StandingWarrants } from './adapters/postgres/index.ts'
import { createStandingOrders, keyText, spenderPurpose } from './adapters/signatures/standing-orders.ts'
import type { Config } from './config/config.ts'
import { createGuardedClient, type GuardedClient } from './delivery/guarded-client.ts'
import type { Accounts } from './dispatch/accounts.ts'
import { createBearerGrants, type BearerGrants, type GrantNotes } from './dispatch/bearer-grants.ts'
import { tooManyContracts } from './dispatch/limits.ts'
import { createConsentOrders, type ConsentOrders } from './sessions/consent-orders.ts'
import { proofOf, type SignedText, type WalletSignatureDeps } from './sessions/wallet-signature.ts'
import { createAskWallet, openSignature, type AskWallet } from './sessions/wrapped-signature.ts'
import type { ProcessLog } from '@ergon/process'
import { keyFor } from './surroundings/key-for.ts'

type OAuthWiring = {
  readonly config: Pick<Config, 'baseUrl' | 'mcpUrl' | 'oauth' | 'walletFactories'>
  readonly secret: string
  readonly store: PostgresOAuthStore
  readonly warrants: StandingWarrants
  readonly networks: ServedNetworks
  /** Wallets as their chain has them, for signatures in a wrapper. */
  readonly contracts: Pick<ContractWallets, 'ask' | 'askPutUp'>
  /** Fetches from public addresses alone. */
  readonly client: Pick<GuardedClient, 'exchange'>
  readonly now: () => Date
} & GrantNotes

export type OAuthLanes = WalletSignatureDeps & { readonly accounts: Pick<Accounts, 'acting'> }

export type WiredOAuth = {
  readonly server: AuthorizationServer
  /** For the gate of the tools. */
  readonly grants: BearerGrants
  /** For the owners of wallets. */
  readonly own: OwnGrants
  /** For the page of the consent. */
  readonly orders: ConsentOrders
}

/** Null where it is off. Metadata documents of clients come from public addresses alone, whatever webhooks may. */
export function openOAuth(
  given: Omit<OAuthWiring, 'client' | 'uses' | 'steps'> & {
    readonly parts: AsyncDisposableStack
    readonly log: Pick<ProcessLog, 'warn'>
  },
): ((lanes: OAuthLanes) => WiredOAuth) | null {
  const { config, parts, store, log, now } = given
  if (!config.oauth) return null
  const client = parts.use(createGuardedClient({ near: 'none' }))
  const notes = <T>(write: (items: readonly T[], at: Date) => Promise<void>): Notes<T> =>
    parts.use(
      createNotes<T>({
        write: (items) => write(items, now()),
        elapsedMs: () => performance.now(),
        onError: (error) => {
          log.warn({ err: error }, 'what a tool did could not be noted')
        },
      }),
    )
  const uses = notes<string>((ids, at) => store.noteUses(ids, at))
  const steps = notes<{ readonly grantId: string; readonly scope: string }>((missed, at) => store.noteSteps(missed, at))
  return (lanes) => wireOAuth({ ...given, client, uses, steps }, lanes)
}

const scopeRules = { all: oauthScopes, basic: basicScopes, approve: 'agent:approve' } as const

/** Puts delegated access together; each key serves one purpose and all come from the deployment's secret. */
function wireOAuth(given: OAuthWiring, lanes: OAuthLanes): WiredOAuth {
  const { config, secret, store, client, now, contracts } = given
  const { mayAskContract } = lanes
  const factories = new Set<string>(config.walletFactories)
  const askWallet = createAskWallet({ factories, contracts, mayAskContract })
  const server = createAuthorizationServer({
    places: { issuer: config.baseUrl, toolHost: config.mcpUrl },
    rules: scopeRules,
    store,
    wallets: {
      async isSigned({ address, chainId, message, signature, from }) {
        const opened = openSignature(signature)
        if (opened === null) return false
        const text = { account: { address, chainId }, message, signature: opened.signature }
        const { putUp } = opened
        const proof =
          putUp === null ? await proofOf(lanes, text, from) : await wrappedProof(askWallet, text, putUp, from)
        if (proof === null) return false
        // Noted before a token is there, for the gate takes an account as what is known of it.
        await lanes.accounts.acting({ wallet: address, proof }, () => Promise.resolve())
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
  const own = createOwnGrants({ store, now })
  return { server, grants: createBearerGrants(server, given), own, orders: wireOrders(given, lanes, askWallet) }
}

async function wrappedProof(
  ask: AskWallet,
  { account: { address, chainId }, message, signature }: SignedText,
  putUp: Parameters<AskWallet>[1],
  from: string,
): Promise<AccountProof | null> {
  const asked = { chainId, address, hash: hashMessage(message), signature: hexToBytes(signature) }
  return (await ask(asked, putUp, from)) === 'signed' ? accountProof(false, chainId) : null
}

/** A key without another role, the same in every process (decision 0124). */
export const spenderOf = (secret: string): Signer => privateKeySigner(keyText(keyFor(secret, spenderPurpose)))

function wireOrders(
  { secret, warrants, networks }: OAuthWiring,
  lanes: OAuthLanes,
  askWallet: AskWallet,
): ConsentOrders {
  const spender = spenderOf(secret)
  return createConsentOrders({
    warrants,
    networkOf(chainId) {
      const row = networks.withChainId(chainId)?.row
      // What a task is paid in that names no token.
      const token = 'USDC'
      return row?.escrow === undefined || row.tokens[token] === undefined ? undefined : { network: row.name, token }
    },
    orders: ({ nonce, from, putUp }) =>
      createStandingOrders({
        networks,
        spender,
        random32: () => nonce,
        async askContract(call) {
          if (putUp !== null) return askWallet(call, putUp, from)
          const { chainId, address, hash, signature } = call
          if (!lanes.mayAskContract(from, { chainId, address })) throw tooManyContracts()
          const asked = { chainId, address, hash: bytesToHex(hash), signature: bytesToHex(signature) }
          return (await lanes.contracts.isValidSignature(asked)) ? 'signed' : 'not-signed'
        },
      }),
  })
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
