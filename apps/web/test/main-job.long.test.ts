import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
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
} from './job-steps.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

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

test('two people do a job from the form to the payment, each in a browser of their own', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const job: Job = {
    title: 'Photograph the green gate',
    bounty: '10',
    evidence: ['Photo with position', 'Answer in words'],
  }
  const taskId = await publishJob(ada, job)
  await applyForJob(bruno, job)
  // The list of applicants comes by itself; nothing is loaded again.
  await ada.page.getByRole('link', { name: /^Choose / }).waitFor()
  await ada.open('/my/tasks')
  await ada.page.getByRole('listitem').filter({ hasText: job.title }).getByText('Your turn').waitFor()
  await ada.page.getByRole('link', { name: 'Look at the applicant' }).click()
  await assignJob(ada)

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
  await bruno.page
    .getByRole('listitem')
    .filter({ hasText: job.title })
    .getByText(/publisher’s turn/)
    .waitFor()
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
  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByText('Paid', { exact: true }).first().waitFor()
}, 180_000)
