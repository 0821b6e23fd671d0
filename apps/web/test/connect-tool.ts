import { createHash, randomBytes } from 'node:crypto'
import type { APIRequestContext, APIResponse } from 'playwright-core'
import type { Signer } from '@ergon/sdk'

const redirectUri = 'https://tool.example/callback'
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export type ConnectedTool = {
  /** The status of a call that reads the fees. */
  readonly call: () => Promise<number>
}

/** A tool that signs in for a wallet over HTTP, as a browser without script does it (spec §5, OAuth). */
export async function connectTool(
  http: APIRequestContext,
  url: string,
  { address, signMessage }: Pick<Signer, 'address' | 'signMessage'>,
  { name, limits }: { readonly name: string; readonly limits?: { readonly usd: string; readonly count: string } },
): Promise<ConnectedTool> {
  const registered = await http.post(`${url}/oauth/register`, {
    data: { client_name: name, redirect_uris: [redirectUri] },
  })
  const { client_id: clientId } = (await registered.json()) as { readonly client_id: string } // RFC 7591
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 's',
    scope: limits === undefined ? 'task:read' : 'task:read agent:approve',
  })
  const page = await http.get(`${url}/oauth/authorize?${asked.toString()}`)
  const place = page.url().split('?')[0] ?? ''
  const csrf = found(await page.text(), /name="csrf" value="([^"]*)"/)
  const send = (fields: Readonly<Record<string, string>>): Promise<APIResponse> =>
    http.post(place, { form: { csrf, ...fields }, maxRedirects: 0 })
  const caps = limits === undefined ? {} : { ...limits, approve: 'yes' }
  const offer = await (await send({ action: 'choose', address, chain: '31337', scope: 'task:read', ...caps })).text()
  const text = found(offer, /aria-label="Sign this text">([^<]*)<\/pre>/)
  const signature = await signMessage(text)
  await send({ action: 'sign', delivery_token: found(offer, /name="delivery_token" value="([^"]*)"/), signature })
  const back = await http.get(`${place}/finish`, { maxRedirects: 0 })
  const code = new URL(back.headers()['location'] ?? '').searchParams.get('code') ?? ''
  const answer = await http.post(`${url}/oauth/token`, {
    form: {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    },
  })
  const { access_token: token } = (await answer.json()) as { readonly access_token: string } // RFC 6749 §5.1
  return { call: async () => (await callTool(http, url, token)).status() }
}

const found = (markup: string, pattern: RegExp): string => {
  const text = pattern.exec(markup)?.[1]
  if (text === undefined) throw new Error(`the page has no ${String(pattern)}: ${markup.slice(0, 2_000)}`)
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_all, name: string) => entities[name] ?? '')
}

function callTool(http: APIRequestContext, url: string, token: string): Promise<APIResponse> {
  return http.post(`${url}/mcp`, {
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'svc_get_fees',
    },
    data: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'svc_get_fees',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  })
}
