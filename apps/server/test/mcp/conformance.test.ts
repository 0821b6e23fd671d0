import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveMarket } from '../http/live-market.ts'
import { startLiveTools } from './live-tools.ts'
import { startSigningProxy } from './signing-proxy.ts'

let live: LiveMarket
let proxy: Awaited<ReturnType<typeof startSigningProxy>>
beforeAll(async () => {
  live = await startLiveTools({ SVC_MCP_CONFORMANCE: '1' })
  proxy = await startSigningProxy(live.url)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await live[Symbol.asyncDispose]()
})

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)

/** What the suite of the protocol's authors says, run as they run it. */
async function conform(revision: string): Promise<{ readonly exit: number; readonly said: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [suite, 'server', '--url', proxy.url, '--requirements', revision, '-o', folder],
        { maxBuffer: 64 * 1024 * 1024 },
        (error, out, err) => {
          resolve({ exit: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, said: `${out}${err}` })
        },
      )
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Its summary: what it scored, and what it ran beside, with its word for why that counts for nothing. */
function toldOf(revision: string, said: string) {
  const scenarios = [...said.matchAll(/^[✓✗] ([a-z0-9-]+): (\d+) passed, (\d+) failed$/gm)]
  const apart = new Map(
    [...said.matchAll(/^ {2}[✓✗] ([a-z0-9-]+) \(([a-z-]+)\)$/gm)].map(([, name, word]) => [name, word]),
  )
  const scored = scenarios.filter(([, name]) => !apart.has(name))
  const checks = scored.reduce((sum, [, , passed]) => sum + Number(passed), 0)
  return {
    said: `${revision}: ${String(scored.length)} scenarios that it scores, ${String(checks)} checks passed`,
    notGreen: scenarios
      .filter(([, , , failed]) => Number(failed) > 0)
      .map(([, name = '', passed = '', failed = '']) => ({
        name: `${revision}: ${name}`,
        reason: `${failed} of ${String(Number(passed) + Number(failed))} checks failed; ${whyApart(apart.get(name))}`,
      })),
  }
}

const whyApart = (word: string | undefined): string =>
  word === undefined ? 'the suite requires it' : `the suite does not score it: ${word}`

test.for([
  ['2026-07-28', 37],
  ['2025-11-25', 30],
] as const)('the tool server does what revision %s requires', async ([revision, required], { task }) => {
  const { exit, said } = await conform(revision)
  Object.assign(task.meta, { told: toldOf(revision, said) })
  expect(said.match(/^✓ [a-z0-9-]+: /gm)?.length, said.slice(-6_000)).toBeGreaterThanOrEqual(required)
  expect(exit, said.slice(-6_000)).toBe(0)
})
