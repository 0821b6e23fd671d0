import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { enterPair, publishJob, type Pair } from './job-steps.ts'
import { setOffline } from './line.ts'
import { registerAsPerson, type Account } from './person.ts'
import { publishAsPerson } from './scene.ts'

/** What a person is told once something was sent, and what is left of it on the device. */
let theatre: Theatre
let pair: Pair
let paying: Account['client']
let working: Account
beforeAll(async () => {
  theatre = await openTheatre()
  pair = await enterPair(theatre, { bruno: phone })
  paying = (await pair.ada.account('ada')).client
  working = await pair.bruno.account('bruno')
  await registerAsPerson(theatre.url, working, 'Bruno')
}, 300_000)
afterAll(async () => {
  await pair?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

let prices = 100

/** A task of its own price: the same words at the same price would be the same call. */
async function publish(title: string): Promise<string> {
  prices += 1
  return publishAsPerson(pair.ada, {
    title,
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: prices / 100,
    evidence_required: ['text_response'],
  })
}

async function assigned(title: string): Promise<string> {
  const task_id = await publish(title)
  const { executor_id } = await working.client.tasks.apply({ task_id })
  await paying.assignWorker({ task_id, executor_id })
  return task_id
}

async function handedIn(title: string): Promise<{ readonly taskId: string; readonly submissionId: string }> {
  const taskId = await assigned(title)
  const evidence = { text_response: 'A green gate of iron, as high as a person.' }
  const { submission_id: submissionId } = await working.client.tasks.submit({ task_id: taskId, evidence })
  return { taskId, submissionId }
}

const toast = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).first().waitFor()

const draftsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('ergon.draft.')))

