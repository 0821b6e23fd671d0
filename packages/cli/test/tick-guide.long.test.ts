import { startConstellation, type Constellation } from '@ergon/dev-env'
import { inheritedEnv, openGuide } from '@ergon/dev-env/testing'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** docs/guides/work-by-the-tick.md, run word for word as its reader runs it. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = openGuide('work-by-the-tick.md')
const patienceMs = 300_000
let constellation: Constellation
let folder: string

beforeAll(async () => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  // Below the clone, as a reader works, so that its packages are found.
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
  const web = join(folder, 'app')
  mkdirSync(web)
  writeFileSync(join(web, 'index.html'), '<!doctype html><meta name="ergon-settings" content="{}">')
  // The faucet comes with the app, whatever that shows.
  constellation = await startConstellation({ ephemeral: true, solana: true, web: { dir: web } })
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(constellation.record()))
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

test(
  'every command of the guide does what the page says',
  async () => {
    const { serverUrl = '' } = constellation.record()
    const adapted = (part: string): string => part.replaceAll('http://127.0.0.1:4020', serverUrl)
    const [watch = '', balance = ''] = guide.blocks('js')
    const script = ['set -e', ...guide.blocks('sh'), 'ergon task show "$SIGNED"'].join('\n')
    expect(guide.left()).toEqual([])
    writeFileSync(join(folder, 'watch.mjs'), adapted(watch))
    writeFileSync(join(folder, 'balance.mjs'), balance)
    const child = spawn('bash', ['-c', adapted(script)], {
      cwd: folder,
      env: { ...inheritedEnv(), PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs - 20_000,
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    expect(code, out + err).toBe(0)
    for (const line of [
      'Paid at ',
      'paid by the unit, nothing is locked yet',
      'Opened ',
      'Accepted: number 1, 0.050000 USDC; 0.950000 left',
      'Accepted before: number 1, 0.050000 USDC; 0.950000 left',
      'Accepted: number 2, 0.050000 USDC; 0.900000 left',
      '2 scans at 0.05 (open)',
      'can be lost',
      'Closed: 0.1305 to the worker, 0.0195 fee, 0.85 back',
      '3 0.15 charged 0.85 left settled',
      // Of the one unit that the buyer signed for.
      'Closed: 0.0435 to the worker, 0.0065 fee, 0.95 back',
      // Of the session, a second.
      'Accepted: number 1, 0.050000 USDC; 0.950000 left',
      'open  0.05 of 1 USDC  Watching the harbour.',
      '1 seconds at 0.05 (open)',
      'Stopped: 0.0435 to the worker, 0.0065 fee, 0.95 back',
      'the worker holds 1000.2175',
      // Nothing is locked that silence could release.
      'no policy: at its deadline it ends',
      // What was accepted, and not the bounty.
      'Approved: 0.1305 USDC to the worker',
    ])
      expect(out, err).toContain(line)
  },
  patienceMs,
)
