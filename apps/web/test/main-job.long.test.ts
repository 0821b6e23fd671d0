import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import {
  applyForJob,
  approveJob,
  assignJob,
  beginWork,
  captureWork,
  enterPair,
  publishJob,
  type Job,
  type Pair,
} from './job-steps.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** What is not clear is asked and answered in public, and each side comes to it by its notice, on a phone. */
async function askAndAnswer({ ada, bruno }: Pair, taskId: string): Promise<void> {
  for (const { page } of [ada, bruno]) await page.setViewportSize(phone.viewport)
  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByRole('button', { name: 'Ask a question' }).click()
  await bruno.page.getByLabel('Your question').fill('May it be taken at night?')
  await bruno.page.getByRole('button', { name: 'Send', exact: true }).click()
  await bruno.page.getByText('Not answered yet.').waitFor()
  await followNotice(ada, 'asked about your task', `/my/tasks/${taskId}#questions`)
  await ada.page.getByRole('button', { name: /^Answer ?: May it be taken at night/ }).click()
  await ada.page.getByLabel('Your answer').fill('Yes, if all of it can be seen.')
  await ada.page.getByRole('button', { name: 'Send', exact: true }).click()
  await ada.page.getByText('Answer from the publisher').waitFor()
  await followNotice(bruno, 'answered your question', `/tasks/${taskId}#questions`)
  await bruno.page.getByText('Yes, if all of it can be seen.').waitFor()
  for (const { page } of [ada, bruno]) await page.setViewportSize({ width: 1280, height: 720 })
}

/** A tap on the row of a notice: its page opens, at the place that it is about. */
async function followNotice({ page, open }: Person, said: string, to: string): Promise<void> {
  await open('/notifications')
  await page.getByRole('listitem').filter({ hasText: said }).first().click()
  await page.waitForURL(`**${to}`)
  const heading = page.getByRole('heading', { name: 'Questions' })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true)
  await expect.poll(() => heading.evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true)
}

async function rateWith({ page }: Person, title: string, stars: number, kept: string): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
  await page.getByText('Fill this in.').waitFor()
  await page.getByRole('radio', { name: `${String(stars)} stars` }).check({ force: true })
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish this rating?' })
  await dialog.getByText(kept).waitFor()
  await dialog.getByRole('button', { name: 'Publish the rating' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /The rating is on (?:the chain|its way)/ })
    .waitFor()
}

/** The same form in another tab, up to where the wallet would open: who agrees there reads what became of the first. */
async function secondTab(page: Page): Promise<{ readonly agree: () => Promise<void> }> {
  const other = await page.context().newPage()
  await other.goto('/earnings')
  await other.getByRole('button', { name: 'Cash out' }).click()
  const sheet = other.getByRole('dialog', { name: 'Take your money out' })
  await sheet.getByRole('button', { name: 'Send US$1.00', exact: true }).click()
  const agree = other.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' })
  await agree.waitFor()
  return {
    agree: async () => {
      await agree.click()
      await sheet.getByRole('status').filter({ hasText: 'US$1.00 sent' }).waitFor()
      await other.close()
    },
  }
}

/** Of what was earned a dollar goes to another address first, on a phone, by one signature and without gas. */
async function sendDollarTo({ page }: Person, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Cash out' }).click()
  const sheet = page.getByRole('dialog', { name: 'Take your money out' })
  await sheet.getByText('You can send up to US$8.70').waitFor()
  await sheet.getByLabel('Address it goes to').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')
  await sheet.getByText('A letter of this address is wrong.').waitFor()
  await sheet.getByLabel('Address it goes to').fill(to)
  await sheet.getByRole('button', { name: 'Send US$1.00 first' }).click()
  // A reload closes the sheet and costs nothing of what was typed.
  await page.reload()
  await page.getByRole('button', { name: 'Cash out' }).click()
  await expect.poll(() => sheet.getByLabel('Address it goes to').inputValue()).toBe(to)
  const twin = await secondTab(page)
  await sheet.getByRole('button', { name: 'Send US$1.00', exact: true }).click()
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await signing.getByText('nobody can bring it back').waitFor()
  await signing.getByRole('button', { name: 'Open the wallet' }).click()
  await sheet.getByRole('status').filter({ hasText: 'US$1.00 sent' }).waitFor({ timeout: 60_000 })
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft.cash')))).toEqual([])
  const earlier = sheet.getByRole('region', { name: 'Sent before' }).getByRole('listitem')
  await earlier.getByText('Sent', { exact: true }).waitFor()
  await twin.agree()
  await sheet.getByRole('button', { name: 'Send more there' }).click()
  await sheet.getByText('You can send up to US$7.70').waitFor()
  expect(await sheet.getByLabel('Address it goes to').inputValue()).toBe(to)
}

