import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startConstellation, type Constellation } from '@ergon/dev-env'
import { openGuide } from '@ergon/dev-env/testing'
import { privateKeySigner } from '@ergon/protocols'
import { createClient } from '@ergon/sdk'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { body, type Answer } from '../mcp/live-tools.ts'
import { HostMemory } from './host-memory.ts'
import { consent } from './live-oauth.ts'

/** The commands and the calls of docs/guides/connect-a-tool.md, as its reader and the host make them. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const guide = openGuide('connect-a-tool.md')
const patienceMs = 300_000
let constellation: Constellation
let folder: string

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true, env: { server: { SVC_OAUTH: 'true' } } })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(constellation.record()))
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

/** One shell goes through the whole page, as the reader's does; each block waits for what is done elsewhere. */
async function shell(script: string): Promise<string> {
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: folder }
  const adapted = script.replaceAll('http://127.0.0.1:4020', constellation.record().serverUrl ?? '')
  const child = spawn('bash', ['-c', `set -e\n${adapted}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  expect(code, out + err).toBe(0)
  return out
}

/** The host, which knows what is in its own file. */
async function connect(memory: HostMemory, url: string) {
  const client = new Client({ name: 'a host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: memory })
  const ready = client.connect(transport)
  return {
    ready,
    finish: (back: URLSearchParams) => transport.finishAuth(back),
    close: () => client.close(),
    call: async (block: string, ids: Readonly<Record<string, string>> = {}) => {
      const named = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(`"${name}"`, `"${id}"`), block)
      const { tool, arguments: given } = JSON.parse(named) as { tool: string; arguments: Record<string, unknown> }
      return (await client.callTool({ name: tool, arguments: given })) as Answer // tools here answer structured content
    },
  }
}

test(
  'the guide does what it says: a host publishes and pays for a browser wallet, and is disconnected',
  async () => {
    const { serverUrl = '', wallets } = constellation.record()
    const [worker = '', install = '', apply = '', submit = '', ...moreShell] = guide.blocks('sh')
    const [publish = '', check = '', approve = '', ...moreCalls] = guide.blocks('json')
    expect([moreShell, moreCalls, guide.left()]).toEqual([[], [], []])
    const own = worker
      .split('\n')
      .filter((line) => line.startsWith('export'))
      .join('\n')
    await shell(worker)
    await shell(`${own}\n${install}`)
    const files = ['.claude.json', '.cursor/mcp.json', '.vscode/mcp.json'].map(
      (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, { ergon: { url: string } }>,
    )
    const [url = '', ...others] = files.map((file) => Object.values(file)[0]?.ergon.url ?? '')
    expect(others).toEqual([url, url])

    const signer = privateKeySigner(wallets[0]?.privateKey ?? '0x')
    const person = { wallet: signer.address, signer }
    const memory = new HostMemory()
    const first = await connect(memory, url)
    await expect(first.ready).rejects.toBeInstanceOf(UnauthorizedError)
    await first.finish((await consent(memory.opened?.href ?? '', person)).searchParams)
    const host = await connect(memory, url)
    await host.ready

    const taskId = String(body(await host.call(publish))['id'])
    const [list = '', ...applies] = apply.split('\n')
    expect((await shell(`${own}\n${list}\necho "$TASK"`)).trim()).toBe(taskId)
    await shell(`${own}\n${list}\n${applies.join('\n')}`)

    // What the app does with the browser wallet.
    const publisher = createClient({ baseUrl: serverUrl, signer })
    const { applications } = await publisher.tasks.applications({ task_id: taskId })
    await publisher.assignWorker({ task_id: taskId, executor_id: applications[0]?.executor_id ?? '' })
    await shell(`${own}\nTASK=${taskId}\n${submit}`)

    const [submission] = body(await host.call(check, { TASK: taskId }))['submissions'] as [{ readonly id: string }]
    const ids = { SUBMISSION: submission.id }
    memory.opened = undefined
    await expect(host.call(approve, ids)).rejects.toBeInstanceOf(UnauthorizedError)
    const more = Object.entries({ approve: 'yes', usd: '1.00', count: '1' })
    await host.finish((await consent(String(memory.opened), person, { more })).searchParams)
    expect(body(await host.call(approve, ids))).toMatchObject({ status: 'approved', worker_net_usdc: 0.87 })

    const { grants } = await publisher.grants.list({})
    for (const { grant_id } of grants) await publisher.grants.revoke({ grant_id })
    await expect
      .poll(() => host.call(check, { TASK: taskId }).catch((error: unknown) => error), { timeout: 3_000 })
      .toBeInstanceOf(UnauthorizedError)
    await host.close()
  },
  patienceMs,
)
