import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as door from '../src/index.ts'

const root = new URL('../', import.meta.url)

/** Where the manifest sends a browser for each of its own names. */
async function portableTargets(): Promise<Readonly<Record<string, string>>> {
  // The manifest is ours; its shape is the one written there.
  const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    imports: Record<string, { default: string }>
  }
  return Object.fromEntries(Object.entries(manifest.imports).map(([name, target]) => [name, target.default]))
}

/** Every module a browser loads, and every bare package it needs. */
async function browserGraph(): Promise<{
  readonly files: ReadonlySet<string>
  readonly packages: ReadonlySet<string>
}> {
  const portable = await portableTargets()
  const [files, packages] = [new Set<string>(), new Set<string>()]
  const queue = [new URL('src/index.ts', root).href]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (files.has(next)) continue
    files.add(next)
    const source = await readFile(new URL(next), 'utf8')
    for (const [, specifier = ''] of source.matchAll(/(?:from |import\()'([^']+)'/g)) {
      const target = portable[specifier]
      if (target !== undefined) queue.push(new URL(target, root).href)
      else if (specifier.startsWith('.')) queue.push(new URL(specifier, next).href)
      else packages.add(specifier)
    }
  }
  return { files, packages }
}

test('a browser loads no part of Node and no native addon', async () => {
  const { files, packages } = await browserGraph()
  expect(files.size).toBeGreaterThan(30)
  expect([...packages].sort()).toEqual([
    '@noble/curves/ed25519.js',
    '@noble/curves/secp256k1.js',
    '@noble/hashes/sha2.js',
    '@noble/hashes/sha3.js',
    'hash-wasm',
  ])
})

test('importing the front door starts nothing: a process that only imports it ends by itself', async () => {
  const script = `await import(${JSON.stringify(new URL('src/index.ts', root).href)}); console.log(process.getActiveResourcesInfo().filter((kind) => !/Pipe|TTY|FS|Wrap/.test(kind)).length)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 20_000,
  })
  expect(stdout.trim()).toBe('0')
})

test.each([
  'verifyRequest',
  'signRequest',
  'contentDigest',
  'signingPolicy',
  'hashTypedData',
  'privateKeySigner',
  'checkPaymentAuth',
  'escrowAuthorizationChallenge',
  'lifecycleOrderDigest',
  'releaseApprovalDigest',
  'standingOrderDigest',
  'standingRevocationDigest',
  'relayedGiveFeedbackDigest',
  'delegationCode',
  'buildSignInMessage',
  'networkByName',
  'loadFastKeccak',
] as const)('%s is exported', (name) => {
  expect(door[name]).toBeTypeOf('function')
})
