import { basicScopes, type OAuthScope } from '@ergon/contract'
import type { BearerGrant, BearerGrants } from '../../src/dispatch/bearer-grants.ts'
import { send, type Reply } from '../dispatch/send.ts'
import { authority } from '../dispatch/tiny-service.ts'

/** Delegated tokens without an authorization server: opaque, each with the resource it is for. */
export type Tokens = {
  readonly grants: BearerGrants
  issue(wallet: string, change?: Partial<BearerGrant> & { readonly resource?: string }): string
  revoke(token: string): void
  /** Nobody can be asked about tokens while it is so. */
  away(isAway: boolean): void
}

export function createTokens(resource = `http://${authority}/mcp`): Tokens {
  const issued = new Map<string, BearerGrant & { readonly resource: string }>()
  let isAway = false
  return {
    grants: {
      grantOf: (token, asked) => {
        if (isAway) return Promise.reject(new Error('no line'))
        const found = issued.get(token)
        return Promise.resolve(found?.resource === asked ? found : undefined)
      },
    },
    issue(wallet, change = {}) {
      const name = `token-${String(issued.size + 1)}-${wallet.slice(2, 8)}`
      issued.set(name, {
        grantId: `grant-${String(issued.size + 1)}-${wallet}`,
        clientId: 'https://tool.test/client.json',
        wallet: wallet.toLowerCase() as `0x${string}`, // an address
        account: `eip155:31337:${wallet.toLowerCase()}`,
        scopes: new Set<OAuthScope>(basicScopes),
        approval: null,
        expiresAt: new Date(Date.now() + 900_000),
        resource,
        ...change,
      })
      return name
    },
    revoke(token) {
      issued.delete(token)
    },
    away(is) {
      isAway = is
    },
  }
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export type Asked = { readonly method: string; readonly params?: Readonly<Record<string, unknown>> }

/** The body and the headers of one message, unsigned and without a token. */
export function messageOf({ method, params = {} }: Asked): {
  readonly text: string
  readonly headers: Record<string, string>
} {
  const name = params['name'] ?? params['uri']
  return {
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  }
}

/** One message to the tool endpoint with a token, or with none. */
export async function ask(
  url: string,
  token: string | null,
  asked: Asked,
  headers: Record<string, string | string[]> = {},
): Promise<Reply> {
  const message = messageOf(asked)
  return send(
    url,
    'POST',
    '/mcp',
    {
      host: authority,
      ...message.headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    message.text,
  )
}

export const toolCall = (name: string, args: Readonly<Record<string, unknown>> = {}): Asked => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

/** What a tool answered, as its operation would: a result has no status, so an error's own name says which it was. */
export function unwrapped(reply: Reply): Reply {
  const result = reply.body['result'] as { readonly structuredContent?: Reply['body'] } | undefined
  const body = result?.structuredContent
  if (body === undefined) return reply
  return { ...reply, body, status: body['error'] === 'Forbidden' ? 403 : reply.status }
}
