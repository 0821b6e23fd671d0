import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { createClient, privateKeySigner } from '@ergon/sdk'
import type { Hex } from '@ergon/protocols'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { injectWallet, type Moods } from './injected-wallet.ts'
import { publishJob } from './job-steps.ts'
import { registerAsPerson, untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const never = (): Promise<never> => new Promise(() => undefined)
const keys = { ada: `0x${'a1'.repeat(32)}`, bruno: `0x${'b2'.repeat(32)}` } as const satisfies Record<string, Hex>

/** Signs in with the wallet of the browser, on the screen that is open. */
async function enter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Browser wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open the wallet' }).click()
}

async function withWallet(person: Person, key: Hex, moods?: Moods): Promise<string> {
  const { chainId } = theatre.constellation.record()
  return (await injectWallet(person.context, key, chainId, moods)).address
}

async function fund(address: string): Promise<void> {
  const { faucetUrl = '' } = theatre.constellation.record()
  await fetch(new URL('/fund', faucetUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: theatre.url },
    body: JSON.stringify({ address }),
  })
}

const full = (): void => {
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  IDBFactory.prototype.open = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
}
const forbidden = (): void => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
}

test.each([
  ['full', full],
  ['forbidden', forbidden],
])(
  'where storage is %s, that nothing is kept is said, nothing typed is lost on the way in, and it is posted',
  async (how, script) => {
    await using person = await theatre.person(phone)
    const { page, open } = person
    await person.context.addInitScript(script)
    await withWallet(person, keys.ada)
    await open('/publish')
    const note = page.getByRole('status').filter({ hasText: 'This browser keeps nothing of this page' })
    await page.getByLabel('Title').fill(`Photograph the ${how} gate`)
    await note.waitFor()
    await page.getByText('This browser keeps none of it').waitFor()
    expect(await page.getByText('Kept in this browser').count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await enter(page)
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe(`Photograph the ${how} gate`)
    for (const path of ['/', '/find', '/work', '/account', '/notifications', '/my/tasks', '/status']) {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, path)
      await person.settled()
      expect(await page.getByRole('heading', { level: 1 }).first().innerText(), path).not.toMatch(/broke|wrong/i)
    }
    page.on('dialog', (dialog) => void dialog.accept())
    await publishJob(person, { title: `Photograph the ${how} gate`, bounty: '1.10', evidence: ['Answer in words'] })
  },
)

test('a wallet that refuses, is busy, throws nothing or never answers is told apart, and another one goes on', async () => {
  const moods: Moods = new Map()
  await using person = await theatre.person(phone)
  const { page, open } = person
  await withWallet(person, keys.ada, moods)
  await open('/sign-in')
  const ask = (): Promise<void> => page.getByRole('button', { name: 'Browser wallet' }).click()
  for (const [rejects, says] of [
    [{ code: 4001, message: 'User rejected the request.' }, 'You did not sign.'],
    [{ code: -32_002, message: 'Already pending.' }, 'Your wallet still asks you something.'],
    [undefined, 'The wallet could not do this.'],
    [{ code: 4100 }, 'The wallet could not do this.'],
  ] as const) {
    moods.set('eth_requestAccounts', async () => ({ rejects }))
    await ask()
    await page.getByRole('alert').filter({ hasText: says }).waitFor()
  }
  moods.set('eth_requestAccounts', async () => [])
  await ask()
  await page.getByRole('alert').filter({ hasText: 'The wallet could not do this.' }).waitFor()
  const late = Promise.withResolvers<readonly string[]>()
  moods.set('eth_requestAccounts', () => late.promise)
  await ask()
  await page.getByText('Browser wallet was asked.').waitFor()
  await page.getByRole('button', { name: 'Ada (test)' }).click()
  await page.getByText('Browser wallet was asked.').waitFor({ state: 'detached' })
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  await person.settled()
  late.resolve([privateKeySigner(keys.ada).address])
  await page.waitForTimeout(500)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a wallet that does not say its account, nor signs at first, locks the money once', async () => {
  const moods: Moods = new Map()
  await using person = await theatre.person(phone)
  const { page, open } = person
  const address = await withWallet(person, keys.ada, moods)
  await fund(address)
  await untilFunded({
    signer: privateKeySigner(keys.ada),
    client: createClient({ baseUrl: theatre.url, signer: privateKeySigner(keys.ada) }),
  })
  await open('/sign-in')
  await enter(page)
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  const taskId = await publishAsPerson(person, {
    title: 'Photograph the quiet gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1.3,
    evidence_required: ['text_response'],
  })
  const bruno = {
    signer: privateKeySigner(keys.bruno),
    client: createClient({ baseUrl: theatre.url, signer: privateKeySigner(keys.bruno) }),
  }
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  await bruno.client.tasks.apply({ task_id: taskId })
  await open(`/my/tasks/${taskId}`)
  // Neither which account it shows, nor on which chain it is, nor the first signature.
  const late = Promise.withResolvers<string>()
  for (const method of ['eth_accounts', 'eth_chainId']) moods.set(method, never)
  moods.set('eth_signTypedData_v4', () => late.promise)
  await page.getByRole('link', { name: /^Choose / }).click()
  const choose = page.getByRole('button', { name: 'Set the money aside' })
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await choose.click()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await signing.getByRole('status').waitFor()
  await signing.getByRole('button').filter({ hasNotText: 'Open the wallet' }).last().click()
  await page.getByRole('alert').filter({ hasText: 'You did not sign.' }).waitFor()
  // What it signs after that is sent nowhere.
  late.resolve(`0x${'11'.repeat(65)}`)
  await page.waitForTimeout(300)
  expect(await page.getByText('being set aside').count()).toBe(0)
  moods.delete('eth_signTypedData_v4')
  await choose.click()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('Assigned', { exact: true }).first().waitFor()
  const { data } = await bruno.client.call('tasks.get', { task_id: taskId })
  expect(data.status).toBe('accepted')
  await handInOnce(taskId)
})

