import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOAuthStore, createPool } from '../../src/adapters/postgres/index.ts'
import { rotateKeys } from '../../src/rotate-keys.ts'
import type { Party } from '../http/live-market.ts'
import {
  basic,
  choose,
  consent,
  createHand,
  createVisitor,
  open,
  post,
  redirectUri,
  startAnother,
  startLiveOAuth,
  tokensOf,
  type LiveOAuth,
  type Tokens,
} from './live-oauth.ts'

let live: LiveOAuth
let party: Party
let hand: Awaited<ReturnType<typeof createHand>>
let ahead = 0
const now = () => new Date(Date.now() + ahead)
beforeAll(async () => {
  live = await startLiveOAuth({}, { now })
  party = await live.market.party(0n)
  hand = await createHand(live.issuer, { client_name: '<b>Tool</b> "x"' })
})
afterAll(() => live?.[Symbol.asyncDispose]())

describe('two processes on one database', () => {
  test('exchange one code of ten that come at once, and then revoke what it issued', async () => {
    await using other = await startAnother(live, { now })
    const code = await hand.codeOf(party)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) =>
        post(`${at % 2 === 0 ? live.issuer : other.at}/oauth/token`, hand.codeFields(code)),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    const won = await tokensOf(answers.find(({ status }) => status === 200) ?? new Response('{}'))
    const renewal = await post(`${live.issuer}/oauth/token`, hand.refreshFields(won.refresh_token))
    expect([renewal.status, (await tokensOf(renewal)).error]).toEqual([400, 'invalid_grant'])
  })

  test('exchange one refresh token of ten that come at once, and then revoke the family', async () => {
    await using other = await startAnother(live, { now })
    const first = await tokensOf(await post(`${live.issuer}/oauth/token`, hand.codeFields(await hand.codeOf(party))))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) =>
        post(`${at % 2 === 0 ? live.issuer : other.at}/oauth/token`, hand.refreshFields(first.refresh_token)),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    const won = await tokensOf(answers.find(({ status }) => status === 200) ?? new Response('{}'))
    const renewal = await post(`${other.at}/oauth/token`, hand.refreshFields(won.refresh_token))
    expect([renewal.status, (await tokensOf(renewal)).error]).toEqual([400, 'invalid_grant'])
  })
})

describe('a request that is wrong before client and redirect are known', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }, 'client_id is unknown here'],
    ['another redirect', { redirect_uri: `${redirectUri}/` }, 'redirect_uri is none of the client'],
    [
      'a redirect of another case',
      { redirect_uri: redirectUri.replace('c', 'C') },
      'redirect_uri is none of the client',
    ],
    ['a redirect with a fragment', { redirect_uri: `${redirectUri}#a` }, 'redirect_uri is none of the client'],
    ['no redirect', { redirect_uri: '' }, 'redirect_uri is missing'],
    ['a document on a private address', { client_id: 'https://127.0.0.1/client.json' }, 'could not be fetched'],
    // The address behind a name is checked when it is connected to, so a name that changes its mind is refused alike.
    ['a document on a name of this machine', { client_id: 'https://localhost/client.json' }, 'could not be fetched'],
    ['a document of a cloud', { client_id: 'https://169.254.169.254/latest' }, 'could not be fetched'],
    ['a document over plain http', { client_id: 'http://tool.example/client.json' }, 'must be an https URL'],
  ])('%s gets a page of ours, and no redirect', async (_what, change, says) => {
    const answer = await fetch(hand.authorizeUrl(change), { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await answer.text()).toContain(says)
  })

  test.each(['client_id', 'redirect_uri'])('%s given twice gets a page of ours', async (name) => {
    const answer = await fetch(`${hand.authorizeUrl()}&${name}=other`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await answer.text()).toContain('a parameter is given twice')
  })

  test('inside a page of others is refused', async () => {
    for (const dest of ['iframe', 'empty', 'image']) {
      const answer = await fetch(hand.authorizeUrl(), { redirect: 'manual', headers: { 'sec-fetch-dest': dest } })
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
  })
})

