import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startConstellation, type Constellation } from '@ergon/dev-env'
import { inheritedEnv, openGuide } from '@ergon/dev-env/testing'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, type Answer } from './bridge/host.ts'

/** The commands and the calls of docs/guides/pay-through-the-bridge.md, as its reader and the host make them. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = openGuide('pay-through-the-bridge.md')
const patienceMs = 300_000
let constellation: Constellation
let folder: string

beforeAll(async () => {
  constellation = await startConstellation({ ephemeral: true })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(constellation.record()))
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await constellation.stop()
})

async function shell(script: string): Promise<string> {
  const env = {
    ...inheritedEnv(),
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
  }
  const adapted = script.replaceAll('http://127.0.0.1:4020', constellation.record().serverUrl ?? '')
  const child = spawn('bash', ['-c', `set -e\n${adapted}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  expect(code, out + err).toBe(0)
  return out
}

type Entry = { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }

test(
  'the guide does what it says: a host pays for a job through the bridge that its own file starts',
  async () => {
    const [wallets = '', limits = '', install = '', apply = '', submit = '', ...moreShell] = guide.blocks('sh')
    const [publish = '', applicants = '', assign = '', check = '', approve = '', rate = '', ...moreCalls] =
      guide.blocks('json')
    const [question = '', ...moreTexts] = guide.blocks('text')
    expect([moreShell, moreCalls, moreTexts, guide.left()]).toEqual([[], [], [], []])
    const own = wallets
      .split('\n')
      .filter((line) => line.startsWith('export'))
      .join('\n')
    await shell(wallets)
    expect(await shell(`${own}\n${limits}`)).toContain('At most 2.00 USD for one task, 5.00 USD in 24 hours.')
    await shell(`${own}\n${install}`)

    const file = JSON.parse(readFileSync(join(folder, '.claude.json'), 'utf8')) as { mcpServers: { ergon: Entry } }
    const { command, args, env } = file.mcpServers.ergon
    const asked: string[] = []
    const client = new Client({ name: 'a host', version: '1' }, { capabilities: { elicitation: {} } })
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { sign: true } }
    })
    // A host hands on what its file says, and where the home of its person is.
    await client.connect(
      new StdioClientTransport({ command, args, env: { ...env, HOME: folder }, cwd: folder, stderr: 'inherit' }),
    )
    const call = async (block: string, ids: Readonly<Record<string, string>> = {}) => {
      const named = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(`"${name}"`, `"${id}"`), block)
      const { tool, arguments: given } = JSON.parse(named) as { tool: string; arguments: Record<string, unknown> }
      return bodyOf((await client.callTool({ name: tool, arguments: given })) as Answer)
    }

    const TASK = String((await call(publish))['id'])
    const [list = '', ...applies] = apply.split('\n')
    expect((await shell(`${own}\n${list}\necho "$TASK"`)).trim()).toBe(TASK)
    await shell(`${own}\n${list}\n${applies.join('\n')}`)
    const { applications } = (await call(applicants, { TASK })) as { applications: readonly { executor_id: string }[] }
    const WORKER = String(applications[0]?.executor_id)
    expect(await call(assign, { TASK, WORKER })).toMatchObject({ status: 'accepted' })
    // The page shows the question as it is, but for what differs each time.
    const pattern = question
      .trim()
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^\\n]*')
    expect(asked[0]).toMatch(new RegExp(`^${pattern}$`))
    await shell(`${own}\nTASK=${TASK}\n${submit}`)
    const { submissions } = (await call(check, { TASK })) as { submissions: readonly { id: string }[] }
    const SUBMISSION = String(submissions[0]?.id)
    expect(await call(approve, { SUBMISSION })).toMatchObject({ status: 'approved', worker_net_usdc: 0.87 })
    expect(asked).toHaveLength(2)
    expect(await call(rate, { TASK })).toMatchObject({ network: 'localnet' })
    await client.close()
  },
  patienceMs,
)
