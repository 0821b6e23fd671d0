import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Party } from '../http/live-market.ts'
import { basic, challengeOf, consent, newVerifier, redirectUri, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

let live: LiveOAuth
let party: Party
beforeAll(async () => {
  live = await startLiveOAuth()
  party = await live.market.party(0n)
})
afterAll(() => live?.[Symbol.asyncDispose]())

const insecure = { [oauth.allowInsecureRequests]: true }

test('a strict client discovers, registers, is authorized, refreshes and revokes', async () => {
  const resource = new URL(`${live.issuer}/mcp`)
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  expect(described).toMatchObject({ resource: resource.href, authorization_servers: [live.issuer] })
  const issuer = new URL(described.authorization_servers?.[0] ?? '')
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  const asked = { client_name: 'Strict', redirect_uris: [redirectUri] }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, asked, insecure),
  )
  expect(client).not.toHaveProperty('client_secret')

  const verifier = oauth.generateRandomCodeVerifier()
  const [state, url] = [oauth.generateRandomState(), new URL(as.authorization_endpoint ?? '')]
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'task:read',
    resource: resource.href,
    state,
  }).toString()
  const back = oauth.validateAuthResponse(as, client, await consent(url.href, party), state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), back, redirectUri, verifier, insecure),
  )
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: basic.join(' ') })

  const refresh = async (token = '') =>
    oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token, insecure),
    )
  const next = await refresh(tokens.refresh_token)
  expect(next.refresh_token).not.toBe(tokens.refresh_token)
  const gone = await oauth.revocationRequest(as, client, oauth.None(), next.refresh_token ?? '', insecure)
  await oauth.processRevocationResponse(gone)
  await expect(refresh(next.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })

  const request = new Request(resource, { headers: { authorization: `Bearer ${next.access_token}` } })
  const claims = await oauth.validateJwtAccessToken(as, request, resource.href, insecure)
  expect(claims).toMatchObject({ sub: `eip155:31337:${party.wallet}`, client_id: client.client_id })
})

test('a ready-made client does the same from the issuer alone', async () => {
  const config = await openid.dynamicClientRegistration(
    new URL(live.issuer),
    { client_name: 'Ready-made', redirect_uris: [redirectUri] },
    openid.None(),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  )
  const [verifier, state] = [newVerifier(), openid.randomState()]
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state,
  })
  const back = await consent(url.href, party)
  const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state })
  expect(tokens.scope).toBe(basic.join(' '))
  const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
  await openid.tokenRevocation(config, next.refresh_token ?? '')
  await expect(openid.refreshTokenGrant(config, next.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})
