import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { enterPair, untilLocked, untilPaid, type Job } from './job-steps.ts'
import { pressOn, typeInto } from './keyboard.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const job: Job = { title: 'Describe the gate', bounty: '4', evidence: ['Answer in words'] }

/** What has the focus, as its tag and the beginning of its text; the body is nowhere. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(
    () => `${document.activeElement?.tagName ?? ''} ${document.activeElement?.textContent?.trim().slice(0, 60) ?? ''}`,
  )
const untilFocused = (page: Page, what: RegExp): Promise<void> =>
  expect.poll(() => focused(page), { timeout: 10_000 }).toMatch(what)

async function publishByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Post a task', exact: true }).first())
  await untilFocused(page, /^H1 What do you need/)
  await typeInto(page, page.getByLabel('Title'), job.title)
  await typeInto(page, page.getByLabel('What has to be done'), 'Stand in front of the gate and say what it looks like.')
  await typeInto(page, page.getByLabel('Kind of task'), 'Simple')
  await pressOn(page, page.getByRole('button', { name: 'Go on to the proof' }))
  await untilFocused(page, /^H1 How will you know/)
  await pressOn(
    page,
    page.getByRole('group', { name: 'What the worker has to hand in' }).getByLabel('Answer in words', { exact: true }),
    'Space',
  )
  await typeInto(page, page.getByLabel('Condition 1', { exact: true }), 'The colour is named')
  await page.keyboard.press('Enter')
  await untilFocused(page, /^H1 What is it worth/)
  await typeInto(page, page.getByLabel('Bounty in US dollars'), job.bounty)
  await page.keyboard.press('Enter')
  await untilFocused(page, /^H1 Is everything right/)
  await pressOn(page, page.getByRole('button', { name: 'Post it' }))
  await untilFocused(page, /^H1 Describe the gate/)
}

async function applyByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Find work' }).first())
  await untilFocused(page, /^H1 /)
  await pressOn(page, page.getByRole('link', { name: job.title }))
  // The heading that the focus came to is replaced when the task has come.
  await page.getByRole('heading', { name: 'What to do' }).waitFor()
  await untilFocused(page, /^H1 Describe the gate/)
  const apply = page.getByRole('link', { name: 'Apply', exact: true })
  await pressOn(page, apply)
  const dialog = page.getByRole('dialog', { name: 'Apply for this task' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await untilFocused(page, /^A Apply$/)
  await pressOn(page, apply)
  await typeInto(page, dialog.getByLabel('Message to the publisher'), 'I live around the corner.')
  await pressOn(page, dialog.getByRole('button', { name: 'Send application' }))
  await page.getByText('You have applied').waitFor()
  // What opened the dialog is gone with what it was for.
  await untilFocused(page, /^H[123] /)
}

async function assignByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: /^Choose / }))
  await pressOn(
    page,
    page.getByRole('dialog', { name: 'Choose this worker?' }).getByRole('button', { name: 'Set the money aside' }),
  )
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await pressOn(page, signing.getByRole('button', { name: 'Open the wallet' }))
  await signing.getByText('Let silence pay for this task').waitFor()
  await pressOn(page, signing.getByRole('button', { name: 'Open the wallet' }))
  await untilLocked(page)
  await untilFocused(page, /^H[123] /)
}

async function submitByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'My work' }).first())
  await untilFocused(page, /^H1 My work/)
  await pressOn(page, page.getByRole('link', { name: 'Do it and hand in' }))
  await page.getByLabel('Answer in words').waitFor()
  await untilFocused(page, /^H1 Describe the gate/)
  await typeInto(page, page.getByLabel('Answer in words'), 'A gate of wood.')
  await pressOn(page, page.getByRole('button', { name: 'Hand in', exact: true }))
  await page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
  await untilFocused(page, /^H1 My work/)
  await pressOn(page, page.getByRole('region', { name: 'Outbox' }).getByRole('button', { name: 'Clear' }))
  await untilFocused(page, /^H[123] /)
}

async function reviewByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Review the work' }))
  await page.getByText('A gate of wood.').waitFor()
  await untilFocused(page, /^H1 Describe the gate/)
  const changes = page.getByRole('link', { name: 'Request changes' })
  await pressOn(page, changes)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await untilFocused(page, /^A Request changes$/)
  await pressOn(page, page.getByRole('link', { name: 'Approve and pay' }))
  await pressOn(
    page,
    page.getByRole('dialog', { name: 'Approve this work?' }).getByRole('button', { name: 'Sign and pay' }),
  )
  await pressOn(
    page,
    page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }),
  )
  await untilPaid(page)
  await untilFocused(page, /^H[123] /)
}

test('from the form to the payment the focus is never left nowhere', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  await publishByKeys(ada.page)
  await applyByKeys(bruno.page)
  await assignByKeys(ada.page)
  await submitByKeys(bruno.page)
  await reviewByKeys(ada.page)
}, 240_000)

test('whoever leaves the focus on purpose is not brought back to it', async () => {
  await using person = await theatre.person()
  const { page } = person
  await person.open('/sign-in')
  const button = page.getByRole('button', { name: /^Ada/ })
  await button.focus()
  await page.getByRole('heading', { level: 1 }).click({ position: { x: 1, y: 1 } })
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await button.evaluate((element) => {
    element.remove()
  })
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          resolve(undefined)
        })
      }),
  )
  expect(await focused(page)).toMatch(/^BODY/)
})
