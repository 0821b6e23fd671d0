import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage, bundle, type BuiltPackage } from './built-package.ts'
import { startLineToMarket, type LineToMarket } from './line-to-market.ts'

const patienceMs = 240_000
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let market: LineToMarket
let built: BuiltPackage
let browser: Browser
beforeAll(async () => {
  market = await startLineToMarket()
  built = await buildPackage()
  writeFileSync(
    join(built.elsewhere, 'package.json'),
    JSON.stringify({ name: 'elsewhere', private: true, type: 'module' }),
  )
  await built.tool('npm', [
    'install',
    '--silent',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefer-offline',
    built.tarball,
  ])
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags })
}, patienceMs)
afterAll(async () => {
  await browser.close()
  built[Symbol.dispose]()
  await market[Symbol.asyncDispose]()
})

/** A wallet as an extension would put it into the page: it keeps the key, counts what it is asked, and signs. */
const wallet = (key: string): string => `
const account = privateKeySigner('${key}')
const asked = []
window.ethereum = {
  async request({ method, params = [] }) {
    asked.push(method)
    if (method === 'eth_requestAccounts') return [account.address]
    if (method === 'personal_sign') {
      const pairs = params[0].slice(2).match(/../g)
      return account.signMessage(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)))
    }
    if (method !== 'eth_signTypedData_v4') throw new Error('the wallet does not know ' + method)
    const { types: { EIP712Domain, ...types }, ...document } = JSON.parse(params[1])
    if (EIP712Domain === undefined) throw new Error('a wallet wants the type of the domain')
    return account.signTypedData({ ...document, types })
  },
}`

const page = (key: string): string => `import { createClient, eip1193Signer, privateKeySigner } from '@ergon/sdk'
${wallet(key)}
const client = createClient({ baseUrl: location.origin, signer: await eip1193Signer(window.ethereum), session: true })
window.signedIn = async () => ({ wallet: (await client.signIn()).wallet, cookies: document.cookie, asked })
window.published = async () => {
  const live = await client.connectEvents()
  const { id } = await client.h2a.publish({
    title: 'Is the gate open?',
    instructions: 'Walk to the gate and write whether it is open.',
    category: 'simple_action',
    bounty_usd: 1.5,
    target_executor_type: 'any',
    evidence_required: ['text_response'],
  })
  const { value } = await live.next()
  live.close()
  return { id, told: value.data.task_id, event: value.event }
}
window.assigned = async (input) => ({ escrow_tx: (await client.assignWorker(input)).escrow_tx, asked })
window.isReady = true
`

test(
  'a page signs in with its wallet, publishes, hears of it and locks the bounty',
  async () => {
    const publisher = await market.live.party(2n)
    const code = await bundle(page(publisher.key), built.elsewhere)
    const context = await browser.newContext()
    const tab = await context.newPage()
    const complaints: string[] = []
    tab.on('pageerror', ({ message }) => {
      complaints.push(message)
    })
    // A document that the service itself sent: one made up by the test would be from nowhere, and Chromium lets nothing
    // from
    // nowhere open a socket to this machine.
    await tab.goto(`${market.url}/llms.txt`)
    await tab.addScriptTag({ type: 'module', content: code })
    await tab.waitForFunction('window.isReady === true', undefined, { timeout: 20_000 }).catch((error: unknown) => {
      throw new Error(`the page did not load: ${complaints.join('; ')}`, { cause: error })
    })

    const signedIn = await tab.evaluate('window.signedIn()')
    expect(signedIn).toEqual({ wallet: publisher.wallet, cookies: '', asked: ['eth_requestAccounts', 'personal_sign'] })
    const published = await tab.evaluate<{ readonly id: string }>('window.published()')
    expect(published).toEqual({ id: expect.any(String), told: published.id, event: 'TaskCreated' })

    const worker = market.client()
    const { id: executor_id } = await worker.workers.register({ name: 'A neighbour' })
    await worker.tasks.apply({ task_id: published.id })
    const assigned = await tab.evaluate(`window.assigned(${JSON.stringify({ task_id: published.id, executor_id })})`)
    expect(assigned).toEqual({
      escrow_tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      asked: expect.arrayContaining(['eth_signTypedData_v4']),
    })
    expect(await market.live.balance(publisher.wallet)).toBe(500_000n)
    expect(complaints).toEqual([])
    await context.close()
  },
  patienceMs,
)
