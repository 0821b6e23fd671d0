import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOfCode } from '../src/messages/errors.ts'
import { openTheatre, type Theatre } from './browser.ts'
import { applyForJob, assignJob, beginWork, captureWork, enterPair, publishJob, type Job, type Pair } from './job-steps.ts'

let theatre: Theatre
beforeAll(async () => { theatre = await openTheatre() }, 300_000)
afterAll(async () => { await theatre?.[Symbol.asyncDispose]() })

/** The submissions that reached the service, counted on the wire. */
function countSubmissions(page: Page): () => number {
  let count = 0
  page.on('request', (request) => { if (request.method() === 'POST' && /\/submit\b/.test(new URL(request.url()).pathname)) count += 1 })
  return () => count
}

/** Until the worker is about to hand in a task of this name, without a network. */
async function workOffline({ ada, bruno }: Pair, title: string): Promise<{ readonly taskId: string; readonly job: Job }> {
  const job: Job = { title, bounty: '10', evidence: ['Photo', 'Position', 'Answer in words'] }
  const taskId = await publishJob(ada, job)
  await applyForJob(bruno, job)
  await assignJob(ada)
  await bruno.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await beginWork(bruno, job)
  await bruno.context.setOffline(true)
  await captureWork(bruno)
  return { taskId, job }
}

test('work that is handed in without a network waits on the device, and is handed in once when the network is back', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const { page } = bruno
  const submissions = countSubmissions(page)
  const { taskId, job } = await workOffline(pair, 'Photograph the gate by the river')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.waitForURL('**/work')
  const box = page.getByRole('region', { name: 'Outbox' })
  await box.getByText('Waiting for the network').waitFor()

  // The same task again, while its parcel waits: there is nothing to hand in.
  await page.getByRole('link', { name: 'Do and hand in' }).click()
  await page.getByText('This is in your outbox').waitFor()
  expect(await page.getByRole('button', { name: 'Hand in', exact: true }).count()).toBe(0)
  expect(submissions()).toBe(0)

  // The page goes and comes back without a network; what waits outlives it.
  await page.reload()
  await page.getByText('You are offline.').waitFor()
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

test('what the service refuses later is told in words, not in codes', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const { page } = bruno
  const { job } = await workOffline(pair, 'Photograph the gate at night')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByRole('region', { name: 'Outbox' }).getByText('Waiting for the network').waitFor()

  await ada.page.getByRole('link', { name: 'Cancel the task' }).click()
  await ada.page.getByRole('dialog', { name: 'Cancel this task?' }).getByRole('button', { name: 'Cancel the task' }).click()
  await ada.page.getByText('Cancelled', { exact: true }).first().waitFor()

  await bruno.context.setOffline(false)
  const parcel = page.getByRole('region', { name: 'Outbox' }).getByRole('listitem').filter({ hasText: job.title })
  await parcel.getByText('Not accepted', { exact: true }).waitFor()
  await parcel.getByText(textOfCode('TASK_NOT_SUBMITTABLE', 'en')?.says ?? 'no text').waitFor()
  expect(await parcel.innerText()).not.toMatch(/[A-Z]+_[A-Z]+/)
  // Nothing can be handed in for this task any more, so it can be put away.
  await parcel.getByRole('button', { name: 'Clear' }).click()
  await parcel.waitFor({ state: 'detached' })
}, 180_000)
