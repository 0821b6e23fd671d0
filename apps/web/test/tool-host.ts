import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client'

export type Structured = Readonly<Record<string, unknown>>

/** A tool host on this machine: the public client as it is published, which opens pages and hears what comes back. */
export type ToolHost = AsyncDisposable & {
  /** Calls a tool; a person is sent to each page that has to be signed first. */
  readonly call: (tool: string, given: Structured) => Promise<Structured>
  /** Whether a call needs that a person allows it anew. */
  readonly isShutOut: (tool: string, given: Structured) => Promise<boolean>
}

/** `visit` is the person, who is shown a page and comes back from it by the address that the host listens at. */
export async function startToolHost(url: string, visit: (page: string) => Promise<void>): Promise<ToolHost> {
  const came: URL[] = []
  const listener = createServer((request, answer) => {
    came.push(new URL(request.url ?? '/', 'http://127.0.0.1'))
    answer.end('You can close this page.')
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  // It listens on a port.
  const memory = createMemory(`http://127.0.0.1:${String((listener.address() as AddressInfo).port)}/callback`)
  let open: Client | undefined
  const connected = async (): Promise<Client> => {
    if (open !== undefined) return open
    const client = new Client({ name: 'Tool host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: memory }))
    return (open = client)
  }
  const ask = async (tool: string, given: Structured): Promise<Structured> => {
    const answer = await (await connected()).callTool({ name: tool, arguments: { ...given } })
    if (answer.isError === true) throw new Error(JSON.stringify(answer.content))
    return answer.structuredContent as Structured // the tools here answer with objects
  }
  const signIn = async (): Promise<void> => {
    await visit(memory.shown())
    const back = came.findLast(({ searchParams }) => searchParams.has('code'))
    if (back === undefined) throw new Error('nobody came back with a code')
    came.length = 0
    const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: memory })
    await transport.finishAuth(back.searchParams)
    await open?.close()
    open = undefined
  }
  return {
    async call(tool, given) {
      try {
        return await ask(tool, given)
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
        await signIn()
        return ask(tool, given)
      }
    },
    isShutOut: (tool, given) =>
      ask(tool, given).then(
        () => false,
        (error: unknown) => error instanceof UnauthorizedError,
      ),
    async [Symbol.asyncDispose]() {
      await open?.close()
      listener.close()
      listener.closeAllConnections()
    },
  }
}

type Tokens = {
  access_token: string
  token_type: string
  expires_in?: number
  scope?: string
  refresh_token?: string
}

/** What a host keeps of one server, as the client asks for it. */
function createMemory(redirectUrl: string) {
  let client: { client_id: string } | undefined
  let tokens: Tokens | undefined
  let verifier = ''
  let page: URL | undefined
  let discovered: OAuthDiscoveryState | undefined
  return {
    redirectUrl,
    clientMetadata: { client_name: 'Tool host', redirect_uris: [redirectUrl] },
    clientInformation: () => client,
    saveClientInformation: (given: { client_id: string }) => {
      client = given
    },
    tokens: () => tokens,
    saveTokens: (given: Tokens) => {
      tokens = given
    },
    redirectToAuthorization: (to: URL) => {
      page = to
    },
    saveCodeVerifier: (given: string) => {
      verifier = given
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (given: OAuthDiscoveryState) => {
      discovered = given
    },
    discoveryState: () => discovered,
    invalidateCredentials: (what: string) => {
      if (what === 'all' || what === 'tokens') tokens = undefined
    },
    shown(): string {
      if (page === undefined) throw new Error('the host opened no page')
      return page.href
    },
  }
}
