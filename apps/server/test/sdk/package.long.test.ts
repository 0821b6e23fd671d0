import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'
import { buildPackage, bundle, type BuiltPackage } from './built-package.ts'

const patienceMs = 240_000
const readme = readFileSync(fileURLToPath(new URL('../../../../packages/sdk/README.md', import.meta.url)), 'utf8')
const quickstart = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''

let market: LineToMarket
let built: BuiltPackage
beforeAll(async () => {
  ;[market, built] = [await startLineToMarket(), await buildPackage()]
  writeFileSync(
    join(built.elsewhere, 'package.json'),
    JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }),
  )
  await built.tool('npm', [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefer-offline',
    built.tarball,
  ])
}, patienceMs)
afterAll(async () => {
  built[Symbol.dispose]()
  await market[Symbol.asyncDispose]()
})

const write = (name: string, text: string): void => {
  writeFileSync(join(built.elsewhere, name), text)
}
const types = fileURLToPath(new URL('../../../../node_modules/@types', import.meta.url))
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'ES2024',
}

test('the package names what it needs, and nothing of the workspace', () => {
  const manifest = JSON.parse(
    readFileSync(join(built.elsewhere, 'node_modules/@ergon/sdk/package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>> // its own manifest
  expect(manifest).toMatchObject({
    name: '@ergon/sdk',
    type: 'module',
    license: 'MIT',
    sideEffects: false,
    exports: { '.': { types: expect.any(String), default: expect.any(String) } },
  })
  expect(manifest).not.toHaveProperty('private')
  expect(manifest).not.toHaveProperty('repository')
  expect(Object.keys(manifest['dependencies'] as object)).toEqual([
    '@noble/curves',
    '@noble/hashes',
    'hash-wasm',
    'typebox',
  ])
})

test(
  'the quickstart of the README is short, compiles elsewhere, and pays a worker',
  async () => {
    expect(quickstart.trim().split('\n').length).toBeLessThan(30)
    write('quickstart.ts', quickstart)
    write(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          ...strict,
          module: 'NodeNext',
          lib: ['ES2024', 'ESNext.Disposable'],
          types: ['node'],
          typeRoots: [types],
        },
        files: ['quickstart.ts'],
      }),
    )
    await built.tool('tsc', ['--project', 'tsconfig.json'])
    const publisher = await market.live.party(2n)
    expect(
      await built.tool('node', ['quickstart.ts'], built.elsewhere, { ERGON_URL: market.url, ERGON_KEY: publisher.key }),
    ).toMatch(/^paid in 0x[0-9a-f]{64}\n$/)
    expect(await market.live.balance(publisher.wallet)).toBe(500_000n)
  },
  patienceMs,
)

test(
  'a program for pages compiles elsewhere, and wrong words do not',
  async () => {
    const page = `import { createClient, eip1193Signer, ErgonError } from '@ergon/sdk'
import type { Eip1193Provider, LiveEvent, MarketEvent } from '@ergon/sdk'
export async function start(wallet: Eip1193Provider): Promise<void> {
  const client = createClient({ baseUrl: location.origin, signer: await eip1193Signer(wallet), session: true })
  await client.signIn()
  const live = await client.connectEvents({ rooms: ['global', 'category:research'] })
  for await (const event of live) told(event)
  for await (const event of client.events({ types: ['task.created'] })) title(event)
  await client.tasks.get({ task_id: '' }).catch((error: unknown) => {
    if (error instanceof ErgonError && error.is('TASK_NOT_FOUND')) alert(error.recovery)
  })
}
const told = (event: LiveEvent): string => (event.event === 'TaskCreated' ? event.data.title : event.id)
const title = (event: MarketEvent<'task.created'>): string => event.data.title
`
    write('page.ts', page)
    write(
      'wrong.ts',
      page
        .replace("'category:research'", "'category:nonsense'")
        .replace("'TASK_NOT_FOUND'", "'TASK_LOST'")
        .replace('event.data.title : event.id', 'event.data.submission_id : event.id'),
    )
    const lib = ['ES2024', 'DOM', 'DOM.AsyncIterable', 'ESNext.Disposable']
    write(
      'tsconfig.pages.json',
      JSON.stringify({
        compilerOptions: { ...strict, module: 'ESNext', moduleResolution: 'bundler', lib, types: [] },
        files: ['page.ts', 'wrong.ts'],
      }),
    )
    const complaint: unknown = await built
      .tool('tsc', ['--project', 'tsconfig.pages.json'])
      .catch((error: unknown) => error)
    const complained = String(complaint)
      .match(/\w+\.ts\(\d+,\d+\): error/g)
      ?.map((line) => line.split('(')[0])
    expect(complained).toEqual(['wrong.ts', 'wrong.ts', 'wrong.ts'])
  },
  patienceMs,
)

test(
  'a program without a compiler publishes and hears of it',
  async () => {
    write(
      'program.js',
      `import { createClient, ErgonError, generatePrivateKey, privateKeySigner } from '@ergon/sdk'
const client = createClient({ baseUrl: process.argv[2], signer: privateKeySigner(generatePrivateKey()) })
const live = await client.connectEvents()
const { id } = await client.tasks.publish({
  title: 'Is it open?',
  instructions: 'Walk there and write whether it is open.',
  category: 'simple_action',
  bounty_usd: 1,
  evidence_required: ['text_response'],
})
const { value } = await live.next()
live.close()
const error = await client.tasks.get({ task_id: 'x' }).catch((thrown) => thrown)
console.log(JSON.stringify({ id, told: value.data.task_id, event: value.event, refused: error instanceof ErgonError }))
`,
    )
    const { id, ...rest } = JSON.parse(await built.tool('node', ['program.js', market.url])) as Readonly<
      Record<string, unknown>
    > // what the program prints
    expect(rest).toEqual({ told: id, event: 'TaskCreated', refused: true })
    expect((await market.client().tasks.get({ task_id: String(id) })).status).toBe('published')
  },
  patienceMs,
)

test(
  'a bundler takes only what is used',
  async () => {
    const sizeOf = async (name: string): Promise<{ readonly bytes: number; readonly zipped: number }> => {
      const code = await bundle(`import { ${name} } from '@ergon/sdk'\nglobalThis.used = ${name}`, built.elsewhere)
      return { bytes: code.length, zipped: gzipSync(code).length }
    }
    const [webhook, signer, client] = [
      await sizeOf('verifyWebhook'),
      await sizeOf('privateKeySigner'),
      await sizeOf('createClient'),
    ]
    console.info(
      `bundled and minified: verifyWebhook ${String(webhook.bytes)} B, privateKeySigner ` +
        `${String(signer.bytes)} B, createClient ${String(client.bytes)} B (${String(client.zipped)} B zipped)`,
    )
    expect(webhook.bytes).toBeLessThan(3_000)
    expect(signer.bytes).toBeLessThan(60_000)
    expect(client.bytes).toBeLessThan(340_000)
  },
  patienceMs,
)

test(
  'the bundle for pages is free of what only Node has',
  async () => {
    const code = await bundle("export * from '@ergon/sdk'", built.elsewhere)
    expect(code.match(/["']node:\w+["']/g)).toBeNull()
  },
  patienceMs,
)
