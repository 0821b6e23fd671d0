import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { freePort } from '@ergon/dev-env'
import { signRequest, type Signer } from '@ergon/protocols'
import type { Env } from '../../src/index.ts'
import { authority } from '../dispatch/tiny-service.ts'
import { startLiveMarket, type LiveMarket } from '../http/live-market.ts'

/** A live market that goes by the address it listens on, so that clients which set no Host header reach it. */
export async function startLiveTools(env: Env = {}): Promise<LiveMarket> {
  const url = `http://127.0.0.1:${String(await freePort())}`
  return startLiveMarket({ SVC_PORT: new URL(url).port, SVC_BASE_URL: url, SVC_AUTHORITIES: authority, ...env })
}

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/** Signs every request with a wallet, as a client that is given a fetch of its own can. */
export function signingFetch(signer: Signer, change: { readonly nonce?: () => string } = {}): Fetch {
  return async (input, init = {}) => {
    const url = String(input)
    const method = init.method ?? 'GET'
    const headers = Object.fromEntries(new Headers(init.headers).entries())
    const body = typeof init.body === 'string' ? init.body : undefined
    const added = await signRequest(
      { method, url, headers, ...(body === undefined ? {} : { body }) },
      { signer, chainId: 31337, now: Date.now() / 1000, nonce: change.nonce?.() ?? randomUUID() },
    )
    return fetch(url, { ...init, headers: { ...headers, ...added } })
  }
}

export type Answer = {
  readonly isError?: boolean
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly content: readonly unknown[]
}

/** What the three clients have in common. */
export type AnyClient = AsyncDisposable & {
  readonly name: string
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Answer>
  tools(): Promise<readonly { readonly name: string }[]>
}

const about = { name: 'a test', version: '1' }

export async function modernClient(
  url: string,
  fetch: Fetch,
  query = '',
): Promise<AnyClient & { readonly client: Client }> {
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/${query}`, url), { fetch }))
  return { ...faceOf('client 2, 2026-07-28', client), client }
}

export async function legacyClient(url: string, fetch: Fetch): Promise<AnyClient & { readonly client: Client }> {
  const client = new Client(about)
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { fetch }))
  return { ...faceOf('client 2, 2025-11-25', client), client }
}

function faceOf(name: string, client: Client): AnyClient {
  return {
    name,
    // Tools here answer structured content.
    call: async (tool, args = {}) => (await client.callTool({ name: tool, arguments: { ...args } })) as Answer,
    tools: async () => (await client.listTools()).tools,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

export async function oldClient(url: string, fetch: Fetch): Promise<AnyClient> {
  const client = new OldClient(about)
  const transport = new OldTransport(new URL('/mcp/', url), { fetch })
  await client.connect(transport)
  return {
    name: 'client 1',
    // As above.
    call: async (tool, args = {}) => (await client.callTool({ name: tool, arguments: { ...args } })) as Answer,
    tools: async () => (await client.listTools()).tools,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The body of an answer that succeeded. */
export function body(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.isError === true || answer.structuredContent === undefined)
    throw new Error(`a tool refused: ${JSON.stringify(answer.content)}`)
  return answer.structuredContent
}