describe('a fault of what is asked goes back to the client, with its state and our issuer:', () => {
  const over = (name: string, value: string): string => `${hand.authorizeUrl()}&${name}=${encodeURIComponent(value)}`
  test.each([
    [
      'a plain challenge',
      () => hand.authorizeUrl({ code_challenge_method: 'plain' }),
      'invalid_request',
      /must be S256/,
    ],
    ['no challenge', () => hand.authorizeUrl({ code_challenge: '' }), 'invalid_request', /code_challenge is missing/],
    ['no challenge method', () => hand.authorizeUrl({ code_challenge_method: '' }), 'invalid_request', /is missing/],
    ['a foreign resource', () => hand.authorizeUrl({ resource: 'https://else.example/mcp' }), 'invalid_target', /./],
    [
      'a repeated scope',
      () => `${hand.authorizeUrl({ scope: 'task:read' })}&scope=x`,
      'invalid_request',
      /given twice/,
    ],
    ['a repeated challenge', () => over('code_challenge', 'x'), 'invalid_request', /given twice/],
    ['an unknown scope', () => hand.authorizeUrl({ scope: 'money:all' }), 'invalid_scope', /./],
    ['another response type', () => hand.authorizeUrl({ response_type: 'token' }), 'unsupported_response_type', /./],
  ])('%s', async (_what, url, error, says) => {
    const answer = await fetch(url(), { redirect: 'manual' })
    const location = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, `${location.origin}${location.pathname}`]).toEqual([303, redirectUri])
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(says),
      state: 's',
      iss: live.issuer,
    })
  })

  test('a repeated state is of nobody, so none is sent back', async () => {
    const answer = await fetch(over('state', 'other'), { redirect: 'manual' })
    const { searchParams } = new URL(answer.headers.get('location') ?? '')
    expect([searchParams.get('error'), searchParams.has('state')]).toEqual(['invalid_request', false])
  })
})

