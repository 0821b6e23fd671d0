import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation, type Constellation } from '../constellation/constellation.ts'
import { inheritedEnv } from '../testing/index.ts'
import { openGuide } from '../testing/guide.ts'

/** docs/guides/your-own-agent.md, run word for word; then once more, with a Bob who is stopped in the middle. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
// The packages the code imports are found from here, and nothing is left in the tree.
const cache = join(root, 'node_modules/.cache')
const patienceMs = 120_000
const guide = openGuide('your-own-agent.md')
const [keys = '', alice = '', bob = '', ...moreCommands] = guide.blocks('sh')
const [printed = '', ...moreTexts] = guide.blocks('text')

let constellation: Constellation
let folder: string
beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'guide-'))
  for (const code of guide.blocks('js')) writeFileSync(join(folder, /^\/\/ (\S+)\n/.exec(code)?.[1] ?? ''), code)
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

async function run(script: string): Promise<string> {
  const url = constellation.record().serverUrl ?? ''
  const child = spawn('bash', ['-c', `set -e -o pipefail\n${script.replaceAll('http://127.0.0.1:4020', url)}`], {
    cwd: folder,
    env: { ...inheritedEnv(), PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patienceMs - 20_000,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  expect(code, out + err).toBe(0)
  return out
}

const plain = (said: string): string => said.replaceAll(/\b[0-9a-f-]{36}\b/g, 'id')

test('nothing of the page is left out', () => {
  expect([moreCommands, moreTexts, guide.left()]).toEqual([[], [], []])
})

test('the job prints what the page says', { timeout: patienceMs }, async () => {
  const said = await run([keys, alice, bob].join('\n'))
  expect(said).toMatch(/^working .*\n(?:.*\n)*?completed task\.completed$/m)
  expect(plain(said).endsWith(plain(printed))).toBe(true)
})

test(
  'a Bob who is killed at once, and again, does the same job when he comes back',
  { timeout: patienceMs },
  async () => {
    const [until = '', work = '', ...rest] = bob.split('\n')
    const killed = [0.4, 0.8, 1.2].map((seconds) => `timeout -s KILL ${String(seconds)} env ${work} || true`)
    const said = await run(
      [keys, alice.replace('alice.txt', 'again.txt'), until, ...killed, work, ...rest]
        .join('\n')
        .replaceAll('alice.txt', 'again.txt'),
    )
    expect(said).toMatch(/^completed /m)
    expect(plain(said).endsWith(plain(printed))).toBe(true)
  },
)
