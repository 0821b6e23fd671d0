import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, solanaSeedSigner, type SolanaSigner } from '@ergon/sdk'
import { openTheatre, type Theatre } from './browser.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ solana: true })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** A key that has an account for the token, and test dollars. */
async function fundedKey(): Promise<SolanaSigner> {
  const signer = solanaSeedSigner(crypto.getRandomValues(new Uint8Array(32)))
  const { faucetUrl = '' } = theatre.constellation.record()
  const body = JSON.stringify({ address: signer.address })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(new URL('/fund', faucetUrl), { method: 'POST', headers, body })).ok).toBe(true)
  return signer
}

test('metered work that was handed in is approved for what was accepted, and the wallet is asked for nothing', async () => {
  await using publisher = await theatre.person({ viewport: { width: 390, height: 844 } })
  await using worker = await theatre.person()
  await publisher.signIn('ada')
  await worker.signIn('bruno')
  const [ada, bruno] = await Promise.all([publisher.account('ada'), worker.account('bruno')])
  const { solana, serverUrl = '' } = theatre.constellation.record()
  const person = createClient({ baseUrl: serverUrl, signer: ada.signer, session: true })
  await person.signIn({ origin: new URL(serverUrl).origin })
  const { id: task_id } = await person.h2a.publish({
    ...{ title: 'Count the boats', instructions: 'Count every boat that enters the harbour, and say its number.' },
    ...{ category: 'data_collection', bounty_usd: 1, evidence_required: ['text_response'], payment_network: 'solana' },
    payment_streaming: { rail: 'solana_channel', unit: 'scan', price_per_unit: '0.05', cap_usd: '1' },
  })
  const [payer, paid] = [await fundedKey(), await fundedKey()]
  const { id: executor_id } = await bruno.client.workers.register({ name: 'Bruno' })
  await bruno.client.bindPayoutAddress({ executor_id, signer: paid })
  await bruno.client.tasks.apply({ task_id })
  await person.assignWorker({ task_id, executor_id })
  await ada.client.openChannel({ task_id, payer, worker: paid.address, ...(solana && { mint: solana.mint }) })
  for (const boat of ['AT-4711', 'AT-4712', 'AT-4713'])
    await bruno.client.channels.tick({ task_id, evidence: { boat } })
  await bruno.client.tasks.submit({ task_id, evidence: { text_response: 'Three boats, all of them white.' } })
  await bruno.client.waitFor(task_id, ({ status }) => status === 'verifying')

  const { page, open } = publisher
  await open(`/my/tasks/${task_id}/review`)
  await page.getByText('You pay for what was accepted').waitFor()
  const main = (await page.locator('main').innerText()).replaceAll('US$', '$')
  for (const text of ['$0.15', '$0.1305', '$0.0195']) expect(main).toContain(text)
  await page.getByRole('link', { name: 'Approve and pay' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Total, out of what you put in').waitFor()
  const said = (await dialog.innerText()).replaceAll('US$', '$')
  for (const text of ['$0.15', '$0.1305', '$0.0195']) expect(said).toContain(text)
  expect(said).not.toContain('$0.87')
  await dialog.getByRole('button', { name: 'Approve and pay' }).click()
  await page.getByText('Rate the worker').waitFor()
  expect(await ada.client.tasks.get({ task_id })).toMatchObject({ status: 'completed' })
  expect(await ada.client.meters.get({ task_id })).toMatchObject({
    ...{ state: 'settled', settled_usd: 0.15, worker_usd: 0.1305, refund_usd: 0.85 },
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
}, 180_000)
