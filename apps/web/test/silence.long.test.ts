import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { applyForJob, assignJob, beginWork, enterPair, publishJob, type Job, type Pair } from './job-steps.ts'
import { passHours } from './pass-hours.ts'

/** What two people can rely on, each in a browser of their own (decisions 0157, 0158, 0173). */
let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** From the form to what was handed in; the worker reads beforehand what it can rely on. */
async function handedIn({ ada, bruno }: Pair, job: Job): Promise<string> {
  const taskId = await publishJob(ada, job)
  await bruno.open(`/tasks/${taskId}`)
  const promises = bruno.page.locator('section').filter({ hasText: 'What you can rely on' }).last()
  await promises.getByText('Not held yet').waitFor()
  await promises.getByText('The wallet of the publisher holds enough right now.').waitFor()
  await promises.getByText('72 hours').waitFor()
  await promises.getByText(/It is never a refund/).waitFor()
  await promises.getByText(/This publisher so far/).waitFor()
  await applyForJob(bruno, job)
  await ada.page.getByRole('link', { name: /^Choose / }).waitFor()
  await assignJob(ada)
  await bruno.open(`/tasks/${taskId}`)
  await promises.getByText('Money is held').waitFor()
  await promises.getByText('Check it without us').click()
  await promises.getByText(/^eth_call 0x34b778ed/).waitFor()
  await beginWork(bruno, job)
  await bruno.page.getByLabel('Answer in words').fill('A green gate of iron, as high as a person.')
  await bruno.page.getByRole('button', { name: 'Hand in', exact: true }).click()
  await bruno.page.waitForURL('**/work')
  await bruno.page.getByRole('region', { name: 'Outbox' }).getByText('Handed in', { exact: true }).waitFor()
  return taskId
}

const moneyOf = async ({ ada, bruno }: Pair): Promise<readonly [bigint, bigint]> => {
  const [publisher, worker] = [(await ada.account('ada')).signer.address, (await bruno.account('bruno')).signer.address]
  return [await heldMoney(theatre, publisher), await heldMoney(theatre, worker)]
}

test('a publisher who falls silent: the worker is paid on the day that was known before it began', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the quiet gate', bounty: '10', evidence: ['Answer in words'] })
  const { client } = await pair.bruno.account('bruno')
  await expect
    .poll(async () => (await client.submissions.list({ task_id: taskId })).submissions[0]?.verified_at ?? null, {
      timeout: 60_000,
    })
    .not.toBeNull()
  await passHours(theatre, taskId, 72.1)
  await expect
    .poll(async () => (await client.tasks.get({ task_id: taskId })).status, { timeout: 60_000 })
    .toBe('completed')
  const after = await moneyOf(pair)
  expect([after[0] - before[0], after[1] - before[1]]).toEqual([-10_000_000n, 8_700_000n])
  await pair.bruno.open('/earnings')
  await pair.bruno.page
    .getByRole('listitem')
    .filter({ hasText: 'Describe the quiet gate' })
    .getByText('$8.70')
    .waitFor()
})

test('a rejection at the last minute is a dispute that outlives the first deadline, with the money where it was', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the loud gate', bounty: '10', evidence: ['Answer in words'] })
  const { client: publisher } = await pair.ada.account('ada')
  const first = Date.parse((await publisher.tasks.get({ task_id: taskId })).deadline)
  await passHours(theatre, taskId, (first - Date.now()) / 3_600_000 - 0.2)
  await pair.ada.open(`/my/tasks/${taskId}`)
  await pair.ada.page.getByRole('link', { name: 'Review the work' }).click()
  await pair.ada.page.getByRole('link', { name: 'Reject' }).click()
  const dialog = pair.ada.page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('The gate in the words is another one.')
  await dialog.getByRole('button', { name: /^Reject/ }).click()
  await expect
    .poll(async () => (await publisher.tasks.get({ task_id: taskId })).status, { timeout: 30_000 })
    .toBe('disputed')
  await passHours(theatre, taskId, 1)
  await pair.bruno.open(`/tasks/${taskId}`)
  await pair.bruno.page.getByText('Money is held').waitFor()
  expect((await publisher.tasks.get({ task_id: taskId })).status).toBe('disputed')
  expect((await moneyOf(pair))[0] - before[0]).toBe(-10_000_000n)
})
