import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openGuide } from '@ergon/dev-env/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { injectWallet, type InjectedWallet } from './injected-wallet.ts'
import { assignJob } from './job-steps.ts'
import type { Person } from './person.ts'
import { startToolHost, type Structured, type ToolHost } from './tool-host.ts'

/** docs/guides/connect-a-tool.md: its commands in a shell, its calls by a host, its clicks in a browser. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const guide = openGuide('connect-a-tool.md')
const patienceMs = 300_000
const chainId = 31337
let theatre: Theatre
let folder: string

beforeAll(async () => {
  // As `npm start` has it.
  const server = { SVC_WEBHOOKS_ALLOW_LOOPBACK: 'true', SVC_OAUTH: 'true' }
  theatre = await openTheatre({ solana: true, env: { server } })
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache', 'guide-'))
  mkdirSync(join(folder, '.ergon'))
  writeFileSync(join(folder, '.ergon', 'constellation.json'), JSON.stringify(theatre.constellation.record()))
}, patienceMs)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await theatre?.[Symbol.asyncDispose]()
})

/** One shell goes through the whole page, as the reader's does; each block waits for what is done elsewhere. */
async function shell(script: string): Promise<string> {
  const env = { PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`, HOME: folder }
  const adapted = script.replaceAll('http://127.0.0.1:4020', theatre.serviceUrl)
  const child = spawn('bash', ['-c', `set -e\n${adapted}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  expect(code, out + err).toBe(0)
  return out
}

/** On the page that the host opened: the wallet fills in, the person reads and signs, and the browser goes back. */
async function allow(page: Page, at: string, wallet: InjectedWallet, limits?: { usd: string; count: string }) {
  await page.goto(at)
  await page.getByRole('button', { name: `Use ${wallet.name}` }).click()
  await expect.poll(() => page.getByLabel('Address of the wallet').inputValue()).toBe(wallet.address)
  const approving = page.getByLabel('Let the tool approve work')
  expect(await approving.isChecked()).toBe(false)
  if (limits !== undefined) {
    await approving.check()
    await page.getByLabel('At most, in USD').fill(limits.usd)
    await page.getByLabel('At most so many approvals').fill(limits.count)
  }
  // For a week the wallet is remembered, and the button is another.
  await page.getByRole('button', { name: limits === undefined ? 'Continue' : 'Allow', exact: true }).click()
  await page.getByRole('button', { name: `Sign with ${wallet.name}` }).click()
  if (limits !== undefined) {
    await page.getByRole('heading', { name: 'Sign the standing order' }).waitFor()
    await page.getByRole('button', { name: `Sign with ${wallet.name}` }).click()
  }
  await page.getByText('You can close this page.').waitFor()
}

async function signIn({ page, open, settled }: Person, { name }: InjectedWallet): Promise<void> {
  await open('/sign-in')
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  await settled()
}

/** A call as the guide prints it. */
function callOf(block: string, ids: Readonly<Record<string, string>> = {}): [string, Structured] {
  const named = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(`"${name}"`, `"${id}"`), block)
  const { tool, arguments: given } = JSON.parse(named) as { readonly tool: string; readonly arguments: Structured }
  return [tool, given]
}

/** What the commands wrote into the files of the hosts: the same address in each. */
function addressInFiles(): string {
  const files = ['.claude.json', '.cursor/mcp.json', '.vscode/mcp.json'].map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, { ergon: { url: string } }>,
  )
  const [url = '', ...others] = files.map((file) => Object.values(file)[0]?.ergon.url ?? '')
  expect(others).toEqual([url, url])
  return url
}

async function disconnectAll({ page, open }: Person): Promise<void> {
  await open('/account/tools')
  await page.getByRole('link', { name: 'Disconnect all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect all' }).click()
  await page.getByRole('heading', { name: 'No tool is connected' }).waitFor()
}

test(
  'whoever follows the guide with a browser wallet alone connects a host, pays through it, and disconnects it',
  async () => {
    const [worker = '', install = '', apply = '', submit = '', ...moreShell] = guide.blocks('sh')
    const [publish = '', check = '', approve = '', ...moreCalls] = guide.blocks('json')
    expect([moreShell, moreCalls, guide.left()]).toEqual([[], [], []])
    const exports = worker.split('\n').filter((line) => line.startsWith('export'))
    const own = exports.join('\n')
    await shell(worker)
    await shell(`${own}\n${install}`)

    await using person = await theatre.person()
    const [given] = theatre.constellation.record().wallets
    const wallet = await injectWallet(person.context, given?.privateKey ?? '0x', chainId)
    const before = await heldMoney(theatre, wallet.address)
    const consent: { limits?: { usd: string; count: string } } = {}
    await using host: ToolHost = await startToolHost(addressInFiles(), async (at) => {
      const page = await person.context.newPage()
      await allow(page, at, wallet, consent.limits)
      await page.close()
    })

    const published = await host.call(...callOf(publish))
    const [taskId, title] = [String(published['id']), String(callOf(publish)[1]['title'])]
    const [list = ''] = apply.split('\n')
    expect((await shell(`${own}\n${list}\necho "$TASK"`)).trim()).toBe(taskId)
    await shell(`${own}\n${apply}`)

    await signIn(person, wallet)
    await person.open('/my/tasks')
    await person.page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('link', { name: 'Look at the applicant' })
      .click()
    await assignJob(person)
    expect(await heldMoney(theatre, wallet.address)).toBe(before - 1_000_000n)
    await shell(`${own}\nTASK=${taskId}\n${submit}`)

    const { submissions } = await host.call(...callOf(check, { TASK: taskId }))
    const [submission] = submissions as readonly { readonly id: string }[] // of the one worker
    consent.limits = { usd: '1.00', count: '1' }
    const approved = await host.call(...callOf(approve, { SUBMISSION: submission?.id ?? '' }))
    expect(approved).toMatchObject({ status: 'approved', worker_net_usdc: 0.87 })
    expect(await heldMoney(theatre, wallet.address)).toBe(before - 1_000_000n)

    const reading = callOf(check, { TASK: taskId })
    expect(await host.isShutOut(...reading)).toBe(false)
    await disconnectAll(person)
    await expect.poll(() => host.isShutOut(...reading)).toBe(true)
  },
  patienceMs,
)
