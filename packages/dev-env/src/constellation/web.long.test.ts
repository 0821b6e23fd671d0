import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAddresses } from '@ergon/contracts'
import { generatePrivateKey, privateKeySigner, tokenAbi } from '@ergon/protocols'
import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScreen } from '../cli/start-screen.ts'
import { startConstellation, type Constellation } from './constellation.ts'

let dir: string
let constellation: Constellation
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ergon-web-'))
  mkdirSync(join(dir, 'assets'))
  writeFileSync(
    join(dir, 'index.html'),
    '<!doctype html><meta name="ergon-settings" content="{}"><title>Stand-in</title>',
  )
  writeFileSync(join(dir, 'assets/main-1.js'), 'export {}')
  constellation = await startConstellation({ ephemeral: true, web: { dir } })
})
afterAll(async () => {
  await constellation.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('one command serves the app, which is told of a faucet that funds its wallet on the chain', async () => {
  const { webUrl = '', faucetUrl = '', rpcUrl } = constellation.record()
  const page = await fetch(`${webUrl}tasks/new`, { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toContain(` ${faucetUrl};`)
  const [, content = ''] = /name="ergon-settings" content="([^"]*)"/.exec(await page.text()) ?? []
  // What the server wrote into the page it was given.
  const settings = JSON.parse(content.replaceAll('&quot;', '"')) as { readonly faucet_url: string }
  expect(settings.faucet_url).toBe(faucetUrl)

  const wallet = privateKeySigner(generatePrivateKey()).address
  const funded = await fetch(`${settings.faucet_url}/fund`, {
    method: 'POST',
    headers: { origin: new URL(webUrl).origin, 'content-type': 'application/json' },
    body: JSON.stringify({ address: wallet }),
  })
  expect([funded.status, funded.headers.get('access-control-allow-origin')]).toEqual([200, new URL(webUrl).origin])
  const chain = createPublicClient({ transport: http(rpcUrl) })
  expect(
    await chain.readContract({
      abi: tokenAbi,
      address: localAddresses.TestUSD,
      functionName: 'balanceOf',
      args: [wallet],
    }),
  ).toBe(1_000_000_000n)
})

test('the screen after the start says first where the app is', () => {
  const record = constellation.record()
  const addresses = startScreen(record, 1).match(/http:\/\/[^\s\u001B]+/g) ?? []
  expect(addresses[0]).toBe(record.webUrl)
  // Browsers keep passkeys for a name, never for an address.
  expect(new URL(record.webUrl ?? '').hostname).toBe('localhost')
  expect(startScreen({ ...record, webUrl: undefined, faucetUrl: undefined }, 1)).not.toMatch(/browser|faucet/)
})

test('a page that cannot be served stops the start with the reason', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'ergon-web-'))
  await expect(startConstellation({ ephemeral: true, web: { dir: empty } })).rejects.toThrow('holds no index.html')
  rmSync(empty, { recursive: true, force: true })
})
