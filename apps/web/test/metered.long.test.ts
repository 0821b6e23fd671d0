import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openTheatre, type Theatre } from './browser.ts'
import type { Account } from './person.ts'

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
  await publisher.page.getByRole('button', { name: 'Open a channel' }).click()
  await publisher.page.getByRole('button', { name: 'Local test wallet' }).click()
  const dialog = publisher.page.getByRole('dialog')
  await dialog.getByText('The most you can lose').waitFor()
  const said = (await dialog.innerText()).replaceAll('US$', '$')
  for (const text of ['$1.00', '87%', '15 minutes', 'Signed by']) expect(said).toContain(text)
  await dialog.getByRole('button', { name: 'Sign and open' }).click()
  await panel(publisher.page).getByText('Running').waitFor()

  // Both meters move while work is handed in, and nothing is reloaded.
  for (const boat of ['AT-4711', 'AT-4712', 'AT-4713'])
    await bruno.client.channels.tick({ task_id: taskId, evidence: { boat } })
  await panel(publisher.page)
    .getByText(/3 × scan/)
    .waitFor()
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
  await publisher.page.getByRole('button', { name: 'Open a channel' }).click()
  await publisher.page.getByRole('button', { name: 'Harbour Wallet' }).click()
  await publisher.page.getByRole('button', { name: 'Sign and open' }).click()
  // Who says no has lost nothing, and is told so.
  await publisher.page.getByText('The wallet did not sign. Nothing happened.').waitFor()
  const asked = await publisher.page.evaluate(() => Reflect.get(window, 'asked') as readonly string[])
  expect(asked).toHaveLength(1)
  expect((await ada.client.meters.get({ task_id: taskId })).state).toBe('unbound')
}, 180_000)
