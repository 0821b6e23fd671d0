import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { associatedTokenAccount } from '@ergon/channels'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../index.ts'
import { openGuide } from '../testing/guide.ts'

/** The code and commands of docs/guides/sell-an-endpoint.md, run as their reader runs them. */

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const guide = openGuide('sell-an-endpoint.md')
const [serveLine = '', sellLine = '', askLine = '', buyLine = ''] = guide.blocks('sh')

/** The file that a line of the page runs. */
const scriptIn = (line: string): string => /npm exec -- node (\S+)\n/.exec(line)?.[1] ?? ''
// The packages the code imports are found from here, and nothing is left in the tree.
const cache = join(root, 'node_modules/.cache')

let folder: string
const children: ChildProcess[] = []
beforeAll(() => {
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'guide-'))
  for (const code of guide.blocks('js')) writeFileSync(join(folder, /^\/\/ (\S+)\n/.exec(code)?.[1] ?? ''), code)
})
afterAll(async () => {
  for (const child of children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill()
    await once(child, 'close')
  }
  rmSync(folder, { recursive: true, force: true })
})

type Started = { readonly child: ChildProcess; printed(): string }

function start(words: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, words, { cwd: root, env: { ...process.env, ...env } })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
  return { child, printed: () => text }
}

async function until(printed: () => string, text: RegExp): Promise<void> {
  for (const deadline = Date.now() + 60_000; !text.test(printed()); await pause(20))
    if (Date.now() > deadline) throw new Error(`${String(text)} is not in:\n${printed()}`)
}

test('the guide to selling does what it says: a price, three paid calls, and the money', async () => {
  const port = String(await freePort())
  const weather = start([join(folder, scriptIn(serveLine))], { PORT: port })
  await until(weather.printed, /serving/)
  const [, sell = ''] = /npm run gateway -- --sell '([^']+)'/.exec(sellLine) ?? []
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const [, script = ''] = (scripts['gateway'] ?? '').split(' ')
  const gatewayPort = String(await freePort())
  const gateway = start([script, '--port', gatewayPort, '--sell', sell.replace('8080', port)])
  await until(gateway.printed, /buyer seed {2}0x[0-9a-f]{64}/)
  const said = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(gateway.printed())?.[1] ?? ''
  const gatewayUrl = said('gateway').replace('/weather', '')
  const asked = await fetch(askLine.trim().replace('curl -i http://127.0.0.1:4030', gatewayUrl))
  expect(asked.status).toBe(402)
  expect(asked.headers.get('www-authenticate')).toMatch(/^Payment id="/)
  const env = { GATEWAY: gatewayUrl, SEED: said('seed'), MINT: said('token') }
  const buyer = start([join(folder, scriptIn(buyLine))], env)
  const [code] = (await once(buyer.child, 'close')) as [number | null] // of a child process
  expect(code, buyer.printed()).toBe(0)
  expect(buyer.printed()).toMatch(/\{"place":"pune","degrees":21\} spent 7500n/)
  expect(buyer.printed()).toMatch(/paid 7500n back 992500n in [1-9A-HJ-NP-Za-km-z]{80,}/)
  const tokens = associatedTokenAccount(said('seller'), said('token'))
  const response = await fetch(said('ledger'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountBalance', params: [tokens] }),
  })
  // 87 % of 7,500.
  expect(await response.json()).toMatchObject({ result: { value: { amount: '6525' } } })
  // An endpoint that is away costs nothing, and what was put in comes back.
  weather.child.kill()
  await once(weather.child, 'close')
  const later = start([join(folder, scriptIn(buyLine))], env)
  expect([(await once(later.child, 'close'))[0], later.printed()]).toEqual([
    0,
    expect.stringMatching(/nothing is charged.* spent nothing\n[^]*paid 0n back 1000000n in/),
  ])
  expect(guide.left()).toEqual([])
})
