import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { solanaSeedSigner } from '@ergon/sdk'
import { openTheatre, type Theatre } from './browser.ts'
import type { Account, Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ solana: true })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** Published by the software of a person, with that person's wallet; taken by the other. */
async function assignedTask(ada: Account, bruno: Account, unit: 'scan' | 'second'): Promise<string> {
  const { id } = await ada.client.tasks.publish({
    title: `Count the boats by the ${unit}`,
    instructions: 'Count every boat that enters the harbour, and say its number.',
    category: 'data_collection',
    bounty_usd: 1,
    evidence_required: ['text_response'],
    payment_network: 'solana',
    payment_streaming: { rail: 'solana_channel', unit, price_per_unit: '0.05', cap_usd: '1' },
  })
  const { id: executor_id } = await bruno.client.workers.register({ name: 'Bruno' })
  await bruno.client.tasks.apply({ task_id: id })
  await ada.client.assignWorker({ task_id: id, executor_id })
  return id
}

const panel = (page: Page) => page.getByRole('region', { name: 'The meter' })

test('a metered task shows its meter while it runs; each side signs by its Solana wallet, and leaves with what is its own', async () => {
  await using publisher = await theatre.person()
  await using worker = await theatre.person({ viewport: { width: 390, height: 844 } })
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([publisher.account('ada'), worker.account('bruno')])
  const taskId = await assignedTask(ada, bruno, 'scan')

  // The worker says where it is paid, by a text that is no payment.
  await worker.open(`/tasks/${taskId}`)
  await panel(worker.page).getByText('No money in it yet').waitFor()
  // What a unit pays and the most of it, and no bounty that nobody gets.
  const offer = worker.page.getByRole('region', { name: 'What it pays' })
  await offer.getByText('For each accepted scan').waitFor()
  const offered = (await offer.innerText()).replaceAll('US$', '$')
  for (const text of ['0.05', 'Up to $1.00 in all', '87%']) expect(offered).toContain(text)
  expect(offered).not.toContain('You get')
  await worker.page.getByRole('button', { name: 'Say where you are paid' }).click()
  await worker.page.getByText('signs a text, not a payment').waitFor()
  await worker.page.getByRole('button', { name: 'Local test wallet' }).click()
  await worker.page.getByRole('button', { name: 'Sign the text' }).click()
  await worker.page.getByText('You are paid at').first().waitFor()

  // The publisher reads what it signs before it signs.
  await publisher.open(`/tasks/${taskId}`)
  await publisher.page.getByRole('button', { name: 'Put money in' }).click()
  await publisher.page.getByRole('button', { name: 'Local test wallet' }).click()
  const dialog = publisher.page.getByRole('dialog')
  await dialog.getByText('The most you can lose').waitFor()
  await dialog.getByText('The addresses').click()
  const said = (await dialog.innerText()).replaceAll('US$', '$')
  for (const text of ['$1.00', '87%', '15 minutes', 'Signed by']) expect(said).toContain(text)
  await dialog.getByRole('button', { name: 'Sign and start' }).click()
  await panel(publisher.page).getByText('Running').waitFor()

  // Both meters move while work is handed in, and nothing is reloaded.
  for (const boat of ['AT-4711', 'AT-4712', 'AT-4713'])
    await bruno.client.channels.tick({ task_id: taskId, evidence: { boat } })
  await panel(publisher.page).getByText('3 scans').waitFor()
  const shown = (await panel(publisher.page).innerText()).replaceAll('US$', '$')
  for (const text of ['$0.15', '$0.1305', '$0.0195', '$0.85']) expect(shown).toContain(text)
  await panel(worker.page)
    .getByText(/\$0\.1305/)
    .first()
    .waitFor()
  const wide = await worker.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wide).toBeLessThanOrEqual(0)

  // The worker leaves with its pay; the rest goes back.
  await worker.page.getByRole('button', { name: 'Close and take my pay' }).click()
  await worker.page
    .getByRole('dialog')
    .getByText(/\$0\.1305 is paid to you/)
    .waitFor()
  await worker.page.getByRole('button', { name: 'Close it' }).click()
  await panel(worker.page).getByText('Paid out').waitFor()
  await panel(publisher.page).getByText('Went back').waitFor()
  const meter = await ada.client.meters.get({ task_id: taskId })
  expect(meter).toMatchObject({ state: 'settled', worker_usd: 0.1305, refund_usd: 0.85 })
}, 180_000)

