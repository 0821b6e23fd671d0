import { spawn, type ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startConstellation, type Constellation } from '@ergon/dev-env'
import { createClient, privateKeySigner } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostsFor, snippetsFor, type SnippetName } from '../src/features/developers/snippets.ts'
import { pictureOf } from './picture.ts'

/** Every block of the developers' page, run as it is copied: Node's in Node, the shell's in a shell. */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const patienceMs = 240_000

let constellation: Constellation
let origin: string
let folder: string
let snippets: Readonly<Record<SnippetName, string>>
const ran = new Set<SnippetName>()
const children: ChildProcess[] = []
beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true, env: { server: { SVC_OAUTH: 'true' } } })
  origin = constellation.record().serverUrl ?? ''
  snippets = snippetsFor(origin)
  // Below the clone, as a reader works, so that the blocks find the client library.
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'developers-'))
  writeFileSync(join(folder, 'photo.png'), pictureOf([200, 120, 40]))
  writeFileSync(join(folder, 'passphrase'), 'of a test')
}, patienceMs)
afterAll(async () => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

const keyOf = (index: number): string => constellation.record().wallets[index]?.privateKey ?? ''

function saved(name: SnippetName): string {
  ran.add(name)
  const file = join(folder, `${name}.mjs`)
  writeFileSync(file, snippets[name])
  return file
}

/** Runs a program of this folder; `said` grows while it runs. */
function start(program: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const path = `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`
  const child = spawn(program, [...words], {
    cwd: folder,
    env: { PATH: path, HOME: folder, ERGON_PASSPHRASE_FILE: join(folder, 'passphrase'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  const faults = text(child.stderr)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then(async (code) => {
    expect(code, said + (await faults)).toBe(0)
    return said
  })
  return { ended, said: () => said, child }
}
const node = (name: SnippetName, key: string) => start(process.execPath, [saved(name)], { WALLET_KEY: key })
const shell = (...names: readonly SnippetName[]): Promise<string> =>
  start('bash', [
    '-ec',
    names
      .map((name) => {
        ran.add(name)
        return snippets[name]
      })
      .join('\n'),
  ]).ended

test('reads are answered to anybody', async () => {
  const answers = (await shell('read', 'a2a')).trim().split(/\n?(?<=\})(?=\{)/)
  expect(answers).toHaveLength(5)
  for (const answer of answers) expect(JSON.parse(answer)).not.toHaveProperty('error')
})

test(
  'one publishes and pays, the other hands in a photo, and the events tell it',
  async () => {
    const [publisher, worker] = [keyOf(0), keyOf(1)]
    const events = node('events', worker)
    events.ended.catch(() => undefined) // it goes on until it is ended
    await pause(1_000)
    const publishing = node('rest', publisher)
    const reader = createClient({ baseUrl: origin })
    const openTasks = async (): Promise<number> => (await reader.tasks.available({})).total
    await expect.poll(openTasks, { timeout: 30_000, interval: 1_000 }).toBe(1)
    const working = node('worker', worker)
    expect(await publishing.ended).toBe('the worker got 0.087\n')
    expect(await working.ended).toBe('the task is completed\n')
    await expect.poll(events.said, { timeout: 15_000 }).toMatch(/task\.assigned [\s\S]*payment\.released /)
    events.child.kill()
  },
  patienceMs,
)

test('a webhook is checked, and one that nobody signed is refused', async () => {
  const secret = `whsec_${Buffer.from('a secret of this test').toString('base64')}`
  const body = JSON.stringify({ id: 'one', type: 'webhook.challenge', data: { token: 'prove it' } })
  const at = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', 'a secret of this test').update(`one.${at}.${body}`).digest('base64')
  const call = `
    import { receive } from ${JSON.stringify(pathToFileURL(saved('webhooks')).href)}
    const headers = ${JSON.stringify({ 'webhook-id': 'one', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` })}
    const body = ${JSON.stringify(body)}
    const sent = (more) => receive(new Request('http://receiver.test/', { method: 'POST', headers: { ...headers, ...more }, body }))
    console.log(await (await sent({})).text(), (await sent({ 'webhook-id': 'two' })).status)`
  writeFileSync(join(folder, 'call.mjs'), call)
  const said = await start(process.execPath, ['call.mjs'], { ERGON_WEBHOOK_SECRET: secret }).ended
  expect(said).toBe('{"token":"prove it"} 401\n')
})

test(
  'the command line starts a profile, and finds and takes a task',
  async () => {
    const { tasks } = createClient({ baseUrl: origin, signer: privateKeySigner(hex(keyOf(0))) })
    await tasks.publish({
      title: 'Count the chairs',
      instructions: 'Count the chairs in the hall and write the number.',
      category: 'data_collection',
      bounty_usd: 0.2,
      evidence_required: ['text_response'],
    })
    expect(await shell('cli')).toContain('Count the chairs')
    await shell('connect', 'mcpSigned')
    const claude = readFileSync(join(folder, '.claude.json'), 'utf8')
    expect(JSON.parse(claude)).toHaveProperty('mcpServers.ergon')
  },
  patienceMs,
)

test('the address of the tools is where a host finds them, in every configuration', async () => {
  ran.add('mcpHttp').add('mcpCodex')
  const urls = [snippets.mcpHttp, snippets.mcpCodex, ...hostsFor(origin).map((host) => host.text)].map(
    (block) => /"(http:[^"]+)"/.exec(block)?.[1],
  )
  expect(new Set(urls)).toEqual(new Set([`${origin}/mcp/`]))
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a host', version: '1' } }
  const answer = await fetch(urls[0] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  // Without a token a host is sent to sign in; with none asked for it is answered.
  expect([200, 401]).toContain(answer.status)
})

test('no block of the page was left out', () => {
  expect(Object.keys(snippets).filter((name) => !ran.has(name as SnippetName))).toEqual([]) // its own keys
})

const hex = (key: string): `0x${string}` => `0x${key.slice(2)}`
