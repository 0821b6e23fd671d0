import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { approveJob } from './job-steps.ts'
import { untilFunded } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test('whoever orders a service comes to the task it became, with the money set aside, and reviews and pays it there', async () => {
  await using ada = await theatre.person(phone)
  await using bruno = await theatre.person()
  const { page } = ada
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
  const title = 'I walk your dog'
  const { client } = await bruno.account('bruno')
  const { id } = await client.listings.create({
    // The last sign would turn the amount that follows it on the sheet.
    title: `${title}\u202e`,
    description: 'Around the block, and I write how it was.',
    category: 'simple_action',
    unit_price_usd: 21,
    skills: ['walking'],
  })
  await ada.open(`/services/${id}`)
  await page
    .getByRole('link', { name: /^Order for/ })
    .or(page.getByRole('button', { name: /^Order for/ }))
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Order for/ })
    .click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await signing.getByRole('heading', { name: `Order “${title}” for US$21.00`, exact: true }).waitFor()
  // The wallet is asked for the lock alone: the session says who orders.
  const heading = page.getByRole('heading', { level: 1 }).filter({ hasText: title })
  const onward = signing.getByRole('button', { name: 'Open the wallet' })
  const isThere = (): boolean => /\/tasks\/[\w-]{36}$/.test(page.url())
  while (!isThere()) {
    await onward.click({ timeout: 2_000 }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error
    })
  }
  await heading.waitFor()
  await page.getByText('Assigned', { exact: true }).first().waitFor()
  const taskId = /[\w-]{36}$/.exec(page.url())?.[0] ?? ''
  expect(new URL(page.url()).pathname).toBe(`/my/tasks/${taskId}`)

  const said = 'A green gate of iron, as high as a person.'
  await client.tasks.submit({ task_id: taskId, evidence: { text_response: said } })
  await page.reload()
  await approveJob(ada)
})