test('a person posts a task that is paid by the unit, and sees the most that it can lose', async () => {
  await using publisher = await theatre.person({ viewport: { width: 390, height: 844 } })
  await publisher.signIn('ada')
  const { page } = publisher
  await publisher.open('/publish')
  await page.getByLabel('Title').fill('Count the boats')
  await page.getByLabel('What has to be done').fill('Count every boat that enters the harbour, and say its number.')
  await page.getByLabel('Kind of task').selectOption('Simple errand')
  await page.getByRole('button', { name: 'Go on to the proof' }).click()
  await page
    .getByRole('group', { name: 'What the worker has to hand in' })
    .getByLabel('Answer in words', { exact: true })
    .check()
  await page.getByRole('button', { name: 'Go on to the price' }).click()
  await page.getByRole('button', { name: 'By the unit, as it is done' }).click()
  await page.getByLabel('What is counted').selectOption('scan')
  // What is no price is said where it is typed.
  await page.getByLabel('Price of one scan').fill('zero')
  await page.getByLabel('The most you can lose').fill('4')
  await page.getByRole('button', { name: 'Go on to check it' }).click()
  await page.locator('[aria-invalid="true"]').waitFor()
  await page.getByLabel('Price of one scan').fill('0.05')
  await page.getByRole('button', { name: 'Go on to check it' }).click()
  await page.getByText('Either of you can end it').waitFor()
  const said = (await page.locator('main').innerText()).replaceAll('US$', '$')
  for (const text of ['The most you can lose', '$4.00', 'Up to $4.00 in all', 'For each accepted scan'])
    expect(said).toContain(text)
  expect(said).not.toContain('arbiter')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Post it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Count the boats' }).waitFor()
  const { client } = await publisher.account('ada')
  const id = /\/tasks\/([\w-]+)/.exec(page.url())?.[1] ?? ''
  expect(await client.meters.get({ task_id: id })).toMatchObject({
    ...{ state: 'unbound', unit: 'scan', price_per_unit: '0.05', cap_usd: 4 },
  })
  expect(await client.tasks.get({ task_id: id })).toMatchObject({ bounty_usd: 4, payment_network: 'solana' })
}, 180_000)

