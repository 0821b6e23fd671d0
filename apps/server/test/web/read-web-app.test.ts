import { createHash } from 'node:crypto'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ConfigError } from '../../src/index.ts'
import { pageHeaders } from '../../src/web/page-headers.ts'
import { readWebApp } from '../../src/web/read-web-app.ts'
import { page, picture, script, standInApp } from './stand-in-app.ts'

const settings = { faucet_url: null, service_url: 'http://market.test', version: '1' }

test('every file of the folder is read, hidden ones left out; those of assets are kept for ever', async () => {
  using built = standInApp()
  const { files, pageFor } = await readWebApp(built.dir, settings)
  expect([...files.keys()]).toEqual([
    '/assets/main-1a2b.js',
    '/icons/icon-192.png',
    '/index.html',
    '/manifest.webmanifest',
    '/sw.js',
  ])
  expect(files.get('/index.html')).toBe(pageFor('/', false))
  expect([...files.values()].filter((file) => file.isImmutable)).toEqual([files.get('/assets/main-1a2b.js')])
})

test('compressed neighbours are forms of their file; a file without them is compressed here', async () => {
  const [br, gz] = [brotliCompressSync(script), gzipSync(script, { level: 1 })]
  using built = standInApp({
    'assets/main-1a2b.js.br': br,
    'assets/main-1a2b.js.gz': gz,
    'assets/style-9f.css': 'a{color:red}'.repeat(100),
    'assets/lone.gz': gz,
  })
  const { files } = await readWebApp(built.dir, settings)
  const [given, made, image] = ['/assets/main-1a2b.js', '/assets/style-9f.css', '/icons/icon-192.png'].map((path) =>
    files.get(path),
  )
  expect([given?.br?.body, given?.gzip?.body]).toEqual([br, gz])
  expect([...files.keys()].filter((path) => path.endsWith('.br') || path.endsWith('.gz'))).toEqual(['/assets/lone.gz'])
  expect([brotliDecompressSync(made?.br?.body ?? ''), gunzipSync(made?.gzip?.body ?? '')]).toEqual([
    made?.identity.body,
    made?.identity.body,
  ])
  expect([image?.identity.body, image?.br, image?.gzip]).toEqual([picture, null, null])
})

test('the page of a screen names what it is drawn with and what it reads first, unless it is filtered; any other address gets the plain page', async () => {
  using built = standInApp({
    'preloads.json': JSON.stringify({
      '/': ['/assets/main-1a2b.js', '/api/v1/tasks?a=b&c=1'],
      '/tasks/$taskId': ['/assets/main-1a2b.js'],
    }),
  })
  const { files, pageFor } = await readWebApp(built.dir, settings)
  const textOf = (path: string, isFiltered = false): string => pageFor(path, isFiltered).identity.body.toString()
  const script = '<link rel="modulepreload" href="/assets/main-1a2b.js" crossorigin></head>'
  expect(textOf('/')).toContain(
    `<link rel="preload" as="fetch" href="/api/v1/tasks?a=b&amp;c=1" crossorigin="use-credentials">${script}`,
  )
  expect([
    textOf('/', true).includes('rel="preload"'),
    textOf('/', true).includes(script),
    textOf('/tasks/01').includes(script),
  ]).toEqual([false, true, true])
  for (const path of ['/tasks/01/02', '/tasks', '/elsewhere'])
    expect(pageFor(path, false)).toBe(files.get('/index.html'))
})

test.each([
  ['no JSON', '{'],
  ['no object', '1'],
  ['a file that is not there', '{"/":["/assets/gone.js"]}'],
  ['markup', '{"/":["/\\">"]}'],
  ['another origin', '{"/":["https://elsewhere.test/a.js"]}'],
  ['no list', '{"/":"/assets/main-1a2b.js"}'],
])('a list of preloads with %s stops the boot', async (_name, text) => {
  using built = standInApp({ 'preloads.json': text })
  await expect(readWebApp(built.dir, settings)).rejects.toThrow('build it again')
})

test('a style in the page is admitted by its hash, and the policy of a page without one names none', async () => {
  using plain = standInApp()
  expect((await readWebApp(plain.dir, settings)).styleSources).toEqual([])
  using styled = standInApp({ 'index.html': page.toString().replace('</head>', '<style>a{color:red}</style></head>') })
  expect((await readWebApp(styled.dir, settings)).styleSources).toEqual([
    `'sha256-${createHash('sha256').update('a{color:red}').digest('base64')}'`,
  ])
})

test('settings cannot break out of the markup, and a form compressed before they were written is not served', async () => {
  using built = standInApp({ 'index.html.br': brotliCompressSync(page) })
  const { pageFor } = await readWebApp(built.dir, { ...settings, faucet_url: 'http://x/?a="><script>&$&' })
  const index = pageFor('/', false)
  const text = index.identity.body.toString()
  expect(text).toContain(
    'content="{&quot;faucet_url&quot;:&quot;http://x/?a=\\&quot;&gt;&lt;script&gt;&amp;$&amp;&quot;,',
  )
  expect(text.match(/<script/g)).toHaveLength(1)
  expect(index.br === null || brotliDecompressSync(index.br.body).equals(index.identity.body)).toBe(true)
})

test.each([
  ['a folder that is not there', '/nowhere', {}, 'no folder'],
  ['a page without the place for settings', undefined, { 'index.html': '<!doctype html>' }, 'ergon-settings'],
  ['a name that a path cannot say plainly', undefined, { 'assets/a b.js': 'x' }, 'a b.js'],
  ['more than any app', undefined, { 'assets/big.bin': Buffer.alloc(65 * 1024 * 1024) }, '64 MiB'],
  [
    'more files than any app',
    undefined,
    Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`assets/${String(index)}.txt`, 'x'])),
    '2000 files',
  ],
] as const)('%s is refused at boot with what to do', async (_name, elsewhere, files, says) => {
  using built = standInApp(files)
  const reading = readWebApp(elsewhere ?? built.dir, settings)
  await expect(reading).rejects.toThrow(ConfigError)
  await expect(reading).rejects.toThrow(says)
})

test('a folder without a page is refused', async () => {
  using built = standInApp()
  rmSync(join(built.dir, 'index.html'))
  await expect(readWebApp(built.dir, settings)).rejects.toThrow('no index.html')
})

test('a link out of the folder is refused', async () => {
  using built = standInApp()
  symlinkSync('/etc/passwd', join(built.dir, 'passwd.txt'))
  await expect(readWebApp(built.dir, settings)).rejects.toThrow('neither a file nor a folder')
})

test('behind TLS the page insists on it, and reaches the bucket and sockets of its hosts alone', () => {
  const headers = pageHeaders({
    baseUrl: 'https://market.test',
    authorities: ['market.test', 'odd; script-src *'],
    bucketOrigin: 'https://store.test',
    faucetUrl: null,
    tilesOrigin: 'https://tiles.test',
    styleSources: [],
  })
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(headers['content-security-policy']).toContain(
    "connect-src 'self' wss://market.test https://store.test https://tiles.test;",
  )
  expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: https://store.test;")
  expect(headers['content-security-policy']?.match(/script-src/g)).toHaveLength(1)
})
