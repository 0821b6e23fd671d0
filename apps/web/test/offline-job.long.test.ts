import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOfCode } from '../src/messages/errors.ts'
import { setOffline } from './line.ts'
import { openTheatre, type Theatre } from './browser.ts'
import {
  applyForJob,
  assignJob,
  beginWork,
  captureWork,
  enterPair,
  publishJob,
  type Job,
  type Pair,
} from './job-steps.ts'
import { pictureOf } from './picture.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** The submissions that reached the service, counted on the wire. */
function countSubmissions(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/submit\b/.test(new URL(request.url()).pathname)) count += 1
  })
  return () => count
}

/** Until the worker is about to hand in a task of this name, without a network. */
async function workOffline(
  { ada, bruno }: Pair,
  title: string,
): Promise<{ readonly taskId: string; readonly job: Job }> {
  const job: Job = { title, bounty: '10', evidence: ['Photo', 'Position', 'Answer in words'] }
  const taskId = await publishJob(ada, job)
  await applyForJob(bruno, job)
  await assignJob(ada)
  await bruno.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await beginWork(bruno, job)
  await setOffline(bruno.context, true)
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
  await box.getByText('Keep this app open until it is handed in.').waitFor()

  // The same task again, while its parcel waits: there is nothing to hand in.
  await page.getByText('You handed it in on this device: it waits to be sent.').waitFor()
  expect(await page.getByRole('link', { name: 'Do it and hand in' }).count()).toBe(0)
  await page.goBack()
  await page.getByText('This is in your outbox').waitFor()
  expect(await page.getByRole('button', { name: 'Hand in', exact: true }).count()).toBe(0)
  expect(submissions()).toBe(0)

  // The page goes and comes back without a network; what waits outlives it, and is seen though nobody can say who is
  // signed in.
  await page.reload()
  await page.getByText('You are offline.').waitFor()
  await page.getByText('This is in your outbox').waitFor()
  await page.getByRole('link', { name: 'See the outbox' }).click()
  await page.getByText('Nobody can be asked now who is signed in.').waitFor()
  await box.getByRole('listitem').filter({ hasText: job.title }).getByText('Waiting for the network').waitFor()
  // Whose session it is has to be known before anything is sent.
  expect(await box.getByRole('button').count()).toBe(0)
  await page.reload()
  await box.getByRole('listitem').filter({ hasText: job.title }).waitFor()
  expect(submissions()).toBe(0)

  // Not on the screen of the own work: it is sent wherever the person is.
  await page.getByRole('link', { name: 'Ergon' }).click()
  await setOffline(bruno.context, false)
  await page
    .getByRole('status')
    .filter({ hasText: `Handed in: ${job.title}` })
    .waitFor()
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

test('two tabs of one person with one waiting parcel hand it in once, and both say so', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const { page, context } = bruno
  const { taskId, job } = await workOffline(pair, 'Photograph the gate from both sides')
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.waitForURL('**/work')
  const other = await context.newPage()
  await other.goto('/work')
  const submissions = [page, other].map(countSubmissions)
  const handedIn = [page, other].map((tab) =>
    tab.getByRole('region', { name: 'Outbox' }).getByRole('listitem').filter({ hasText: job.title }),
  )
  for (const parcel of handedIn) await parcel.getByText('Waiting for the network').waitFor()
  await setOffline(context, false)
  for (const parcel of handedIn) await parcel.getByText('Handed in', { exact: true }).waitFor()
  expect(submissions.reduce((sum, count) => sum + count(), 0)).toBe(1)
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
  await ada.page
    .getByRole('dialog', { name: 'Cancel this task?' })
    .getByRole('button', { name: 'Cancel the task' })
    .click()
  await ada.page.getByText('Cancelled', { exact: true }).first().waitFor()

  await setOffline(bruno.context, false)
  const parcel = page.getByRole('region', { name: 'Outbox' }).getByRole('listitem').filter({ hasText: job.title })
  await parcel.getByText('Not accepted', { exact: true }).waitFor()
  await parcel.getByText(textOfCode('TASK_NOT_SUBMITTABLE', 'en')?.says ?? 'no text').waitFor()
  expect(await parcel.innerText()).not.toMatch(/[A-Z]+_[A-Z]+/)
  // What it was is not lost with the task: it is there to read and to take along, and nothing else.
  await parcel.getByRole('link', { name: 'Open it again' }).click()
  await page.getByText('The publisher cancelled this task.').waitFor()
  await page.getByRole('region', { name: 'Answer in words' }).getByText('A green gate of iron').waitFor()
  await page.getByRole('img', { name: 'Photo' }).waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Save the file\s?: Photo$/ }).click(),
  ])
  expect(file.suggestedFilename()).toBe('gate.png')
  expect((await readFile(await file.path())).equals(pictureOf([32, 96, 160]))).toBe(true)
  expect(await page.getByRole('button', { name: 'Hand in', exact: true }).count()).toBe(0)
  await page.goBack()

  // Nothing can be handed in for this task any more, so it can be put away.
  await parcel.getByRole('button', { name: 'Clear' }).click()
  await parcel.waitFor({ state: 'detached' })
}, 180_000)

test('work that is only begun is found again without a network, to read and to take along', async () => {
  await using pair = await enterPair(theatre)
  const { bruno } = pair
  const { page } = bruno
  const { job } = await workOffline(pair, 'Photograph the gate in the rain')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: job.title }).waitFor()
  await page.getByText('You can go on when the network is back.').waitFor()
  await page.getByRole('region', { name: 'Answer in words' }).getByText('A green gate of iron').waitFor()
  await page.getByRole('link', { name: 'My work' }).last().click()
  const begun = page.getByRole('region', { name: 'Begun, not handed in' }).getByRole('heading', { name: job.title })
  await begun.waitFor()

  // What cannot be read is not told as nothing.
  await bruno.context.addInitScript(() => {
    if (sessionStorage.getItem('test.unreadable') === null) return
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission.', 'SecurityError')
    }
  })
  const read = (isRefused: boolean): Promise<void> =>
    page.evaluate((refused) => {
      if (refused) sessionStorage.setItem('test.unreadable', '1')
      else sessionStorage.removeItem('test.unreadable')
    }, isRefused)
  await read(true)
  await page.reload()
  await page.getByText('What this device keeps cannot be read').waitFor()
  expect(await page.getByText('Nothing waits on this device.').count()).toBe(0)
  await read(false)
  await page.reload()
  await begun.waitFor()

  // With the network, it goes on where it was left.
  await page.getByRole('link', { name: /^See what is kept/ }).click()
  await setOffline(bruno.context, false)
  await page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
}, 180_000)

test('the browser remembers the address of a session alone, until the person signs out', async () => {
  await using person = await theatre.person()
  const { page } = person
  const remembered = (): Promise<string | null> => page.evaluate(() => localStorage.getItem('ergon.session.wallet'))
  await person.signIn('ada')
  const { signer } = await person.account('ada')
  await expect.poll(remembered).toBe(signer.address.toLowerCase())
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(await remembered()).toBeNull()

  // Another person, and then a session that the service ended.
  await person.signIn('bruno')
  const { signer: other } = await person.account('bruno')
  await expect.poll(remembered).toBe(other.address.toLowerCase())
  await person.context.clearCookies()
  await person.open('/work')
  await page.getByText('Here are the tasks you work on.').waitFor()
  expect(await remembered()).toBeNull()
})