test('a wallet of the Wallet Standard is found, shown, and asked with the transaction that was explained', async () => {
  await using publisher = await theatre.person({ expected: /./ })
  await using worker = await theatre.person()
  await publisher.context.addInitScript(() => {
    const asked: string[] = []
    Object.assign(window, { asked })
    const wallet = {
      name: 'Harbour Wallet',
      features: {
        'standard:connect': {
          connect: () => Promise.resolve({ accounts: [{ address: 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9' }] }),
        },
        'solana:signTransaction': {
          signTransaction: ({ transaction }: { transaction: Uint8Array }) => {
            asked.push(String(transaction.length))
            return Promise.reject(new Error('no'))
          },
        },
        'solana:signMessage': { signMessage: () => Promise.reject(new Error('no')) },
      },
    }
    type Api = { register(wallet: unknown): void }
    window.addEventListener('wallet-standard:app-ready', (event) => {
      ;(event as CustomEvent<Api>).detail.register(wallet)
    })
  })
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([publisher.account('ada'), worker.account('bruno')])
  const taskId = await assignedTask(ada, bruno, 'second')
  await worker.open(`/tasks/${taskId}`)
  await worker.page.getByRole('button', { name: 'Say where you are paid' }).click()
  await worker.page.getByRole('button', { name: 'Local test wallet' }).click()
  await worker.page.getByRole('button', { name: 'Sign the text' }).click()
  await worker.page.getByText('You are paid at').first().waitFor()
  await publisher.open(`/tasks/${taskId}`)
  await publisher.page.getByRole('button', { name: 'Put money in' }).click()
  await publisher.page.getByRole('button', { name: 'Harbour Wallet' }).click()
  await publisher.page.getByRole('button', { name: 'Sign and start' }).click()
  // Who says no has lost nothing, and is told so.
  await publisher.page.getByText('The wallet did not sign. Nothing happened.').waitFor()
  const asked = await publisher.page.evaluate(() => Reflect.get(window, 'asked') as readonly string[])
  expect(asked).toHaveLength(1)
  expect((await ada.client.meters.get({ task_id: taskId })).state).toBe('unbound')
}, 180_000)

/** The worker, paid at an address of its own. */
async function paidWorker({ client }: Account): Promise<string> {
  const { id } = await client.workers.register({ name: 'Bruno' })
  const signer = solanaSeedSigner(crypto.getRandomValues(new Uint8Array(32)))
  // Whoever is paid has an account for the token.
  const { faucetUrl = '' } = theatre.constellation.record()
  const funded = await fetch(new URL('/fund', faucetUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: signer.address }),
  })
  expect(funded.ok).toBe(true)
  await client.bindPayoutAddress({ executor_id: id, signer })
  return id
}

/** It is listed among the tasks as what it is: nothing is handed in, and each address of a task leads to its meter. */
async function findAmongTasks({ page, open }: Person, list: '/work' | '/my/tasks', id: string): Promise<void> {
  await open(list)
  const row = page.getByRole('listitem').filter({ hasText: 'Watching the harbour.' })
  expect(await row.innerText()).not.toMatch(/hand in|software|Session by/i)
  await row.getByRole('link', { name: 'See the meter' }).click()
  await page.getByRole('heading', { level: 1, name: 'Watching the harbour.' }).waitFor()
  for (const path of [`/tasks/${id}`, list === '/work' ? `/work/${id}/submit` : `/my/tasks/${id}`]) {
    await open(path)
    await page.waitForURL((url) => url.pathname === '/sessions' && url.searchParams.get('id') === id)
    await page.getByLabel('Your message').waitFor()
  }
}

test('a person pays for the time of another from its page; both find the session, watch it run, and either stops it', async () => {
  await using buyer = await theatre.person({ viewport: { width: 390, height: 844 } })
  await using worker = await theatre.person()
  await buyer.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([buyer.account('ada'), worker.account('bruno')])
  const executorId = await paidWorker(bruno)
  const { page } = buyer
  await buyer.open(`/people/${executorId}`)
  await page.getByRole('link', { name: 'Pay for their time' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Paid by the').selectOption('second')
  // What is no price is said where it is typed, and nothing begins.
  await form.getByLabel('Price of one second').fill('zero')
  await form.getByLabel('The most you can lose').fill('1')
  await form.getByRole('button', { name: 'Begin a session' }).click()
  await form.locator('[aria-invalid="true"]').first().waitFor()
  await form.getByLabel('Price of one second').fill('0.01')
  await form.getByLabel('What it is about').fill('Watching the harbour.')
  // A reload costs nothing of it, and once it has begun nothing of it is left.
  await page.reload()
  await expect.poll(() => form.getByLabel('What it is about').inputValue()).toBe('Watching the harbour.')
  expect(await form.getByLabel('Price of one second').inputValue()).toBe('0.01')
  await form.getByRole('button', { name: 'Begin a session' }).click()
  await page.getByRole('heading', { name: 'Watching the harbour.' }).waitFor()
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.draft.')))).toEqual([])
  await page.getByText('Put money in, and the meter can run.').waitFor()
  await findAmongTasks(buyer, '/my/tasks', id)
  await findAmongTasks(worker, '/work', id)
  await buyer.open(`/sessions?id=${id}`)
  await page.getByRole('button', { name: 'Put money in' }).click()
  await page.getByRole('button', { name: 'Local test wallet' }).click()
  await page.getByRole('button', { name: 'Sign and start' }).click()
  await panel(page).getByText('Running').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)

  // The worker finds it, and has its time accepted while its clock runs.
  await worker.open('/earnings')
  await worker.page.getByRole('link', { name: 'By the minute' }).click()
  await worker.page.getByRole('link', { name: 'You earn' }).click()
  await worker.page.getByRole('link', { name: 'Watching the harbour.' }).click()
  await worker.page.getByRole('button', { name: 'Start the clock' }).click()
  await worker.page.getByText('The clock runs.').waitFor()
  await expect
    .poll(async () => (await ada.client.streams.get({ session_id: id })).consumed_usd, { timeout: 30_000 })
    .toBeGreaterThan(0.01)
  await worker.page.getByRole('button', { name: 'Pause the clock' }).click()

  // The buyer stops it: what was accepted is paid, the rest comes back, and the list says so.
  await page.getByRole('button', { name: 'Close and take the rest back' }).click()
  await page.getByRole('button', { name: 'Close it' }).click()
  await panel(page).getByText('Paid out').waitFor()
  await page.getByRole('link', { name: 'All sessions' }).click()
  await page.getByText('Paid out').waitFor()
  const over = await ada.client.streams.get({ session_id: id })
  expect(over).toMatchObject({ state: 'settled', is_over: true })
  expect(over.settled_usd).toBe(over.consumed_usd)
  expect(over.settled_usd + (over.refund_usd ?? 0)).toBeCloseTo(1, 6)
}, 180_000)

test('a session has no English title for whoever reads in Spanish, on its page and in the news', async () => {
  await using buyer = await theatre.person()
  await using worker = await theatre.person({ locale: 'es-ES' })
  await buyer.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([buyer.account('ada'), worker.account('bruno')])
  const { session_id: id } = await ada.client.streams.start({
    executor_id: await paidWorker(bruno),
    unit: 'minute',
    price_per_unit: '0.01',
    cap_usd: '1',
  })
  const called = 'Tiempo pagado según pasa'
  await using visitor = await theatre.person({ locale: 'es-ES' })
  await visitor.open(`/tasks/${id}`)
  await visitor.page.getByRole('heading', { level: 1, name: called }).waitFor()
  expect(await visitor.page.title()).toContain(called)
  const rows = ({ page }: Person): Locator => page.getByRole('main').locator(`li:has(a[href*="${id}"])`)
  await worker.open('/notifications')
  await rows(worker).filter({ hasText: called }).first().waitFor()
  expect(await rows(worker).filter({ hasText: 'Session by' }).count()).toBe(0)
})

/** A buyer puts money in and says that it signs each payment itself. */
async function deskOf({ open, page }: Person, taskId: string): Promise<Locator> {
  await open(`/tasks/${taskId}`)
  await page.getByRole('button', { name: 'Put money in' }).click()
  await page.getByRole('button', { name: 'Local test wallet' }).click()
  await page.getByRole('radio', { name: /I do, each payment/ }).check()
  await page.getByRole('button', { name: 'Sign and start' }).click()
  await panel(page).getByText('Running').waitFor()
  return page.getByRole('region', { name: 'You sign each payment' })
}

test('a buyer who signs each payment pays what it confirms, and by itself no more than it set', async () => {
  await using buyer = await theatre.person()
  await using worker = await theatre.person()
  await buyer.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([buyer.account('ada'), worker.account('bruno')])
  await paidWorker(bruno)
  const taskId = await assignedTask(ada, bruno, 'second')
  const { page } = buyer
  const desk = await deskOf(buyer, taskId)
  await desk.getByText('What you sign').click()
  await desk.getByText('It does not expire').waitFor()
  // Nobody else pays for it: a unit without the buyer's word is refused.
  await expect(bruno.client.channels.tick({ task_id: taskId, evidence: { boat: 'AT-4711' } })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  await desk.getByRole('button', { name: 'Local test wallet' }).click()
  const consumed = async (): Promise<number> => (await ada.client.meters.get({ task_id: taskId })).consumed_uusdc
  expect(await consumed()).toBe(0)
  await page.waitForTimeout(300)
  await desk.getByRole('button', { name: 'Pay for the time so far' }).click()
  await expect.poll(consumed, { timeout: 20_000 }).toBeGreaterThan(0)
  await desk.getByLabel('Sign for me automatically, up to').fill('5')
  await desk.getByRole('button', { name: 'Sign automatically' }).click()
  await desk.getByText('More than was paid, and no more than may be spent.').waitFor()
  await desk.getByLabel('Sign for me automatically, up to').fill('0.15')
  await desk.getByRole('button', { name: 'Sign automatically' }).click()
  await desk.getByText('The amount that you set is reached.').waitFor()
  await page.waitForTimeout(2_500)
  expect(await consumed()).toBe(150_000)
  const { newest_voucher: voucher, voucher_signer } = await bruno.client.channels.get({ task_id: taskId })
  expect([voucher_signer, voucher?.voucher.cumulativeAmount]).toEqual(['client', '150000'])
  await page.getByRole('button', { name: 'Close and take the rest back' }).click()
  await page.getByRole('button', { name: 'Close it' }).click()
  await panel(page).getByText('Paid out').waitFor()
  expect(await ada.client.meters.get({ task_id: taskId })).toMatchObject({ worker_usd: 0.1305, refund_usd: 0.85 })
}, 180_000)

test('a buyer who signs each payment pays one counted unit with one press, and the next with the next', async () => {
  await using buyer = await theatre.person({ viewport: { width: 390, height: 844 } })
  await using worker = await theatre.person()
  await buyer.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([buyer.account('ada'), worker.account('bruno')])
  await paidWorker(bruno)
  const taskId = await assignedTask(ada, bruno, 'scan')
  const { page } = buyer
  const desk = await deskOf(buyer, taskId)
  await desk.getByRole('button', { name: 'Local test wallet' }).click()
  // A unit has its price before it is signed; time that goes on by itself is nothing that is counted.
  await desk.getByRole('button', { name: /^Pay for one more scan: (?:US)?\$0\.05 in all$/ }).click()
  await panel(page).getByText('1 scan', { exact: true }).waitFor()
  expect(await desk.getByRole('button', { name: 'Sign automatically' }).count()).toBe(0)
  const { newest_voucher: first } = await bruno.client.channels.get({ task_id: taskId })
  expect(first?.voucher.cumulativeAmount).toBe('50000')
  await desk.getByRole('button', { name: /^Pay for one more scan: (?:US)?\$0\.10 in all$/ }).click()
  await panel(page).getByText('2 scans', { exact: true }).waitFor()
  const { newest_voucher: second } = await bruno.client.channels.get({ task_id: taskId })
  expect(second?.voucher.cumulativeAmount).toBe('100000')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  // The worker leaves with what the two vouchers promise.
  await worker.open(`/tasks/${taskId}`)
  await worker.page.getByRole('button', { name: 'Close and take my pay' }).click()
  await worker.page.getByRole('button', { name: 'Close it' }).click()
  await panel(worker.page).getByText('Paid out').waitFor()
  expect(await ada.client.meters.get({ task_id: taskId })).toMatchObject({ worker_usd: 0.087, refund_usd: 0.9 })
}, 180_000)
