import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '@ergon/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Party } from '../http/live-market.ts'
import { consent, register, startLiveOAuth, type LiveOAuth } from './live-oauth.ts'

let live: LiveOAuth
let party: Party
beforeAll(async () => {
  live = await startLiveOAuth()
  party = await live.market.party(0n)
})
afterAll(() => live?.[Symbol.asyncDispose]())

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)

/**
 * What the suite of the protocol's authors says about an authorization server, run as they run it: it prints where a
 * person consents, and waits on a port of its own.
 */
async function conform(revision: string, more: readonly string[]): Promise<{ exit: number | null; said: string }> {
  const port = String(await freePort())
  const clientId = await register(live.issuer, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  const given = ['--url', live.issuer, '--client-id', clientId, '--port', port, '--spec-version', revision]
  const child = spawn(process.execPath, [suite, 'authorization', ...given, ...more, '-o', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  const ended = once(child, 'close')
  let [said, isOpened] = ['', false]
  const consented: Promise<Response>[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [asked] = /http\S+\/oauth\/authorize\?\S+(?=\s)/.exec(said) ?? []
      if (asked === undefined || isOpened) return
      isOpened = true
      consented.push(consent(asked, party).then((back) => fetch(back)))
    })
  try {
    const [exit] = (await ended) as [number | null] // of a child that closed
    await Promise.all(consented)
    return { exit, said }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test.for([
  ['2026-07-28', 'the tools', () => ['--resource', `${live.issuer}/mcp`]],
  ['2026-07-28', 'nothing in particular', () => []],
  ['2025-11-25', 'the tools', () => ['--resource', `${live.issuer}/mcp`]],
] as const)(
  'the authorization server does what revision %s requires of it, asked for a token for %s',
  async ([revision, , more], { task }) => {
    const { exit, said } = await conform(revision, more())
    expect(said.match(/^✓ [a-z0-9-]+: .*$/gm), said.slice(-6_000)).toEqual([
      expect.stringContaining('authorization-server-metadata-endpoint'),
      expect.stringContaining('authorization-code-grant'),
    ])
    Object.assign(task.meta, {
      told: { said: `${revision}: ${/^Total: (.*)$/m.exec(said)?.[1] ?? 'nothing'}`, notGreen: [] },
    })
    expect(said).not.toMatch(/WARNING|[1-9]\d* (?:failed|warning)/)
    expect(exit, said.slice(-6_000)).toBe(0)
  },
)
