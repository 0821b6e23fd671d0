import { freePort, startConstellation, type Constellation } from '@ergon/dev-env'
import { inheritedEnv, openGuide } from '@ergon/dev-env/testing'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPicture } from './small-picture.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = openGuide('command-line.md')
const patienceMs = 300_000
let constellation: Constellation
let folder: string

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  mkdirSync(join(root, '.cache'), { recursive: true })
  // Below the clone, as a reader works, so that the receiver finds the client library.
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(constellation.record()))
  writeFileSync(join(folder, 'board.png'), smallPicture())
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

/** What stays up in a terminal of its own: how to tell that it is ready. */
const lasting: Readonly<Record<string, string>> = {
  'node receiver.ts': 'until (exec 3<>/dev/tcp/127.0.0.1/3000) 2>/dev/null; do sleep 0.1; done',
  'ergon listen': 'until grep -q Forwarding listen.txt; do sleep 0.1; done',
}

/** The page as one script; what npm start would start is running already. */
function script(): string {
  const parts = guide.blocks('sh').map((block) => {
    const ready = Object.entries(lasting).find(([line]) => block.startsWith(line))?.[1]
    return ready === undefined
      ? block
      : `${block.replace(/ &\n$/, ` > ${block.startsWith('node') ? 'receiver' : 'listen'}.txt 2>&1 &\n`)}${ready}\n`
  })
  return [
    'set -e',
    "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
    ...parts,
    'for _ in $(seq 300); do grep -q task.created receiver.txt && break; sleep 0.1; done',
    'echo "--- received"; cat receiver.txt',
  ].join('\n')
}

test(
  'every command of the guide does what the page says',
  async () => {
    const { serverUrl = '' } = constellation.record()
    const port = String(await freePort())
    const adapted = (part: string): string =>
      part
        .replaceAll('http://127.0.0.1:4020', serverUrl)
        .replaceAll(/(?<=127\.0\.0\.1[:/])3000/g, port)
        .replaceAll('(3000,', `(${port},`)
        .replaceAll('board.jpg', 'board.png')
    const [receiver = '', ...others] = guide.blocks('ts')
    const all = script()
    expect([others, guide.left()]).toEqual([[], []])
    writeFileSync(join(folder, 'receiver.ts'), adapted(receiver))
    const env = {
      ...inheritedEnv(),
      PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
    }
    const child = spawn('bash', ['-c', adapted(all)], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patienceMs - 20_000,
    })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    // What was said last comes first: of a long message a build shows the beginning.
    const said = `${out}${err}`.trim().split('\n')
    expect(code, said.toReversed().join('\n')).toBe(0)
    for (const line of [
      'the file meets the rules',
      '10 test USDC',
      '  ok  balance',
      'Approved: 0.87 USDC to the worker',
      '\npaid\n',
      'Rated 95 of 100',
      'Rated 90 of 100',
      'paid on localnet',
      '\nin dispute\n',
      'is cancelled',
      '"mcpServers"',
      'received task.completed',
      'received task.created',
    ])
      expect(out, err).toContain(line)
  },
  patienceMs,
)
