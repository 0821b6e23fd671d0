import { startConstellation, type Constellation } from '@ergon/dev-env'
import { inheritedEnv, openGuide } from '@ergon/dev-env/testing'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The page that says what can be relied on: its commands, and the tests it names. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = openGuide('nobody-works-for-nothing.md')
const patienceMs = 240_000
let constellation: Constellation
let folder: string

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'rely-on-'))
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(constellation.record()))
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

test(
  'every command of the page does what it says',
  async () => {
    const { serverUrl = '' } = constellation.record()
    const script = ['set -e', ...guide.blocks('sh')].join('\n').replaceAll('http://127.0.0.1:4020', serverUrl)
    expect(guide.left()).toEqual([])
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: { ...inheritedEnv(), PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs - 20_000,
    })
    const ended = once(child, 'close')
    const [[code], out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    expect(code, out + err).toBe(0)
    for (const line of [
      'Not held: nothing is held: the money is not_funded',
      "the publisher's holds enough",
      'Held: the chain keeps 1 USDC for 0x',
      'signed by a published key of the service',
    ])
      expect(out, err).toContain(line)
  },
  patienceMs,
)

test('each promise names a test that is there', () => {
  const page = readFileSync(join(root, 'docs/guides/nobody-works-for-nothing.md'), 'utf8')
  const named = [...page.matchAll(/\| `(\S+\.test\.ts)` \|/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(9)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
