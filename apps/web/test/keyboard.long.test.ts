import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { enterPair, untilLocked, untilPaid, type Job } from './job-steps.ts'
import { pressOn, typeInto } from './keyboard.ts'
import { pictureOf } from './picture.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const job: Job = {
  title: 'Photograph the gate by hand',
  bounty: '10',
  evidence: ['Photo', 'Position', 'Answer in words'],
}

/** Where the focus is, so that nobody is thrown out of what they are doing. */
const focusIsIn = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((within) => document.activeElement?.closest(within) !== null, selector)

async function publishByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Post a task', exact: true }).first())
  await page.getByRole('heading', { level: 1, name: 'What do you need?' }).waitFor()
  // A step that is not complete leads to the first field that is missing.
  await pressOn(page, page.getByRole('button', { name: 'Go on to the proof' }))
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true')
  await typeInto(page, page.getByLabel('Title'), job.title)
  await typeInto(page, page.getByLabel('What has to be done'), 'Stand in front of the gate and photograph it.')
  await typeInto(page, page.getByLabel('Kind of task'), 'Simple')
  await pressOn(page, page.getByRole('button', { name: 'Go on to the proof' }))
  await page.getByRole('heading', { level: 1, name: 'How will you know it is done?' }).waitFor()
  const asked = page.getByRole('group', { name: 'What the worker has to hand in' })
  for (const one of job.evidence) await pressOn(page, asked.getByLabel(one, { exact: true }), 'Space')
  await typeInto(page, page.getByLabel('Condition 1', { exact: true }), 'The whole gate is in the picture')
  await page.keyboard.press('Enter')
  await typeInto(page, page.getByLabel('Bounty in US dollars'), job.bounty)
  await page.keyboard.press('Enter')
  await pressOn(page, page.getByRole('button', { name: 'Post it' }))
  await page.getByRole('heading', { level: 1, name: job.title }).waitFor()
}

async function applyByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Find work' }).first())
  await pressOn(page, page.getByRole('link', { name: job.title }))
  await pressOn(page, page.getByRole('link', { name: 'Apply', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Apply for this task' })
  await typeInto(page, dialog.getByLabel('Message to the publisher'), 'I live around the corner.')
  await pressOn(page, dialog.getByRole('button', { name: 'Send application' }))
  await page.getByText('You have applied').waitFor()
}

async function assignByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: /^Choose / }))
  await pressOn(
    page,
    page.getByRole('dialog', { name: 'Choose this worker?' }).getByRole('button', { name: 'Set the money aside' }),
  )
  const explained = page.getByRole('dialog', { name: 'Before you sign' })
  await explained.waitFor()
  expect(await focusIsIn(page, 'dialog')).toBe(true)
  await pressOn(page, explained.getByRole('button', { name: 'Open the wallet' }))
  await explained.getByText('Let silence pay for this task').waitFor()
  await pressOn(page, explained.getByRole('button', { name: 'Open the wallet' }))
  await untilLocked(page)
}

async function submitByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'My work' }).first())
  await pressOn(page, page.getByRole('link', { name: 'Do it and hand in' }))
  await page.getByRole('heading', { level: 1, name: job.title }).waitFor()
  const file = page.getByLabel('Choose a file: Photo', { exact: true })
  // Asked for before the key is pressed: the browser is told in time to hand the question over.
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), pressOn(page, file)])
  await chooser.setFiles({ name: 'gate.png', mimeType: 'image/png', buffer: pictureOf([160, 96, 32]) })
  await pressOn(page, page.getByRole('button', { name: 'Find my position' }))
  await page.getByText('one reading').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Use this position' }))
  await typeInto(page, page.getByLabel('Answer in words'), 'A gate of wood.')
  await pressOn(page, page.getByRole('button', { name: 'Hand in', exact: true }))
  await page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
}

async function approveByKeys(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Review the work' }))
  await page.getByText('A gate of wood.').waitFor()
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
}

test('a job is published, applied for, assigned, handed in and approved with the keyboard alone', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  await publishByKeys(ada.page)
  await applyByKeys(bruno.page)
  await assignByKeys(ada.page)
  await submitByKeys(bruno.page)
  await approveByKeys(ada.page)
  const {
    signer: { address },
  } = await bruno.account('bruno')
  expect(await heldMoney(theatre, address)).toBe(1_008_700_000n)
}, 240_000)
