import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { hashMessage, hexToBytes, privateKeySigner, recoverAddress, type Hex } from '@ergon/protocols'
import {
  createAuthorizationServer,
  type AuthorizationServer,
  type Choice,
  type FetchedDocument,
  type OAuthStore,
} from '../src/index.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'

export const issuer = 'https://market.example'
export const audience = 'https://mcp.market.example/mcp'
export const rules = {
  all: [
    'task:read',
    'task:write',
    'task:cancel',
    'worker:apply',
    'agent:publish',
    'agent:approve',
    'worker:submit',
    'worker:withdraw',
    'reputation:rate',
  ],
  basic: ['task:read', 'task:write', 'task:cancel', 'worker:apply', 'agent:publish'],
  approve: 'agent:approve',
} as const

export const signer = privateKeySigner(`0x${'11'.repeat(32)}`)
export const other = privateKeySigner(`0x${'22'.repeat(32)}`)
export const redirectUri = 'https://tool.example/callback'
export const verifier = 'v'.repeat(43)
export const challenge = createHash('sha256').update(verifier).digest('base64url')

export type Bench = {
  readonly server: AuthorizationServer
  readonly store: MemoryStore
  /** Moves the clock. */
  advance(ms: number): void
  readonly now: () => Date
  readonly documents: Map<string, Partial<FetchedDocument>>
  readonly fetched: string[]
  /** A registered client. */
  client(fields?: Readonly<Record<string, unknown>>): Promise<string>
}

/** A server on a store in memory, whose clock the test moves; several of one store are several processes. */
export function createBench(
  given: { readonly store?: MemoryStore; readonly wrap?: (store: OAuthStore) => OAuthStore } = {},
): Bench {
  const store = given.store ?? createMemoryStore()
  let ahead = 0
  const start = Date.parse('2026-11-23T12:00:00.000Z')
  const now = (): Date => new Date(start + ahead)
  const documents = new Map<string, Partial<FetchedDocument>>()
  const fetched: string[] = []
  const server = createAuthorizationServer({
    places: { issuer, toolHost: 'https://mcp.market.example' },
    rules,
    store: given.wrap?.(store) ?? store,
    wallets: {
      isSigned: ({ address, message, signature }) =>
        Promise.resolve(
          /^0x[0-9a-f]{130}$/.test(signature) &&
            recoverAddress(hashMessage(message), hexToBytes(signature as Hex)) === address,
        ),
    },
    documents: {
      fetch: (url) => {
        fetched.push(url)
        const found = documents.get(url)
        if (found === undefined) return Promise.reject(new Error('not public'))
        return Promise.resolve({
          status: 200,
          contentType: 'application/json',
          cacheControl: '',
          body: '',
          isCut: false,
          ...found,
        })
      },
    },
    secrets: { signing: new Uint8Array(32).fill(1), capability: new Uint8Array(32).fill(2) },
    nextId: () => randomUUID(),
    randomBytes: (length) => randomBytes(length),
    now,
    elapsedMs: () => ahead,
  })
  return {
    server,
    store,
    now,
    advance(ms) {
      ahead += ms
    },
    documents,
    fetched,
    async client(fields = {}) {
      const answer = await server.clients.register(
        { client_name: 'Tool', redirect_uris: [redirectUri], ...fields },
        '192.0.2.1',
      )
      return String(answer['client_id'])
    },
  }
}

export function query(clientId: string, change: Readonly<Record<string, string | undefined>> = {}): string {
  const fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'the state',
    ...change,
  }
  return new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()
}

export const choice = (change: Partial<Choice> = {}): Choice => ({
  address: signer.address,
  chainId: 8453,
  scopes: rules.basic,
  limits: null,
  ...change,
})

export async function begun({ server }: Bench, clientId: string, change: Readonly<Record<string, string>> = {}) {
  const asked = await server.authorize(query(clientId, change))
  if (asked.kind !== 'good') throw new Error(asked.location)
  const { rid, csrf } = await server.consent.begin(asked.request)
  const read = async () => {
    const signIn = await server.consent.read(rid, csrf)
    if (signIn === null) throw new Error('the sign-in is gone')
    return signIn
  }
  return { rid, csrf, read }
}

/** A person signs, and the browser goes back to the client; answers the code. */
export async function consented(bench: Bench, clientId: string, chosen: Choice = choice()): Promise<string> {
  const { rid, read } = await begun(bench, clientId)
  const offer = bench.server.consent.offer(await read(), chosen)
  const fault = await bench.server.consent.deliver(
    rid,
    offer.deliveryToken,
    await signer.signMessage(offer.message),
    'here',
  )
  if (fault !== null) throw new Error(fault)
  const done = await bench.server.consent.finish(await read())
  return new URL(done?.location ?? '').searchParams.get('code') ?? ''
}

export const form = (fields: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()

export const codeForm = (clientId: string, code: string, change: Readonly<Record<string, string | undefined>> = {}) =>
  form({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    ...change,
  })

export const refreshForm = (
  clientId: string,
  token: string | undefined,
  change: Readonly<Record<string, string>> = {},
) => form({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...change })

/** A client with its first tokens. */
export async function signedIn(bench: Bench, chosen = choice()) {
  const clientId = await bench.client()
  const code = await consented(bench, clientId, chosen)
  const answer = await bench.server.tokens.answer(codeForm(clientId, code))
  return { clientId, code, answer, grantId: String(decodeJwt(answer.access_token)['gid']) }
}
