import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson, untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

/** A person who applied, and no longer wants the task before anybody is chosen. */
let theatre: Theatre
let publisher: Person
let worker: Person
let taskId: string
beforeAll(async () => {
  theatre = await openTheatre()
  publisher = await theatre.person(phone)
  await publisher.signIn('ada')
  await untilFunded(await publisher.account('ada'))
  taskId = await publishAsPerson(publisher, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 1,
    evidence_required: ['text_response'],
  })
  worker = await theatre.person(phone)
  await worker.signIn('bruno')
  const bruno = await worker.account('bruno')
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  await bruno.client.tasks.apply({ task_id: taskId })
}, 300_000)
afterAll(async () => {
  await worker?.[Symbol.asyncDispose]()
  await publisher?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const waiting = async (): Promise<number> =>
  (await (await publisher.account('ada')).client.tasks.applications({ task_id: taskId })).applications.filter(
    ({ status }) => status === 'pending',
  ).length

test('an application is taken back with the word why, and the task can be applied for again', async () => {
  const { page, open } = worker
  await open(`/tasks/${taskId}`)
  await page.getByText('Your place among those who wait: 1 of 1.').waitFor()
  expect(await waiting()).toBe(1)
  await page.getByRole('link', { name: 'Take it back' }).click()
  const dialog = page.getByRole('dialog', { name: 'Take your application back' })
  await dialog.getByLabel(/^Reason/).fill('I am away that day.')
  await dialog.getByRole('button', { name: 'Take it back' }).click()
  await page.getByText('Your application is taken back.').waitFor()
  expect(await waiting()).toBe(0)
  const apply = page.getByRole('link', { name: 'Apply', exact: true })
  await apply.waitFor()
  // Also after a reload: no event tells it.
  await page.reload()
  await apply.waitFor()
  await apply.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send application' }).click()
  await page.getByText('Your place among those who wait: 1 of 1.').waitFor()
  expect(await waiting()).toBe(1)
})