test('who has applied is told so, and neither the dialog nor what was typed stays behind', async () => {
  const taskId = await publish('Apply at the gate')
  const { page, open } = pair.bruno
  await open(`/tasks/${taskId}`)
  await page.getByRole('link', { name: 'Apply', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply for this task' })
  await dialog.getByLabel('Message to the publisher').fill('I live around the corner.')
  await dialog.getByRole('button', { name: 'Send application' }).click()
  await toast(page, 'Your application is with the publisher.')
  await page.waitForURL((url) => url.pathname === `/tasks/${taskId}` && url.search === '')
  expect(await draftsOn(page)).toEqual([])
})

test('who leaves while an answer is on its way is told of it where they are, and not led back', async () => {
  const { taskId } = await handedIn('Colour of the gate')
  const { page, open } = pair.ada
  await open(`/my/tasks/${taskId}/review?do=changes`)
  const dialog = page.getByRole('dialog', { name: 'What has to change?' })
  await dialog.getByLabel('Reason').fill('Say what colour it is.')
  const asked = Promise.withResolvers<undefined>()
  await page.route('**/approve', async (route) => {
    await asked.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Ask for changes' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: /^Find/ }).first().click()
  await page.waitForURL('**/find')
  asked.resolve(undefined)
  await toast(page, 'The worker was asked for changes.')
  expect(new URL(page.url()).pathname).toBe('/find')
  await page.unroute('**/approve')
})

test('what is sent without a network is told to have failed, and is not sent later behind the back of its sender', async () => {
  const { taskId } = await handedIn('Height of the gate')
  const { page, open, context } = pair.ada
  await open(`/my/tasks/${taskId}/review?do=changes`)
  const dialog = page.getByRole('dialog', { name: 'What has to change?' })
  await dialog.getByLabel('Reason').fill('Say how high it is.')
  await setOffline(context, true)
  await dialog.getByRole('button', { name: 'Ask for changes' }).click()
  await dialog.getByRole('alert').waitFor({ timeout: 40_000 })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await setOffline(context, false)
  await page.waitForTimeout(3_000)
  expect(['submitted', 'verifying']).toContain((await working.client.tasks.get({ task_id: taskId })).status)
  await open(`/my/tasks/${taskId}/review?do=changes`)
  expect(await dialog.getByLabel('Reason').inputValue()).toBe('Say how high it is.')
})

test('Back from a task that was just posted leads to where its publisher was before, and Forward to no empty form', async () => {
  const { page, open } = pair.ada
  await open('/my/tasks')
  const taskId = await publishJob(pair.ada, {
    title: 'Paint of the gate',
    bounty: '1.40',
    evidence: ['Answer in words'],
  })
  await page.goBack()
  await page.waitForURL('**/my/tasks')
  for (const _ of [1, 2]) {
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Paint of the gate' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/my/tasks/${taskId}`)
  }
})

test('a task that is posted without the terms that were chosen for it is told as such', async () => {
  const { page } = pair.ada
  await page.route('**/api/v1/tasks/*/policy', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 409, json: { error: 'CONFLICT' } }),
  )
  await Promise.all([
    toast(page, 'how long you check and what silence means could not be saved'),
    publishJob(pair.ada, { title: 'Describe the gate', bounty: '1.50', evidence: ['Answer in words'] }),
  ])
  await pair.ada.open('/publish/many')
  await page.setInputFiles('input[type="file"]', {
    name: 'tasks.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'title,instructions,category,bounty_usd,evidence_required\r\n' +
        'Hours of the gate,Read the sign at the gate and write it down.,simple_action,1.60,text_response',
    ),
  })
  await page.getByRole('button', { name: 'Post 1 task' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Hours of the gate' })
  await row.getByText('How long you check it and what silence means could not be saved.').waitFor()
  await row.getByText('Posted', { exact: true }).waitFor()
  await page.unroute('**/api/v1/tasks/*/policy')
})

test('whoever hands in finds the way out there, and why a worker steps down outlives a reload and leaves nothing behind', async () => {
  const taskId = await assigned('Guard the gate')
  const { page, open } = pair.bruno
  await open(`/work/${taskId}/submit`)
  await page.getByRole('link', { name: 'Step down' }).click()
  const dialog = page.getByRole('dialog', { name: 'Step down from this task' })
  await dialog.getByLabel('Reason').fill('The gate is closed today.')
  await page.reload()
  await expect.poll(() => dialog.getByLabel('Reason').inputValue()).toBe('The gate is closed today.')
  await dialog.getByRole('button', { name: 'Step down' }).click()
  await toast(page, /^You (?:have stepped|are stepping) down/)
  await dialog.waitFor({ state: 'hidden' })
  expect(await draftsOn(page)).toEqual([])
})

test('why a task is cancelled outlives a reload, and leaves nothing behind once it is sent', async () => {
  const taskId = await publish('Close the gate')
  const { page, open } = pair.ada
  await open(`/my/tasks/${taskId}?cancel=1`)
  const dialog = page.getByRole('dialog', { name: 'Cancel this task?' })
  const why = dialog.getByLabel('Why (the applicants read it)')
  await why.fill('The gate is gone.')
  await page.reload()
  await expect.poll(() => why.inputValue()).toBe('The gate is gone.')
  await dialog.getByRole('button', { name: 'Cancel the task' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await draftsOn(page)).not.toContain(`ergon.draft.cancel.${taskId}`)
})

test('a task that was cancelled says to both what became of its money, and asks for no applicants', async () => {
  const taskId = await assigned('Watch the gate')
  await paying.tasks.cancel({ task_id: taskId })
  const bare = await publish('Lock the gate')
  await paying.tasks.cancel({ task_id: bare })
  const { page, open } = pair.ada
  await open(`/my/tasks/${taskId}`)
  await page.getByRole('heading', { name: 'You paid nothing' }).waitFor()
  await page.getByRole('term').filter({ hasText: 'Given back to you' }).waitFor()
  expect(await page.getByText('You pay', { exact: true }).count()).toBe(0)
  await open(`/my/tasks/${bare}`)
  await page.getByText('Nobody applied.').waitFor()
  expect(await page.getByText('New applicants appear here').count()).toBe(0)
  await pair.bruno.open(`/tasks/${taskId}`)
  await pair.bruno.page.getByText('You would have got').waitFor()
})

test('how long a task may take instead outlives a reload, and leaves nothing behind once it is sent', async () => {
  const taskId = await publish('Paint the gate')
  const { page, open } = pair.ada
  await open(`/my/tasks/${taskId}?extend=1`)
  const until = page.getByLabel('New deadline')
  const suggested = await until.inputValue()
  const typed = `${suggested.slice(0, -5)}00:00`
  await until.fill(typed)
  await page.reload()
  await expect.poll(() => until.inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Extend the deadline' }).click()
  await toast(page, /^The task now ends on/)
  expect(await draftsOn(page)).not.toContain(`ergon.draft.extend.${taskId}`)
})

test('the name of a search outlives a reload, is none for another search, and leaves nothing behind once it is saved', async () => {
  const { page, open } = pair.bruno
  const name = page.getByLabel('Name', { exact: true })
  await open('/notifications?save=1&q=gate')
  await name.fill('Gates of mine')
  await page.reload()
  await expect.poll(() => name.inputValue()).toBe('Gates of mine')
  await open('/notifications?save=1&q=door')
  await expect.poll(() => name.inputValue()).toMatch(/door/)
  await open('/notifications?save=1&q=gate')
  await expect.poll(() => name.inputValue()).toBe('Gates of mine')
  await page.getByRole('button', { name: 'Save search' }).click()
  await toast(page, 'The search is saved.')
  expect((await working.client.searches.list()).searches.map((one) => one.name)).toEqual(['Gates of mine'])
  expect(await draftsOn(page)).toEqual([])
})

test('the stars and the comment of a rating outlive a reload', async () => {
  const { submissionId } = await handedIn('Rate the gate')
  await paying.approveSubmission({ submission_id: submissionId })
  const { page, open } = pair.bruno
  await open(`/submissions/${submissionId}`)
  await page.getByRole('heading', { name: 'Rate the publisher' }).waitFor()
  await page.locator('label').filter({ hasText: '4 stars' }).click()
  await page.getByLabel('Comment, public').fill('Clear words.')
  await page.reload()
  await expect.poll(() => page.getByLabel('Comment, public').inputValue()).toBe('Clear words.')
  expect(await page.getByRole('radio', { name: '4 stars' }).isChecked()).toBe(true)
})

test('an offer that is no number is said to be none', async () => {
  const { submissionId } = await handedIn('Share the gate')
  const { id } = await working.client.submissions.dispute({
    submission_id: submissionId,
    reason: 'no_response',
    description: 'Nobody looks at the gate.',
  })
  const { page, open } = pair.ada
  await open(`/disputes/${id}`)
  const share = page.getByLabel('For the worker, in USD')
  await share.fill('1.000.0')
  await page.getByRole('button', { name: 'Offer this' }).click()
  expect(await share.getAttribute('aria-invalid')).toBe('true')
})

test('an offer that is being written outlives a reload, says what its writer gives up, and leaves nothing behind', async () => {
  const taskId = await assigned('Divide the gate')
  const { page, open } = pair.bruno
  await open(`/tasks/${taskId}`)
  await page.getByRole('button', { name: 'Settle it between you' }).click()
  const share = page.getByLabel('For the worker, in USD')
  await share.fill('0.4')
  await page.reload()
  await expect.poll(() => share.inputValue()).toBe('0.4')
  await page.getByRole('button', { name: 'Offer this' }).click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  const rest = `US$${((prices - 40) / 100).toFixed(2)}`
  await expect
    .poll(() => signing.getByRole('definition').allInnerTexts())
    .toEqual(expect.arrayContaining(['US$0.40', rest]))
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await toast(page, 'Your offer was made.')
  await page.getByText(`US$0.40 for the worker, ${rest} back to the publisher`).waitFor()
  expect(await draftsOn(page)).not.toContain(`ergon.draft.offer.${taskId}`)
})
