import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestDatabase } from '@ergon/dev-env/testing'
import { startEmbeddedLedger, startRpcFront, localMint, type EmbeddedLedger } from '@ergon/solana-ledger'
import {
  associatedTokenAccount,
  encodeTransaction,
  signTransaction,
  unsignedTransaction,
  type Instruction,
} from '@ergon/channels'
import { Pool } from 'pg'
import { createGateway, decideConfig, readSecrets } from '../src/index.ts'
import {
  buyerOf,
  challengesOf,
  credential,
  opening,
  proof,
  voucher,
  type ForeignBuyer,
  type ForeignChallenge,
} from './foreign-client.ts'

export const price = 2_500n
export const seller = buyerOf(new Uint8Array(32).fill(61))

/** One ledger for the tests of a file, with the clock of its readers. */
export type Chain = AsyncDisposable & {
  readonly embedded: EmbeddedLedger
  readonly rpcUrl: string
  readonly now: () => number
  skip(ms: number): Promise<void>
  tokens(owner: string): Promise<bigint>
}

export async function startChain(): Promise<Chain> {
  const embedded = await startEmbeddedLedger()
  const front = await startRpcFront(embedded.machine)
  let skippedMs = 0
  return {
    embedded,
    rpcUrl: front.url,
    now: () => Date.now() + skippedMs,
    async skip(ms) {
      skippedMs += ms
      await embedded.skip(ms)
    },
    async tokens(owner) {
      const account = await embedded.ledger.account(associatedTokenAccount(owner, localMint))
      return account === null ? 0n : Buffer.from(account.data).readBigUInt64LE(64)
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]()
      await embedded[Symbol.asyncDispose]()
    },
  }
}

export type Upstream = AsyncDisposable & { readonly url: string; readonly asked: IncomingMessage[] }

/** A seller's service, as it answers when nothing else is said. */
export async function startUpstream(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    response.setHeader('x-weather', 'sunny')
    response.end(`weather at ${request.url ?? ''}`)
  },
): Promise<Upstream> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Stage = AsyncDisposable & {
  readonly url: string
  readonly databaseUrl: string
  readonly env: Readonly<Record<string, string>>
  readonly pool: Pool
}

/** A gateway that sells one endpoint, `/weather`. */
export async function startStage(
  chain: Chain,
  upstreamUrl: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await createTestDatabase())
  const env = {
    DATABASE_URL: database.url,
    GATEWAY_ENDPOINTS: `/weather ${upstreamUrl}/v1 ${price} ${seller.address}`,
    GATEWAY_RPC: chain.rpcUrl,
    GATEWAY_PORT: '0',
    // Every caller of a test has one address.
    GATEWAY_RATES: '1000/1000/1000/1000',
    GATEWAY_CHANNELS: '4/1000/1000',
    GATEWAY_LOG_LEVEL: process.env['GATEWAY_LOG'] ?? 'silent',
    ...changed,
  }
  const config = decideConfig(env)
  const gateway = resources.use(await createGateway(config, readSecrets(env, config), { now: chain.now }))
  const pool = new Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined)
  resources.defer(() => pool.end())
  const url = await gateway.listen()
  const owned = resources.move()
  return { url, databaseUrl: database.url, env, pool, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

let salts = 0n

/** A buyer with an open channel, as the scheme alone tells one to be. */
export type Session = {
  readonly buyer: ForeignBuyer
  readonly channelId: string
  readonly challenge: ForeignChallenge
  /** Pays for one call: by the proof, or with the voucher for `cumulative`. */
  pay(path: string, how?: PayOptions): Promise<Response>
  act(payload: Parameters<typeof credential>[1], path?: string): Promise<Response>
  /** What the gateway's books say. */
  books(): Promise<Readonly<Record<string, string | null>>>
}

export type PayOptions = RequestInit & {
  readonly cumulative?: bigint
  readonly key?: string
  readonly expiresAt?: number
}

export async function fundedBuyer(chain: Chain, tokens = 10_000_000n): Promise<ForeignBuyer> {
  const buyer = buyerOf(randomBytes(32))
  await chain.embedded.fund(buyer.address, { tokens })
  return buyer
}

export async function challengeAt(url: string, mode: 'operator' | 'client'): Promise<ForeignChallenge> {
  const challenge = challengesOf(await fetch(`${url}/weather`)).get(mode)
  if (challenge === undefined) throw new Error(`no challenge whose vouchers the ${mode} signs`)
  return challenge
}

export async function startSession(
  chain: Chain,
  stage: Pick<Stage, 'url'>,
  mode: 'operator' | 'client',
  deposit = 1_000_000n,
): Promise<Session> {
  const buyer = await fundedBuyer(chain)
  const challenge = await challengeAt(stage.url, mode)
  salts += 1n
  const terms = { deposit, salt: salts, challengeId: challenge.echo['id'] ?? '' }
  const { channelId, payload } = await opening(buyer, challenge, terms)
  const authorization = credential(challenge.echo, payload)
  const opened = await fetch(`${stage.url}/weather`, { headers: { authorization } })
  if (opened.status !== 200) throw new Error(`not opened: ${opened.status} ${await opened.text()}`)
  const session: Session = {
    buyer,
    channelId,
    challenge,
    pay(path, { cumulative, key, expiresAt, ...init } = {}) {
      const payload =
        cumulative === undefined
          ? { action: 'use', channelId, authentication: proof(buyer, channelId, terms.challengeId) }
          : voucher(buyer, channelId, cumulative, expiresAt)
      const headers = {
        ...(init.headers as Record<string, string> | undefined),
        authorization: credential(challenge.echo, payload),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      return fetch(`${stage.url}${path}`, { ...init, headers })
    },
    act: (payload, path = '/weather') =>
      fetch(`${stage.url}${path}`, { headers: { authorization: credential(challenge.echo, payload) } }),
    books: async () => {
      const response = await fetch(`${stage.url}/__402/channels/${channelId}`)
      return (await response.json()) as Record<string, string | null>
    },
  }
  return session
}

/** Asks until it is so. */
export async function until(isSo: () => Promise<boolean>, limitMs = 30_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not come to be so')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Sends a transaction that the buyer pays for itself. */
export async function sendAs(chain: Chain, buyer: ForeignBuyer, instructions: readonly Instruction[]): Promise<void> {
  const { blockhash } = await chain.embedded.ledger.blockhash()
  const unsigned = unsignedTransaction(buyer.address, blockhash, instructions)
  await chain.embedded.ledger.send(encodeTransaction(signTransaction(unsigned, new Map([seedOf(buyer)]))))
}

export function seedOf({ key, address }: ForeignBuyer): readonly [string, Uint8Array] {
  const jwk = key.export({ format: 'jwk' })
  return [address, new Uint8Array(Buffer.from(jwk.d ?? '', 'base64url'))]
}