/** On a device that took what waits to be sent and has no room for saying that it was. */
async function handInOnce(taskId: string): Promise<void> {
  await using worker = await theatre.person(phone)
  const { page, open } = worker
  await worker.context.addInitScript(() => {
    const put: IDBObjectStore['put'] = Reflect.get(IDBObjectStore.prototype, 'put')
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      const isSent = typeof value === 'object' && value !== null && Reflect.get(value, 'state') === 'sent'
      if (isSent) throw new DOMException('full', 'QuotaExceededError')
      return key === undefined ? put.call(this, value) : put.call(this, value, key)
    }
  })
  await withWallet(worker, keys.bruno)
  await open('/sign-in')
  await enter(page)
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(`/tasks/${taskId}/submit`)) sent += 1
  })
  await open(`/work/${taskId}/submit`)
  await page.locator('[id="evidence.text_response"]').getByRole('textbox').fill('It is closed.')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await expect.poll(() => sent).toBe(1)
  // It looks into its outbox every five seconds.
  await page.waitForTimeout(12_000)
  expect(sent).toBe(1)
  expect(await page.getByText('Waiting to be sent').count()).toBe(0)
}

test('between two signatures nothing is told as on its way, and a wallet that went elsewhere is told whose it has to be', async () => {
  const moods: Moods = new Map()
  await using person = await theatre.person(phone)
  const { page, open } = person
  const ada = privateKeySigner(`0x${'a3'.repeat(32)}`)
  await fund(await withWallet(person, `0x${'a3'.repeat(32)}`, moods))
  await untilFunded({ signer: ada, client: createClient({ baseUrl: theatre.url, signer: ada }) })
  await open('/sign-in')
  await enter(page)
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  const taskId = await publishAsPerson(person, {
    title: 'Photograph the other gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1.4,
    evidence_required: ['text_response'],
  })
  // Silence pays: that is the second signature.
  const said = await page.evaluate(async (id) => {
    const answer = await fetch(`/api/v1/tasks/${id}/policy`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on_silence: 'release', review_hours: 72 }),
    })
    return answer.status
  }, taskId)
  expect(said).toBe(200)
  const signer = privateKeySigner(`0x${'b4'.repeat(32)}`)
  const bruno = { signer, client: createClient({ baseUrl: theatre.url, signer }) }
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  await bruno.client.tasks.apply({ task_id: taskId })
  await open(`/my/tasks/${taskId}`)
  await page.getByRole('link', { name: /^Choose / }).click()
  const choose = page.getByRole('button', { name: 'Set the money aside' })
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await choose.click()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await signing.getByText('Let silence pay for this task').waitFor()
  expect(await page.getByText('being set aside').count()).toBe(0)
  moods.set('eth_accounts', async () => [privateKeySigner(keys.ada).address])
  moods.set('eth_signTypedData_v4', async () => ({ rejects: { code: 4100, message: 'Unauthorized.' } }))
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByRole('alert').filter({ hasText: 'Your wallet shows another account now.' }).waitFor()
  moods.clear()
  await choose.click()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await signing.getByText('Let silence pay for this task').waitFor()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('Assigned', { exact: true }).first().waitFor()
})
