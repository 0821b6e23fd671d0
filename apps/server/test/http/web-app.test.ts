import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { page, picture, script, standInApp } from '../web/stand-in-app.ts'
import { startLiveMarket, type LiveMarket } from './live-market.ts'

const faucet = 'http://127.0.0.1:4999/fund'
const built = standInApp()
let live: LiveMarket
beforeAll(async () => {
  live = await startLiveMarket({
    SVC_WEB_DIR: built.dir,
    SVC_FAUCET_URL: faucet,
    SVC_TERMS_URL: 'https://us.test/terms?for=people',
    SVC_ON_RAMP_URL: 'https://ramp.test/buy?to={address}',
  })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }

/** The target as it is written: neither cleaned nor decoded on the way. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(live.url)
  const outgoing = request({ hostname, port, path, method, headers, agent: false }, (incoming) => {
    buffer(incoming).then((bytes) => {
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes })
    }, reject)
  })
  outgoing.on('error', reject).end()
  return promise
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const year = 'public, max-age=31536000, immutable'

test.each([
  ['/', 'text/html; charset=utf-8', 'no-cache'],
  ['/index.html', 'text/html; charset=utf-8', 'no-cache'],
  ['/?lang=es', 'text/html; charset=utf-8', 'no-cache'],
  ['/assets/main-1a2b.js', 'text/javascript; charset=utf-8', year],
  ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache'],
  ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8', 'no-cache'],
  ['/icons/icon-192.png', 'image/png', 'no-cache'],
])('%s is served as %s and kept as %s', async (path, type, cache) => {
  const { status, headers, bytes } = await ask(path)
  expect([status, headers['content-type'], headers['cache-control'], headers.vary]).toEqual([
    200,
    type,
    cache,
    'Accept-Encoding',
  ])
  expect(headers['content-length']).toBe(String(bytes.length))
  expect(headers.etag).toMatch(/^"[\w-]{22}"$/)
})

test.each([
  '/tasks',
  '/tasks/7f0c/review',
  '/tasks/',
  '/p/caf%C3%A9?tab=2',
  '/apiary',
  '/*/',
  '/:id',
  '/tasks/*x',
  '/a(b)',
])('the screen %s can be linked and reloaded', async (path) => {
  const [screen, root] = [await ask(path, browser), await ask('/')]
  expect([screen.status, screen.headers['content-type'], screen.headers.vary]).toEqual([
    200,
    'text/html; charset=utf-8',
    'Accept, Accept-Encoding',
  ])
  expect(screen.bytes.equals(root.bytes)).toBe(true)
})

test.each([
  '/api',
  '/api/v1/nothing',
  '/mcp/nothing',
  '/a2a/v2',
  '/ws/nothing',
  '/.well-known/nothing',
  '/oauth/authorize',
  '/metrics',
  '/assets/gone.js',
  '/..%2f..%2fetc%2fpasswd',
  '/../etc/passwd',
  '/assets/../../etc/passwd',
  '/%2e%2e/etc/passwd',
  '/%00',
  '/tasks%00',
  '/..%5cetc',
  '/tasks\\..',
  '//evil.test/',
  '/tasks//x',
  '/%zz',
  '/.stamp%00.js',
])('%s is no screen, whoever asks: the refusal is JSON', async (path) => {
  const { status, headers, bytes } = await ask(path, browser)
  expect([headers['content-type'], headers['content-security-policy']]).toEqual([
    'application/json; charset=utf-8',
    undefined,
  ])
  expect(JSON.parse(bytes.toString())).toHaveProperty('error')
  expect([404, 410, 501]).toContain(status)
})

test.each([
  ['GET', { accept: 'application/json' }],
  ['GET', {}],
  ['POST', browser],
  ['DELETE', browser],
] as const)('a program that asks for an unknown path with %s %j is told so in JSON', async (method, headers) => {
  const answer = await ask('/tasks', headers, method)
  expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
})

test('the interfaces for programs are not the app’s, whatever the caller accepts', async () => {
  for (const [path, type] of [
    ['/llms.txt', 'text/plain'],
    ['/openapi.json', 'application/json'],
    ['/api/v1/health', 'application/json'],
    ['/.well-known/agent-card.json', 'application/json'],
  ] as const) {
    const { status, headers } = await ask(path, browser)
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type])
  }
  expect((await ask('/llms.txt', browser, 'HEAD')).headers['content-type']).toBe('text/plain; charset=utf-8')
})

