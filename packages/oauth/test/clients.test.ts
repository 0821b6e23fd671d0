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

  type Refused = readonly [what: string, change: Readonly<Record<string, unknown>>, code: string, message: string]
  const [name, list] = ['client_name must be a text', 'redirect_uris must be a list of 1 to 20 URLs']
  const unseen = 'client_name holds a line break or another unseen character'
  test.each<Refused>([
    ['no name', { client_name: undefined }, 'invalid_client_metadata', name],
    ['a name of another kind', { client_name: 7 }, 'invalid_client_metadata', name],
    ['an empty name', { client_name: '  ' }, 'invalid_client_metadata', name],
    ['a name with a line break', { client_name: 'Tool\nURI: https://evil.example' }, 'invalid_client_metadata', unseen],
    ['a name with a line separator', { client_name: 'Tool\u2028more' }, 'invalid_client_metadata', unseen],
    ['a name that turns round', { client_name: 'Tool\u202egnp' }, 'invalid_client_metadata', unseen],
    [
      'a name without end',
      { client_name: 'x'.repeat(121) },
      'invalid_client_metadata',
      'client_name is longer than 120 characters',
    ],
    ['no redirect', { redirect_uris: [] }, 'invalid_redirect_uri', list],
    ['a redirect of another kind', { redirect_uris: [7] }, 'invalid_redirect_uri', 'a redirect URI must be a text'],
    [
      'too many redirects',
      { redirect_uris: Array.from({ length: 21 }, () => redirectUri) },
      'invalid_redirect_uri',
      list,
    ],
    [
      'a redirect that leads to no client',
      { redirect_uris: [redirectUri, 'javascript:alert(1)'] },
      'invalid_redirect_uri',
      'a redirect URI has a scheme that leads to no client',
    ],
  ])('refuses %s', async (_what, change, code, message) => {
    const { client } = createBench()
    await expect(client(change)).rejects.toMatchObject({ name: 'OAuthError', code, message })
  })

  test('takes as much as it may have', async () => {
    const { client } = createBench()
    const redirects = Array.from({ length: 20 }, (_, at) => `${redirectUri}/${String(at)}`)
    expect(await client({ client_name: 'x'.repeat(120), redirect_uris: redirects })).toMatch(/^[\w-]+$/)
  })

  test('says so when too many registered today', async () => {
    const { server } = createBench()
    const fields = { client_name: 'Tool', redirect_uris: [redirectUri] }
    await expect(server.clients.register(fields, 'spent')).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      message: 'too many clients were registered today: try again tomorrow',
    })
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
    ['an address that is not public', undefined, 'the metadata document could not be fetched from a public address'],
    ['another status', { status: 302, body: aDocument() }, 'the metadata document did not answer with status 200'],
    [
      'more bytes than it may have',
      { body: aDocument(), isCut: true },
      'the metadata document is larger than 5120 bytes',
    ],
    [
      'another content type',
      { contentType: 'text/html', body: aDocument() },
      'the metadata document is not served as JSON',
    ],
    ['no JSON', { body: '<html>' }, 'the metadata document is not JSON'],
    ['a list', { body: '[]' }, 'the metadata document is no JSON object'],
    ['a text', { body: '"x"' }, 'the metadata document is no JSON object'],
    ['nothing', { body: 'null' }, 'the metadata document is no JSON object'],
    [
      'another client_id',
      { body: aDocument({ client_id: `${id}/` }) },
      'the metadata document names another client_id than its own URL',
    ],
    [
      'a shared secret',
      { body: aDocument({ token_endpoint_auth_method: 'client_secret_basic' }) },
      'token_endpoint_auth_method must be none',
    ],
    ['a secret', { body: aDocument({ client_secret: 'x' }) }, 'a client here holds no secret'],
    ['a secret with an end', { body: aDocument({ client_secret_expires_at: 0 }) }, 'a client here holds no secret'],
    ['no name', { body: aDocument({ client_name: undefined }) }, 'client_name must be a text'],
    [
      'a name with a line break',
      { body: aDocument({ client_name: 'a\r\nb' }) },
      'client_name holds a line break or another unseen character',
    ],
    ['no redirects', { body: aDocument({ redirect_uris: undefined }) }, 'redirect_uris must be a list of 1 to 20 URLs'],
    [
      'a redirect with a fragment',
      { body: aDocument({ redirect_uris: ['https://tool.example/#a'] }) },
      'a redirect URI has a fragment',
    ],
  ])('is refused for %s, and the failure is not kept', async (_what, answer, message) => {
    const bench = createBench()
    if (answer !== undefined) bench.documents.set(id, answer)
    await expect(bench.server.authorize(query(id))).rejects.toMatchObject({ code: 'invalid_client', message })
    bench.documents.set(id, { body: aDocument({ token_endpoint_auth_method: 'none' }) })
    expect((await bench.server.authorize(query(id))).kind).toBe('good')
  })

  test.each([
    ['http://tool.example/client.json', 'must be an https URL'],
    ['https://tool.example', 'must have a path'],
    ['https://tool.example/', 'must have a path'],
    ['https://tool.example/?c', 'must have a path'],
    ['https://tool.example/c#a', 'has a fragment'],
    ['https://user@tool.example/c', 'has a user'],
    ['https://:password@tool.example/c', 'has a user'],
    ['https://@tool.example/c', 'has a user'],
    ['https://tool.example/a/../c', 'has a dot segment'],
    ['https://tool.example/a/%2E%2e/c', 'has a dot segment'],
    ['https://tool.example/./c', 'has a dot segment'],
    ['https://tool.example/a b', 'is no URL'],
    ['https://tool.example\\c', 'is no URL'],
    ['https://', 'is no URL'],
    [`https://tool.example/${'x'.repeat(1_980)}`, 'is longer than 2000 characters'],
  ])('is not even asked for at %.40s: it %s', async (url, fault) => {
    const bench = createBench()
    await expect(bench.server.authorize(query(url))).rejects.toMatchObject({
      code: 'invalid_client',
      message: `client_id ${fault}`,
    })
    expect(bench.fetched).toEqual([])
  })

  test.each([
    `https://tool.example/${'x'.repeat(1_979)}`,
    'https://tool.example/a..b/.c?d=/../#'.slice(0, -1),
    'https://tool.example:8443/c',
  ])('is asked for at %.40s', async (url) => {
    const bench = createBench()
    bench.documents.set(url, {
      body: aDocument({ client_id: url }),
      contentType: 'application/client+json; charset=utf-8',
    })
    expect((await bench.server.authorize(query(url))).kind).toBe('good')
  })

  test('is one of the thousand that are kept', async () => {
    const bench = createBench()
    const ask = async (at: number): Promise<void> => {
      const url = `https://tool.example/${String(at)}`
      bench.documents.set(url, { body: aDocument({ client_id: url }) })
      await bench.server.authorize(query(url))
    }
    for (let at = 0; at < 1_000; at += 1) await ask(at)
    await ask(0)
    expect(bench.fetched).toHaveLength(1_000)
    // The oldest goes for the one that is new.
    await ask(1_000)
    await ask(1)
    expect(bench.fetched).toHaveLength(1_001)
    await ask(0)
    expect(bench.fetched).toHaveLength(1_002)
  })

  test('without a word about that is kept for five minutes', async () => {
    const bench = createBench()
    bench.documents.set(id, { body: aDocument() })
    await bench.server.authorize(query(id))
    bench.advance(299_999)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(1)
    bench.advance(1)
    await bench.server.authorize(query(id))
    expect(bench.fetched).toHaveLength(2)
  })
})
