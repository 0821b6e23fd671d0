import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { setOffline } from './line.ts'
import { registerAsPerson, untilFunded, type Account, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

/** A line that is lost when what was asked for is done: it is not asked for twice, and not told as failed for long. */
let theatre: Theatre
let ada: Person
let bruno: Person
let paying: Account
let working: Account
beforeAll(async () => {
  theatre = await openTheatre()
  ada = await theatre.person(phone)
  bruno = await theatre.person({ ...phone, expected: /net::ERR_CONNECTION_RESET/ })
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  ;[paying, working] = [await ada.account('ada'), await bruno.account('bruno')]
  await untilFunded(paying)
  await registerAsPerson(theatre.url, working, 'Bruno')
}, 300_000)
afterAll(async () => {
  await bruno?.[Symbol.asyncDispose]()
  await ada?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

let prices = 100

async function handedIn(title: string): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  prices += 1
  const task_id = await publishAsPerson(ada, {
    title,
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: prices / 100,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await working.client.tasks.apply({ task_id })
  await paying.client.assignWorker({ task_id, executor_id })
  const evidence = { text_response: 'It is green.' }
  const { submission_id } = await working.client.tasks.submit({ task_id, evidence })
  return { taskId: task_id, submissionId: submission_id }
}

/** The service carries out what is posted there, and the line is gone before the answer comes. */
async function loseLine(context: BrowserContext, path: string): Promise<void> {
  await context.route(path, async (route) => {
    if (route.request().method() === 'POST') {
      await route.fetch()
      await setOffline(context, true)
      await route.abort('connectionreset')
    } else await route.continue()
  })
}

async function healLine(context: BrowserContext, path: string): Promise<void> {
  await context.unroute(path)
  await setOffline(context, false)
}

const lostSays = 'The service cannot be reached.'
const draftsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('ergon.draft.')))
const toast = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()
const textsOf = async (taskId: string): Promise<readonly string[]> =>
  (await working.client.messages.list({ task_id: taskId })).messages.map(({ text }) => text)

test('a message whose answer was lost is told as sent once the line is back, however often it was pressed', async () => {
  const { taskId, submissionId } = await handedIn('Write at the gate')
  const { page, open, context } = bruno
  await open(`/submissions/${submissionId}`)
  await page.getByLabel('Your message').fill('Hello at the gate.')
  await loseLine(context, '**/messages')
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await send.click()
  await page.getByRole('alert').filter({ hasText: lostSays }).waitFor()
  await context.unroute('**/messages')
  await send.click()
  await page.getByRole('alert').filter({ hasText: lostSays }).waitFor()
  await healLine(context, '**/messages')
  await toast(page, 'Your message was sent.')
  await expect.poll(() => page.getByLabel('Your message').inputValue()).toBe('')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await textsOf(taskId)).toEqual(['Hello at the gate.'])
  expect(await draftsOn(page)).toEqual([])
  // The same words are another message, where the first was answered.
  await page.getByLabel('Your message').fill('Hello at the gate.')
  await send.click()
  await expect.poll(() => textsOf(taskId)).toEqual(['Hello at the gate.', 'Hello at the gate.'])
})

test('a message whose answer was lost before a reload is not written twice by whoever sends it again', async () => {
  const { taskId, submissionId } = await handedIn('Write again at the gate')
  const { page, open, context } = bruno
  await open(`/submissions/${submissionId}`)
  await page.getByLabel('Your message').fill('Is it you?')
  await loseLine(context, '**/messages')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('alert').filter({ hasText: lostSays }).waitFor()
  await context.route('**/operations/*', (route) => route.abort('connectionreset'))
  await healLine(context, '**/messages')
  await open(`/submissions/${submissionId}`)
  await context.unroute('**/operations/*')
  expect(await page.getByLabel('Your message').inputValue()).toBe('Is it you?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await toast(page, 'Your message was sent.')
  expect(await textsOf(taskId)).toEqual(['Is it you?'])
  expect(await draftsOn(page)).toEqual([])
})

test('what is typed while the words before are on their way stays', async () => {
  const { taskId, submissionId } = await handedIn('Type on at the gate')
  const { page, open, context } = bruno
  await open(`/submissions/${submissionId}`)
  const field = page.getByLabel('Your message')
  await field.fill('First.')
  const answered = Promise.withResolvers<undefined>()
  await context.route('**/messages', async (route) => {
    if (route.request().method() === 'POST') await answered.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await field.fill('First. And a second thought.')
  answered.resolve(undefined)
  await toast(page, 'Your message was sent.')
  await context.unroute('**/messages')
  expect(await field.inputValue()).toBe('First. And a second thought.')
  expect(await textsOf(taskId)).toEqual(['First.'])
  await field.fill('')
})

test('a dispute whose answer was lost is told as opened once the line is back, and leaves nothing behind', async () => {
  const { submissionId } = await handedIn('Dispute at the gate')
  const { page, open, context } = bruno
  await open(`/submissions/${submissionId}?do=dispute`)
  const dialog = page.getByRole('dialog', { name: 'Open a dispute' })
  await dialog.getByLabel('What it is about').selectOption('no_response')
  await dialog.getByLabel('What is wrong').fill('Nobody looks at the gate.')
  await loseLine(context, '**/dispute')
  await dialog.getByRole('button', { name: 'Open the dispute' }).click()
  await dialog.getByRole('alert').filter({ hasText: lostSays }).waitFor()
  await healLine(context, '**/dispute')
  await toast(page, 'The dispute is open.')
  await dialog.waitFor({ state: 'hidden' })
  expect(await draftsOn(page)).toEqual([])
})

test('an offer whose answer was lost is told as made once the line is back, and asks for no second signature', async () => {
  const { taskId, submissionId } = await handedIn('Divide at the gate')
  const { id } = await working.client.submissions.dispute({
    submission_id: submissionId,
    reason: 'no_response',
    description: 'Nobody looks at the gate.',
  })
  const { page, open, context } = bruno
  await open(`/disputes/${id}`)
  await page.getByLabel('For the worker, in USD').fill('0.5')
  await loseLine(context, '**/settlements')
  await page.getByRole('button', { name: 'Offer this' }).click()
  await page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByRole('alert').filter({ hasText: lostSays }).waitFor()
  await healLine(context, '**/settlements')
  await toast(page, 'Your offer was made.')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await page.getByLabel('For the worker, in USD').inputValue()).toBe('')
  expect((await working.client.offers.list({ task_id: taskId })).offers.map(({ status }) => status)).toEqual(['open'])
})