describe('a registration is refused for', () => {
  test.each([
    ['a name with a line break', { client_name: 'Tool\nURI: https://evil.example' }, 'invalid_client_metadata'],
    ['a redirect with a fragment', { redirect_uris: [`${redirectUri}#a`] }, 'invalid_redirect_uri'],
    ['a redirect with a user', { redirect_uris: ['https://a@tool.example/cb'] }, 'invalid_redirect_uri'],
    ['a redirect that runs script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ])('%s', async (_what, change, error) => {
    const answer = await fetch(`${live.issuer}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Tool', redirect_uris: [redirectUri], ...change }),
    })
    const told = await tokensOf(answer)
    expect([answer.status, told.error]).toEqual([400, error])
    expect(told).not.toHaveProperty('client_id')
  })
})

describe('the page', () => {
  test('shows the client as text, ticks the basic scopes and leaves the approvals', async () => {
    const { page } = await open(
      createVisitor(),
      hand.authorizeUrl({ scope: 'task:read worker:withdraw agent:approve' }),
    )
    expect(page).toContain('&lt;b&gt;Tool&lt;/b&gt; &quot;x&quot;')
    expect(page).not.toContain('<b>')
    for (const scope of basic) expect(page.replaceAll(/\s+/g, ' ')).toContain(`value="${scope}" checked`)
    expect(page.replaceAll(/\s+/g, ' ')).not.toMatch(/name="approve"[^>]*checked/)
    expect(page).toContain('worker:withdraw')
    expect(page).toContain('tool.example')
  })

  test('is closed to frames, foreign scripts, referrers and caches', async () => {
    const visitor = createVisitor()
    const { url } = await open(visitor, hand.authorizeUrl())
    const { headers } = await visitor.get(url)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    })
  })

  test('speaks Spanish to who asks for it', async () => {
    const visitor = createVisitor()
    const { url } = await open(visitor, hand.authorizeUrl())
    const page = await (await visitor.get(url, { 'accept-language': 'fr, es-MX;q=0.8' })).text()
    expect(page).toContain('<html lang="es">')
    expect(page).toContain('Qué puede hacer la herramienta')
  })

  test('of another browser, or of none, is not shown', async () => {
    const { url } = await open(createVisitor(), hand.authorizeUrl())
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(`${url}/status`)).status).toBe(404)
    expect((await fetch(`${url}/finish`, { redirect: 'manual' })).status).toBe(404)
  })

  test('takes no form without its field, and none from another site', async () => {
    const visitor = createVisitor()
    const { url, csrf } = await open(visitor, hand.authorizeUrl())
    const deny = (token: string, headers = {}) =>
      visitor.submit(
        url,
        [
          ['csrf', token],
          ['action', 'deny'],
        ],
        headers,
      )
    expect((await deny('')).status).toBe(404)
    expect((await deny(csrf, { origin: 'https://evil.example' })).status).toBe(404)
    expect((await deny(csrf, { origin: live.issuer })).status).toBe(303)
  })

  test.each([
    ['an address that is none', [['address', 'me']], 'The address is not one'],
    [
      'too much money',
      [
        ['approve', 'yes'],
        ['usd', '100.01'],
        ['count', '1'],
      ],
      'between 0.01 and 100.00',
    ],
    [
      'too many approvals',
      [
        ['approve', 'yes'],
        ['usd', '1'],
        ['count', '51'],
      ],
      'between 1 and 50',
    ],
  ])('says what is wrong with %s, and keeps what was typed', async (_what, given, says) => {
    const visitor = createVisitor()
    const { url, csrf } = await open(visitor, hand.authorizeUrl())
    const fields: [string, string][] = [
      ['csrf', csrf],
      ['action', 'choose'],
      ['chain', '31337'],
      ['scope', 'task:read'],
    ]
    const typed = new Map([['address', party.wallet], ...(given as [string, string][])])
    const answer = await visitor.submit(url, [...fields, ...typed])
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain(says)
    expect(page).toContain(`value="${typed.get('address') ?? ''}"`)
  })

  test('with nothing ticked, or with a no, tells the client that it was denied', async () => {
    for (const fields of [[['action', 'choose']], [['action', 'deny']]] as const) {
      const visitor = createVisitor()
      const { url, csrf } = await open(visitor, hand.authorizeUrl())
      await visitor.submit(url, [
        ['csrf', csrf],
        ['address', party.wallet],
        ...(fields as unknown as [string, string][]),
      ])
      const done = await visitor.get(`${url}/finish`)
      expect(new URL(done.headers.get('location') ?? '').searchParams.get('error')).toBe('access_denied')
    }
  })
})

describe('a delivery', () => {
  const begin = async () => {
    const visitor = createVisitor()
    const begun = await open(visitor, hand.authorizeUrl())
    const { text, token } = await choose(visitor, begun, party.wallet)
    const status = async () => {
      const answer = await visitor.get(`${begun.url}/status`)
      return (await answer.json()) as { readonly status: string; readonly account?: string }
    }
    return { visitor, begun, token, signature: await party.signer.signMessage(text), status }
  }
  const errorOf = async (answer: Response) => [answer.status, ((await answer.json()) as Tokens).error]

  test('by form, JSON or query is taken once, and the browser that began learns of it', async () => {
    for (const way of ['form', 'json', 'query']) {
      const { begun, token, signature, status } = await begin()
      expect(await status()).toEqual({ status: 'open' })
      const url = `${begun.url}/signature`
      const fields = { delivery_token: token, signature }
      const deliver = () =>
        way === 'form'
          ? post(url, fields)
          : way === 'query'
            ? fetch(`${url}?${new URLSearchParams(fields).toString()}`)
            : fetch(url, {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify(fields),
              })
      expect((await deliver()).status).toBe(200)
      expect(await errorOf(await deliver())).toEqual([409, 'delivery_already_used'])
      expect(await status()).toMatchObject({ status: 'signed', account: `eip155:31337:${party.wallet}` })
    }
  })

  test('that does not verify leaves the sign-in open; one for another sign-in is not found', async () => {
    const [one, two] = [await begin(), await begin()]
    const wrong = { delivery_token: one.token, signature: two.signature }
    expect(await errorOf(await post(`${one.begun.url}/signature`, wrong))).toEqual([400, 'signature_mismatch'])
    expect(await one.status()).toEqual({ status: 'open' })
    const foreign = { delivery_token: one.token, signature: one.signature }
    expect(await errorOf(await post(`${two.begun.url}/signature`, foreign))).toEqual([404, 'not_found'])
    const unknown = `${live.issuer}/oauth/consent/${'0'.repeat(32)}/signature`
    expect(await errorOf(await post(unknown, foreign))).toEqual([404, 'not_found'])
  })
})

describe('a wallet that this browser proved', () => {
  test('needs no signature again for basic scopes, and needs one for approvals', async () => {
    const visitor = createVisitor()
    await consent(hand.authorizeUrl(), party, { visitor })
    const again = await open(visitor, hand.authorizeUrl())
    const fields: [string, string][] = [
      ['csrf', again.csrf],
      ['action', 'choose'],
      ['address', party.wallet],
      ['chain', '31337'],
    ]
    const taken = await visitor.submit(again.url, [...fields, ['scope', 'task:read']])
    expect(taken.status).toBe(303)
    const done = await visitor.get(`${again.url}/finish`)
    expect(new URL(done.headers.get('location') ?? '').searchParams.has('code')).toBe(true)
    const third = await open(visitor, hand.authorizeUrl())
    const limits: [string, string][] = [
      ['approve', 'yes'],
      ['usd', '5'],
      ['count', '2'],
    ]
    const { text } = await choose(visitor, third, party.wallet, ['task:read'], limits)
    expect(text).toContain('urn:ergon:approve-max-usd:5.00\n- urn:ergon:approve-max-count:2')
  })
})

test('bodies of other kinds are refused in words of OAuth', async () => {
  const asJson = await fetch(`${live.issuer}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect([asJson.status, (await tokensOf(asJson)).error]).toEqual([400, 'invalid_request'])
  expect([asJson.headers.get('cache-control'), asJson.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  const notJson = await fetch(`${live.issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1,"a":2}',
  })
  expect([notJson.status, (await tokensOf(notJson)).error]).toEqual([400, 'invalid_client_metadata'])
  const large = await fetch(`${live.issuer}/oauth/register`, { method: 'POST', body: 'x'.repeat(20_000) })
  expect(large.status).toBe(413)
})

test('metadata is of the host that it names, and auth/info tells that tools are let in', async () => {
  const other = live.issuer.replace('127.0.0.1', 'localhost')
  expect((await fetch(`${other}/.well-known/oauth-authorization-server`)).status).toBe(404)
  const { body } = await live.market.get('/api/v1/auth/info')
  expect(body['modes']).toContainEqual(expect.objectContaining({ name: 'oauth', enabled: true }))
  expect((await fetch(`${live.issuer}/oauth/nothing`)).status).toBe(404)
})

test('a rotated key is shown beside the last, and what is over is forgotten', async () => {
  const kids = async () => {
    const answer = await fetch(`${live.issuer}/oauth/jwks`)
    return ((await answer.json()) as { readonly keys: readonly { readonly kid: string }[] }).keys.map(({ kid }) => kid)
  }
  const [first] = await kids()
  await rotateKeys({ databaseUrl: live.market.databaseUrl, oauth: true }, now())
  ahead += 31_000
  expect(await kids()).toEqual([first, expect.any(String)])
  const pool = createPool(live.market.databaseUrl, { size: 1 })
  try {
    const { rows } = await pool.query<{ kind: string }>(
      'select distinct kind from oauth_audit where wallet = $1 order by kind',
      [party.wallet],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['consented', 'revoked', 'token_issued', 'token_renewed'])
    const store = createOAuthStore(pool)
    await store.purge(new Date(now().getTime() + 500 * 86_400_000), 1_000)
    const tables = ['oauth_clients', 'oauth_sign_ins', 'oauth_grants', 'oauth_refresh_tokens', 'oauth_audit']
    for (const table of tables)
      expect([table, (await pool.query(`select 1 from ${table}`)).rowCount]).toEqual([table, 0])
    expect(await store.signingEpochs(new Date(now().getTime() + 500 * 86_400_000))).toHaveLength(1)
  } finally {
    await pool.end()
  }
})