test('two people do a job from the form to the payment, each in a browser of their own', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const job: Job = {
    title: 'Photograph the green gate',
    bounty: '10',
    evidence: ['Photo with position', 'Answer in words'],
  }
  const taskId = await publishJob(ada, job)
  await (await ada.account('ada')).client.tasks.setPolicy({ task_id: taskId, start_hours: 6 })
  await askAndAnswer(pair, taskId)
  await ada.open(`/my/tasks/${taskId}`)
  await applyForJob(bruno, job)
  // The list of applicants comes by itself; nothing is loaded again.
  await ada.page.getByRole('link', { name: /^Choose / }).waitFor()
  await ada.open('/my/tasks')
  await ada.page.getByRole('listitem').filter({ hasText: job.title }).getByText('Your turn').waitFor()
  await ada.page.getByRole('link', { name: 'Look at the applicant' }).click()
  await ada.page.getByText('Choose who does it.').waitFor()
  await assignJob(ada)

  await ada.page.getByText('The worker has to begin.').waitFor()
  await bruno.open('/work')
  await bruno.page.getByText('Say that you have begun.').waitFor()
  await bruno.page.getByText('Otherwise the task goes to the next person who applied.').waitFor()
  await bruno.page.getByRole('button', { name: 'I have begun' }).click()
  await bruno.page.getByText('Do it and hand in the proof.').waitFor()
  await beginWork(bruno, job)
  await bruno.page.getByText(/You get US\$8\.70 when the work is approved/).waitFor()
  await bruno.page.getByText('The whole gate is in the picture').waitFor()
  // Its position is asked for in the same step, and the picture alone is not ready.
  const step = bruno.page.locator('[id="evidence.photo_geo"]')
  await step.getByText('1 of 2: Photo with position').waitFor()
  await bruno.page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await step.locator('[id="evidence.gps"]').getByText('Fill this in.').waitFor()
  await captureWork(bruno, 'Photo with position')
  await step.getByText('Ready', { exact: true }).waitFor()
  expect(await step.getByText('Fill this in.').count()).toBe(0)
  await bruno.page.getByLabel('Note to the publisher').fill('Taken from the other side of the street.')
  await bruno.page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await bruno.page.waitForURL('**/work')
  await bruno.page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
  await bruno.page.getByRole('link', { name: 'Handed in', exact: true }).click()
  await bruno.page.getByRole('listitem').filter({ hasText: job.title }).getByText('Waiting for a decision').waitFor()
  await ada.page.getByText('Look at the work and decide.').waitFor()
  await ada.page.getByRole('link', { name: 'Review the work' }).waitFor()
  const {
    client,
    signer: { address: worker },
  } = await bruno.account('bruno')
  expect((await client.tasks.get({ task_id: taskId })).status).toMatch(/^(?:submitted|verifying)$/)
  const {
    signer: { address: publisher },
  } = await ada.account('ada')
  expect([await heldMoney(theatre, publisher), await heldMoney(theatre, worker)]).toEqual([
    990_000_000n,
    1_000_000_000n,
  ])

  expect((await client.submissions.list({ task_id: taskId })).submissions.map(({ notes }) => notes)).toEqual([
    'Taken from the other side of the street.',
  ])

  // The position came along, and the checks find the same one in the picture.
  await expect
    .poll(
      async () =>
        (await client.submissions.list({ task_id: taskId })).submissions
          .flatMap(({ checks }) => checks)
          .filter(({ name }) => name === 'exif_consistency' || name === 'accuracy')
          .map(({ name, result }) => [name, result]),
      { timeout: 60_000 },
    )
    .toEqual(
      expect.arrayContaining([
        ['exif_consistency', 'passed'],
        ['accuracy', 'passed'],
      ]),
    )

  await approveJob(ada)
  // 87 % of the bounty reach the worker; the publisher paid the bounty and nothing beside it (spec §1).
  expect([await heldMoney(theatre, publisher), await heldMoney(theatre, worker)]).toEqual([
    990_000_000n,
    1_008_700_000n,
  ])
  const paid = await client.tasks.get({ task_id: taskId })
  expect(paid.status).toBe('completed')
  // Only who has a public identity can be rated.
  await Promise.all([client, (await ada.account('ada')).client].map((one) => one.reputation.register({})))
  // Both say how it was, in stars, and confirm what will be on the chain for ever.
  await rateWith(ada, 'Rate the worker', 4, '80 of 100')
  await bruno.page.setViewportSize({ width: 360, height: 780 })
  await bruno.open(`/submissions/${(await client.submissions.list({ task_id: taskId })).submissions[0]?.id ?? ''}`)
  await rateWith(bruno, 'Rate the publisher', 5, '100 of 100')
  await expect
    .poll(
      async () => (await client.reputation.publisher({ publisher_key: publisher })).ratings.map(({ score }) => score),
      { timeout: 30_000 },
    )
    .toEqual([100])
  expect(
    (
      await client.workers.reputation({ executor_id: (await client.tasks.get({ task_id: taskId })).executor_id ?? '' })
    ).ratings.map(({ score }) => score),
  ).toEqual([80])
  await bruno.open('/earnings')
  const payment = bruno.page.getByRole('listitem').filter({ hasText: job.title })
  await payment.getByText('$8.70').waitFor()
  const to = `0x${randomBytes(20).toString('hex')}`
  await sendDollarTo(bruno, to)
  expect(await heldMoney(theatre, to)).toBe(1_000_000n)
  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByText('Paid', { exact: true }).first().waitFor()
}, 180_000)
