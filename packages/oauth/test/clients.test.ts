import { describe, expect, test } from 'vitest'
import { createBench, query, redirectUri } from './bench.ts'

const id = 'https://tool.example/client.json'
const aDocument = (change: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ client_id: id, client_name: 'Tool', redirect_uris: [redirectUri], ...change })

describe('registration', () => {
  test('makes a public client of any, never with a secret, and tells where it is described', async () => {
    const { server } = createBench()
    const fields = {
      client_name: ' <b>Tool</b> ',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'task:read',
      logo_uri: 'javascript:alert(1)',
    }
    const answer = await server.clients.register(fields, '192.0.2.1')
    expect(answer).toEqual({
      client_id: expect.stringMatching(/^[\w-]+$/),
      client_id_issued_at: 1_795_435_200,
      client_name: '<b>Tool</b>',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      registration_client_uri: `https://market.example/oauth/register/${String(answer['client_id'])}`,
    })
    expect(await server.clients.registration(String(answer['client_id']))).toEqual(answer)
  })

  type Refused = readonly [what: string, change: Readonly<Record<string, unknown>>, code: string]
  test.each<Refused>([
    ['no name', { client_name: undefined }, 'invalid_client_metadata'],
    ['a name of another kind', { client_name: 7 }, 'invalid_client_metadata'],
    ['an empty name', { client_name: '  ' }, 'invalid_client_metadata'],
    ['a name with a line break', { client_name: 'Tool\nURI: https://evil.example' }, 'invalid_client_metadata'],
    ['a name with a line separator', { client_name: 'Tool\u2028more' }, 'invalid_client_metadata'],
    ['a name that turns round', { client_name: 'Tool\u202egnp' }, 'invalid_client_metadata'],
    ['a name without end', { client_name: 'x'.repeat(121) }, 'invalid_client_metadata'],
    ['no redirect', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a redirect of another kind', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    ['too many redirects', { redirect_uris: Array.from({ length: 21 }, () => redirectUri) }, 'invalid_redirect_uri'],
    ...[
      'http://tool.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://tool.example/cb#x',
      'https://tool.example/cb#',
      'https://user@tool.example/cb',
      'https://@tool.example/cb',
      'https://tool.example/a b',
      'https://tool.example\\@evil.example/',
      'https://tool.example\\cb',
      '/callback',
      `https://tool.example/${'x'.repeat(2_000)}`,
    ].map((one) => [`the redirect ${one.slice(0, 40)}`, { redirect_uris: [one] }, 'invalid_redirect_uri'] as const),
  ])('refuses %s', async (_what, change, code) => {
    const { client } = createBench()
    await expect(client(change)).rejects.toMatchObject({ code })
  })

  test('says so when too many registered today', async () => {
    const { server } = createBench()
    const fields = { client_name: 'Tool', redirect_uris: [redirectUri] }
    await expect(server.clients.register(fields, 'spent')).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })
})

describe('a metadata document', () => {
  test('names its client, and is fetched again only when its time is over', async () => {
    const bench = createBench()
    bench.documents.set(id, { body: aDocument(), cacheControl: 'public, max-age=60' })
    const asked = await bench.server.authorize(query(id))
    expect(asked.kind === 'good' && asked.request.client).toEqual({
      id,
      name: 'Tool',
      redirectUris: [redirectUri],
      host: 'tool.example',
    })
    bench.advance(59_000)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(1)
    bench.advance(2_000)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(2)
  })

  test('is kept for half a minute at least and a day at most', async () => {
    const bench = createBench()
    bench.documents.set(id, { body: aDocument(), cacheControl: 'no-store' })
    await bench.server.authorize(query(id))
    bench.advance(29_000)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(1)
    bench.documents.set(id, { body: aDocument(), cacheControl: 'max-age=999999999' })
    bench.advance(2_000)
    await bench.server.authorize(query(id))
    bench.advance(86_401_000)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(3)
  })

  test.each([
    ['an address that is not public', undefined],
    ['another status', { status: 302, body: aDocument() }],
    ['more bytes than it may have', { body: aDocument(), isCut: true }],
    ['another content type', { contentType: 'text/html', body: aDocument() }],
    ['no JSON', { body: '<html>' }],
    ['a list', { body: '[]' }],
    ['another client_id', { body: aDocument({ client_id: `${id}/` }) }],
    ['a shared secret', { body: aDocument({ token_endpoint_auth_method: 'client_secret_basic' }) }],
    ['a secret', { body: aDocument({ client_secret: 'x' }) }],
    ['a secret with an end', { body: aDocument({ client_secret_expires_at: 0 }) }],
    ['no name', { body: aDocument({ client_name: undefined }) }],
    ['a name with a line break', { body: aDocument({ client_name: 'a\r\nb' }) }],
    ['no redirects', { body: aDocument({ redirect_uris: undefined }) }],
    ['a redirect with a fragment', { body: aDocument({ redirect_uris: ['https://tool.example/#a'] }) }],
  ])('is refused for %s, and the failure is not kept', async (_what, answer) => {
    const bench = createBench()
    if (answer !== undefined) bench.documents.set(id, answer)
    await expect(bench.server.authorize(query(id))).rejects.toMatchObject({ code: 'invalid_client' })
    bench.documents.set(id, { body: aDocument() })
    expect((await bench.server.authorize(query(id))).kind).toBe('good')
  })

  test.each([
    'http://tool.example/client.json',
    'https://tool.example',
    'https://tool.example/',
    'https://tool.example/c#a',
    'https://user@tool.example/c',
    'https://tool.example/a/../c',
    'https://tool.example/a/%2E%2e/c',
    'https://tool.example/./c',
    'https://tool.example/a b',
    `https://tool.example/${'x'.repeat(2_000)}`,
  ])('is not even asked for at %s', async (url) => {
    const bench = createBench()
    await expect(bench.server.authorize(query(url))).rejects.toMatchObject({ code: 'invalid_client' })
    expect(bench.fetched).toEqual([])
  })
})
