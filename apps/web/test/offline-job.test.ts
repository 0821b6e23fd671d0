import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { applyForJob, assignJob, beginWork, captureWork, enterPair, publishJob, type Job } from './job-steps.ts'

let theatre: Theatre
beforeAll(async () => { theatre = await openTheatre() }, 300_000)
afterAll(async () => { await theatre?.[Symbol.asyncDispose]() })

/** The submissions that reached the service, counted on the wire. */
function countSubmissions(page: Page): () => number {
  let count = 0
  page.on('request', (request) => { if (request.method() === 'POST' && /\/submit\b/.test(new URL(request.url()).pathname)) count += 1 })
  return () => count
}

test('work that is handed in without a network waits on the device, and is handed in once when the network is back', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const { page } = bruno
  const job: Job = { title: 'Photograph the gate by the river', bounty: '10', evidence: ['Photo', 'Position', 'Answer in words'] }
  const taskId = await publishJob(ada, job)
  await applyForJob(bruno, job)
  await assignJob(ada)
  await beginWork(bruno, job)

  await bruno.context.setOffline(true)
  const submissions = countSubmissions(page)
  await captureWork(bruno)
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.waitForURL('**/work')
  const box = page.getByRole('region', { name: 'Outbox' })
  await box.getByText('Waiting for the network').waitFor()

  // The same task again, while its parcel waits: there is nothing to hand in.
  await page.getByRole('link', { name: 'Do and hand in' }).click()
  await page.getByText('This is in your outbox').waitFor()
  expect(await page.getByRole('button', { name: 'Hand in', exact: true }).count()).toBe(0)
  expect(submissions()).toBe(0)

  // Not on the screen of the own work: it is sent wherever the person is.
  await bruno.context.setOffline(false)
  await page.getByRole('status').filter({ hasText: `Handed in: ${job.title}` }).waitFor()
  await page.getByRole('link', { name: 'My work' }).first().click()
  await box.getByText('Handed in', { exact: true }).waitFor()
  // On arrival everything that is still due would be sent again.
  await page.reload()
  await box.getByText('Handed in', { exact: true }).waitFor()
  await bruno.settled()
  expect(submissions()).toBe(1)
  const { client } = await ada.account('ada')
  expect((await client.tasks.submissions({ task_id: taskId })).submissions).toHaveLength(1)
}, 180_000)
