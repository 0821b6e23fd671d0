import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startConstellation, type Constellation } from '../constellation/constellation.ts'
import { freePort } from '../index.ts'
import { openGuide } from '../testing/guide.ts'

/** The code of docs/guides/webhooks.md, run as its reader runs it. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
// The packages the code imports are found from here, and nothing is left in the tree.
const cache = join(root, 'node_modules/.cache')

const guide = openGuide('webhooks.md')
let constellation: Constellation
let folder: string
let port: number
const children: ChildProcess[] = []
beforeAll(async () => {
  constellation = await startConstellation({
    ephemeral: true,
    env: { server: { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true' } },
  })
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'guide-'))
  port = await freePort()
  for (const code of guide.blocks('js')) writeFileSync(join(folder, /^\/\/ (\S+)\n/.exec(code)?.[1] ?? ''), code)
})
afterAll(async () => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

function start(file: string): { readonly child: ChildProcess; printed(): string } {
  const env = { ...process.env, PORT: String(port), ERGON_URL: constellation.record().serverUrl ?? '' }
  const child = spawn(process.execPath, [join(folder, file)], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  return { child, printed: () => text }
}

/** What it printed; it has to end well. */
async function run(file: string): Promise<string> {
  const { child, printed } = start(file)
  const [code] = (await once(child, 'close')) as [number | null] // of a child process
  expect(code, printed()).toBe(0)
  return printed()
}

async function until(printed: () => string, text: RegExp): Promise<void> {
  for (const deadline = Date.now() + 30_000; !text.test(printed()); await pause(20))
    if (Date.now() > deadline) throw new Error(`${String(text)} is not in:\n${printed()}`)
}

test('the guide to webhooks does what it says: receive, verify, rotate and replay', async () => {
  // The commands of the page: each runs a file of it, as `run` and `start` do.
  expect(guide.blocks('sh')).toEqual(['receive.mjs', 'register.mjs'].map((file) => `npm exec -- node ${file}\n`))
  expect(guide.left()).toEqual([])
  const receiver = start('receive.mjs')
  await until(receiver.printed, /receiving/)
  expect(
    (
      await fetch(`http://127.0.0.1:${String(port)}/`, {
        method: 'POST',
        body: '{"type":"webhook.challenge","data":{"token":"x"}}',
      })
    ).status,
  ).toBe(401)
  expect(await run('register.mjs')).toMatch(/ is active\n/)
  await until(receiver.printed, /got webhook\.test [\s\S]*got task\.created|got task\.created [\s\S]*got webhook\.test/)
  expect(await run('rotate.mjs')).toMatch(/the old secret signs until 20/)
  await until(receiver.printed, /(got webhook\.test [\s\S]*){2}/)
  const [, latest] = readFileSync(join(folder, 'secrets.txt'), 'utf8').trim().split('\n')
  // The old secret is forgotten: the new one alone is enough.
  writeFileSync(join(folder, 'secrets.txt'), `${latest ?? ''}\n`)
  expect(await run('replay.mjs')).toMatch(/task\.created 204\n[\s\S]*queued 1 and that is all/)
  await until(receiver.printed, /(again task\.created [\s\S]*){2}/)
  expect(receiver.printed().match(/got task\.created/g)).toHaveLength(1)
})
