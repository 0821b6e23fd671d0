import * as oauth from 'oauth4webapi'
import { messageOf, toolCall, unwrapped, type Asked } from '../mcp/tokens.ts'
import type { Reply } from '../dispatch/send.ts'
import type { Party } from '../http/live-market.ts'
import { basic, consent, redirectUri } from './live-oauth.ts'

const insecure = { [oauth.allowInsecureRequests]: true }

/** A tool host that holds no key of the wallet: a ready-made client, as far as the protocols have names for things. */
export type BearerHost = {
  /** Signs in anew; the token becomes the one that calls carry. */
  signIn(
    party: Pick<Party, 'wallet' | 'signer'>,
    choice: {
      readonly scopes: readonly string[]
      readonly limits?: { readonly usd: string; readonly count: string }
      readonly signsOrder?: boolean
    },
  ): Promise<oauth.TokenEndpointResponse>
  call(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Reply>
  ask(asked: Asked): Promise<Reply>
  revoke(): Promise<void>
}

/** Discovers everything from the address of the tools, and registers. */
export async function connectHost(tools: string): Promise<BearerHost> {
  const resource = new URL(tools)
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  const issuer = new URL(described.authorization_servers?.[0] ?? '')
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, { client_name: 'Host', redirect_uris: [redirectUri] }, insecure),
  )
  let tokens: oauth.TokenEndpointResponse | undefined
  const ask = async (asked: Asked): Promise<Reply> => {
    const { text, headers } = messageOf(asked)
    try {
      const answer = await oauth.protectedResourceRequest(
        tokens?.access_token ?? '',
        'POST',
        resource,
        new Headers(headers),
        text,
        insecure,
      )
      return await replyOf(answer)
    } catch (error) {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return replyOf(error.response)
      throw error
    }
  }
  return {
    ask,
    call: async (tool, args = {}) => unwrapped(await ask(toolCall(tool, args))),
    async signIn(party, { scopes, limits, signsOrder = true }) {
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
      const url = new URL(as.authorization_endpoint ?? '')
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: scopes.join(' '),
        resource: resource.href,
        state,
      }).toString()
      const allowed = scopes.filter((scope) => basic.includes(scope))
      const more: [string, string][] = limits === undefined ? [] : [...Object.entries(limits), ['approve', 'yes']]
      const back = oauth.validateAuthResponse(
        as,
        client,
        await consent(url.href, party, { scopes: allowed, more, signsOrder }),
        state,
      )
      tokens = await oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), back, redirectUri, verifier, insecure),
      )
      return tokens
    },
    async revoke() {
      const token = tokens?.refresh_token ?? tokens?.access_token ?? ''
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), token, insecure))
    },
  }
}

async function replyOf(answer: Response): Promise<Reply> {
  const text = await answer.text()
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers.entries()),
    body: JSON.parse(text === '' ? '{}' : text) as Reply['body'], // what a service answers is judged by the tests
  }
}