const answers: readonly (readonly [
  name: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
])[] = [
  ['a page', 'GET', '/', {}],
  ['a screen', 'GET', '/tasks/1', browser],
  ['a script', 'GET', '/assets/main-1a2b.js', {}],
  ['a picture', 'GET', '/icons/icon-192.png', {}],
  ['a head', 'HEAD', '/', {}],
  ['what is known', 'GET', '/', { 'if-none-match': '*' }],
  ['a page asked for under a strange name', 'GET', '/', { host: "evil.test; script-src 'unsafe-inline'" }],
]
test.each(answers)('%s carries the policy and the other defences', async (_name, method, path, headers) => {
  const { headers: told } = await ask(path, headers, method)
  expect(told['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' ws://market.test ws://127.0.0.1:0 ws://localhost:0 http://127.0.0.1:4999; font-src 'self'; worker-src 'self' blob:; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
  )
  expect(told).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  })
  expect(told['permissions-policy']).toMatch(/^camera=\(self\), geolocation=\(self\), .*microphone=\(\), .*usb=\(\)/)
  // A wallet of the app is sealed by a passkey; no frame may ask for one.
  for (const what of ['create', 'get'])
    expect(told['permissions-policy']).toContain(`publickey-credentials-${what}=(self)`)
  expect([told['strict-transport-security'], told['access-control-allow-origin'], told['set-cookie']]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('the page is told where the faucet and the pages of the operator are, and nothing of who asked', async () => {
  const text = (await ask('/', { host: 'evil.test', 'x-forwarded-host': 'evil.test' })).bytes.toString()
  const [, content = ''] = /<meta name="ergon-settings" content="([^"]*)">/.exec(text) ?? []
  expect(JSON.parse(content.replaceAll('&quot;', '"'))).toEqual({
    faucet_url: faucet,
    terms_url: 'https://us.test/terms?for=people',
    privacy_url: null,
    help_url: null,
    on_ramp_url: 'https://ramp.test/buy?to={address}',
    service_url: 'http://market.test',
    session_origins: 'http://market.test',
    version: '0.1.0',
  })
  expect(text.replace(content, '{}').replaceAll(/<meta property="(?:og|twitter):[^>]*>/g, '')).toBe(page)
})

test.each([
  [undefined, undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.1, gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', undefined],
  ['identity, br;q=0.5', undefined],
  ['zstd', undefined],
  ['br;q=nonsense', undefined],
])('who accepts %s receives the script as %s', async (accepted, coding) => {
  const { headers, bytes } = await ask(
    '/assets/main-1a2b.js',
    accepted === undefined ? {} : { 'accept-encoding': accepted },
  )
  expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding'])
  expect(headers['content-length']).toBe(String(bytes.length))
  expect(
    (coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
  ).toBe(script)
})

test('a picture is sent as it is', async () => {
  const { headers, bytes } = await ask('/icons/icon-192.png', { 'accept-encoding': 'br, gzip' })
  expect([headers['content-encoding'], bytes.equals(picture)]).toEqual([undefined, true])
})

test('a form that the caller has is not sent again; its tag is of that form alone', async () => {
  const tags = await Promise.all(
    ['identity', 'br', 'gzip'].map(
      async (coding) => (await ask('/assets/main-1a2b.js', { 'accept-encoding': coding })).headers.etag ?? '',
    ),
  )
  expect(new Set(tags).size).toBe(3)
  const [, br = ''] = tags
  for (const method of ['GET', 'HEAD']) {
    const known = await ask(
      '/assets/main-1a2b.js',
      { 'accept-encoding': 'br', 'if-none-match': `"other", ${br}` },
      method,
    )
    expect([
      known.status,
      known.headers.etag,
      known.bytes.length,
      known.headers['content-type'],
      known.headers['cache-control'],
    ]).toEqual([304, br, 0, undefined, year])
  }
  expect((await ask('/assets/main-1a2b.js', { 'accept-encoding': 'gzip', 'if-none-match': br })).status).toBe(200)
})

test.each(['/', '/assets/main-1a2b.js', '/icons/icon-192.png'])(
  'HEAD %s says what GET would, without it',
  async (path) => {
    const [head, get] = [
      await ask(path, { 'accept-encoding': 'br' }, 'HEAD'),
      await ask(path, { 'accept-encoding': 'br' }),
    ]
    const { date: _one, ...said } = head.headers
    const { date: _other, ...sent } = get.headers
    expect([head.status, head.bytes.length, said]).toEqual([200, 0, sent])
  },
)

test('whatever is asked, the answer is the page with its policy, a file, or a refusal in JSON', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%2f',
      '%5c',
      '%00',
      '%',
      '*',
      ':id',
      '(',
      'assets',
      'index.html',
      'sw.js',
      'api',
      'tasks',
      '',
      ';',
      '@',
      '//',
    ),
    fc.stringMatching(/^[!-~]{0,12}$/),
  )
  const root = (await ask('/')).bytes
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 5 }),
      fc.constantFrom('GET', 'HEAD', 'POST'),
      async (parts, method) => {
        const { status, headers, bytes } = await ask(`/${parts.join('/')}`, browser, method)
        const isApp = headers['content-security-policy'] !== undefined
        expect(status).toBe(isApp ? 200 : Math.max(400, Math.min(status, 499)))
        if (!isApp) expect(headers['content-type']).toBe('application/json; charset=utf-8')
        else if (method === 'GET' && headers['content-type'] === 'text/html; charset=utf-8')
          expect(bytes.equals(root)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})

test('a file with a hidden name is nobody’s', async () => {
  expect((await ask('/.stamp')).status).toBe(404)
})
