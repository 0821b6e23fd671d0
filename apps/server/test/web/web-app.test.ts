import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addWebApp } from '../../src/transports/web-app.ts'
import { readWebFiles } from '../../src/web/web-files.ts'
import { webHeaders } from '../../src/web/web-headers.ts'

const page = '<!doctype html><meta name="ergon-settings" content="{}" /><p>app</p>'
const script = `console.log(${JSON.stringify('x'.repeat(500))})`
const folder = mkdtempSync(join(tmpdir(), 'ergon-web-'))
let server: FastifyInstance

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), page)
  // A neighbour of the page as it was built, before it had its settings: it must never be handed out.
  writeFileSync(join(folder, 'index.html.gz'), gzipSync('old'))
  writeFileSync(join(folder, 'assets/app-1a2b.js'), script)
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(script))
  writeFileSync(join(folder, 'icon.png'), Buffer.from([137, 80, 78, 71]))
  server = fastify()
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'NotFound' }))
  server.get('/api/v1/tasks', () => ({ tasks: [] }))
  addWebApp(server, {
    files: readWebFiles(folder, { faucet_url: 'http://127.0.0.1:9/?a="<b>"', version: '1' }),
    headers: webHeaders({ baseUrl: 'https://market.example', bucketOrigin: 'https://bucket.example', faucetOrigin: null }),
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const html = { accept: 'text/html,application/xhtml+xml' }

describe('the app for people is served at its own addresses', () => {
  test.each([
    ['/', {}, 200, 'text/html'],
    ['/', html, 200, 'text/html'],
    ['/tasks/01a1fd71', html, 200, 'text/html'],
    ['/my/tasks?show=open', html, 200, 'text/html'],
    ['/assets/app-1a2b.js', {}, 200, 'text/javascript'],
    ['/icon.png', {}, 200, 'image/png'],
    ['/api/v1/tasks', html, 200, 'application/json'],
    ['/api/v1/nothing', html, 404, 'application/json'],
    ['/mcp', html, 404, 'application/json'],
    ['/.well-known/x', html, 404, 'application/json'],
    ['/assets/old-9z.js', html, 404, 'application/json'],
    ['/tasks/01a1fd71', { accept: 'application/json' }, 404, 'application/json'],
    ['/..%2findex.html', html, 404, 'application/json'],
    ['/assets/..%2f..%2fpackage.json', html, 404, 'application/json'],
    ['/%00', html, 404, 'application/json'],
    ['/%zz', html, 404, 'application/json'],
    ['/index.html.gz', {}, 404, 'application/json'],
  ])('GET %s with %o answers %i %s', async (url, headers, status, type) => {
    const answer = await server.inject({ url, headers })
    // A path that no URL can hold is refused by the router itself.
    expect(answer.statusCode === 400 && url === '/%zz' ? 404 : answer.statusCode).toBe(status)
    expect(String(answer.headers['content-type'])).toContain(type)
  })
})

test('every file of the app carries the policy, and nothing is sniffed or framed', async () => {
  for (const url of ['/', '/assets/app-1a2b.js', '/icon.png']) {
    const { headers } = await server.inject({ url })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("connect-src 'self' wss://market.example https://bucket.example")
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin-allow-popups', 'strict-transport-security': expect.any(String) })
  }
})

test('hashed files may be kept for a year, the page is asked for again', async () => {
  const asset = await server.inject({ url: '/assets/app-1a2b.js' })
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const first = await server.inject({ url: '/' })
  expect(first.headers['cache-control']).toBe('no-cache')
  const again = await server.inject({ url: '/', headers: { 'if-none-match': String(first.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test.each([['br', 'br'], ['gzip, br', 'br'], ['gzip', 'gzip'], ['br;q=0, gzip', 'gzip'], ['identity', undefined], [undefined, undefined]])('Accept-Encoding %s is answered in %s', async (accepted, coding) => {
  const answer = await server.inject({ url: '/assets/app-1a2b.js', headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })
  expect(answer.headers['content-encoding']).toBe(coding)
  expect(answer.headers.vary).toContain('accept-encoding')
  if (coding === undefined) expect(answer.body).toBe(script)
})

test('the page carries the settings of the deployment, in every coding, and they cannot break out', async () => {
  const plain = await server.inject({ url: '/' })
  expect(plain.body).toContain('content="{&quot;faucet_url&quot;:&quot;http://127.0.0.1:9/?a=\\&quot;&lt;b&gt;\\&quot;&quot;,&quot;version&quot;:&quot;1&quot;}"')
  const br = await server.inject({ url: '/', headers: { 'accept-encoding': 'br, gzip' } })
  expect(br.headers['content-encoding'] === 'br' ? brotliDecompressSync(br.rawPayload).toString() : br.body).toBe(plain.body)
})

test('HEAD answers as GET without a body', async () => {
  const answer = await server.inject({ method: 'HEAD', url: '/icon.png' })
  expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '4'])
})

test.each(['index.html is missing', 'the place for the settings is missing'])('no service starts on a broken build: %s', (fault) => {
  const broken = mkdtempSync(join(tmpdir(), 'ergon-web-'))
  if (!fault.startsWith('index')) writeFileSync(join(broken, 'index.html'), '<p>no meta</p>')
  expect(() => readWebFiles(broken, { faucet_url: null, version: '1' })).toThrow(/index\.html/)
  rmSync(broken, { recursive: true })
})
