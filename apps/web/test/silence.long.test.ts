import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { applyForJob, assignJob, beginWork, enterPair, publishJob, type Job, type Pair } from './job-steps.ts'
import type { Person } from './person.ts'
import { nameArbiter, operatorOf } from './name-arbiter.ts'
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
  await promises.getByText('Not set aside yet').waitFor()
  await promises.getByText('The publisher’s wallet holds enough for it now.').waitFor()
  await promises.getByText('72 hours').waitFor()
  await promises.getByText(/It is never a refund/).waitFor()
  await promises.getByText(/So far, this publisher/).waitFor()
  await applyForJob(bruno, job)
  await ada.page.getByRole('link', { name: /^Choose / }).waitFor()
  await assignJob(ada)
  await bruno.open(`/tasks/${taskId}`)
  await promises.getByText('Money is set aside', { exact: true }).waitFor()
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

/** Signs what the page asks for, after it was explained. */
async function signShown({ page }: Person): Promise<void> {
  await page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
}

async function offerShare(by: Person, taskId: string, dollars: string): Promise<void> {
  await by.open(`/tasks/${taskId}`)
  await by.page.getByRole('button', { name: 'Settle it between you' }).click()
  await by.page.getByLabel('For the worker, in USD').fill(dollars)
  await by.page.getByRole('button', { name: 'Offer this' }).click()
  await signShown(by)
  await by.page.getByRole('heading', { name: 'Your offer' }).waitFor()
}

async function acceptOffered(by: Person, persona: 'ada' | 'bruno', taskId: string): Promise<void> {
  await by.open(`/tasks/${taskId}`)
  await by.page.getByRole('heading', { name: 'The other side offers' }).waitFor()
  await by.page.getByRole('button', { name: 'Accept and sign' }).click()
  await signShown(by)
  const { client } = await by.account(persona)
  await expect
    .poll(async () => (await client.tasks.get({ task_id: taskId })).status, { timeout: 60_000 })
    .toBe('completed')
}

test('a split by agreement: one offers on the page of the task, the other signs the same words there', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the half gate', bounty: '10', evidence: ['Answer in words'] })
  await offerShare(pair.bruno, taskId, '6')
  await acceptOffered(pair.ada, 'ada', taskId)
  await expect
    .poll(async () => (await moneyOf(pair)).map((now, side) => now - (before[side] ?? 0n)), { timeout: 60_000 })
    .toEqual([-6_000_000n, 5_220_000n])
})

test('a concession: a publisher who rejected gives in, and the worker is paid whole', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the wrong gate', bounty: '10', evidence: ['Answer in words'] })
  await reject(pair, taskId)
  await offerShare(pair.ada, taskId, '10')
  await acceptOffered(pair.bruno, 'bruno', taskId)
  await expect
    .poll(async () => (await moneyOf(pair)).map((now, side) => now - (before[side] ?? 0n)), { timeout: 60_000 })
    .toEqual([-10_000_000n, 8_700_000n])
})

async function reject({ ada }: Pair, taskId: string): Promise<void> {
  const { client } = await ada.account('ada')
  await ada.open(`/my/tasks/${taskId}`)
  await ada.page.getByRole('link', { name: 'Review the work' }).click()
  await ada.page.getByRole('link', { name: 'Reject' }).click()
  const dialog = ada.page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill('The gate in the words is another one.')
  await dialog.getByRole('button', { name: /^Reject/ }).click()
  await expect
    .poll(async () => (await client.tasks.get({ task_id: taskId })).status, { timeout: 30_000 })
    .toBe('disputed')
}

test('a rejection at the last minute is a dispute that outlives the first deadline, with the money where it was', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the loud gate', bounty: '10', evidence: ['Answer in words'] })
  const { client: publisher } = await pair.ada.account('ada')
  const first = Date.parse((await publisher.tasks.get({ task_id: taskId })).deadline)
  await passHours(theatre, taskId, (first - Date.now()) / 3_600_000 - 0.2)
  await reject(pair, taskId)
  await passHours(theatre, taskId, 1)
  await pair.bruno.open(`/tasks/${taskId}`)
  await pair.bruno.page.getByText('Money is set aside', { exact: true }).waitFor()
  expect((await publisher.tasks.get({ task_id: taskId })).status).toBe('disputed')
  expect((await moneyOf(pair))[0] - before[0]).toBe(-10_000_000n)
})

const onPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const

test('a ruling: an arbiter finds the dispute, reads the work and signs; nobody appeals, and it is carried out', async () => {
  await using pair = await enterPair(theatre)
  const before = await moneyOf(pair)
  const taskId = await handedIn(pair, { title: 'Describe the third gate', bounty: '10', evidence: ['Answer in words'] })
  await reject(pair, taskId)
  await using arbiter = await theatre.person(onPhone)
  await arbiter.signIn('ada')
  const { signer } = await arbiter.account('ada')
  await nameArbiter(theatre, signer.address)
  const settle = pair.bruno.page.getByRole('button', { name: 'Settle it between you' })
  await pair.bruno.open(`/tasks/${taskId}`)
  await settle.waitFor()
  const disputeId = await ruleOn(arbiter, 'Describe the third gate')

  // Both sides read what was ruled and by what; the app of the arbiter asked once.
  await pair.bruno.open(`/disputes/${disputeId}`)
  const ruling = pair.bruno.page.locator('section').filter({ hasText: 'The ruling' })
  await ruling.getByText('40 % goes back to the publisher, the rest to the worker.').waitFor()
  await ruling.getByRole('listitem').filter({ hasText: 'The gate is described.' }).waitFor()
  await ruling.getByRole('button', { name: 'Take it to the operator' }).waitFor()
  // The service refuses a settlement from now on, so nobody is offered one.
  const asked = pair.bruno.page.waitForResponse((answer) => answer.url().endsWith('/ruling'))
  await pair.bruno.open(`/tasks/${taskId}`)
  await (await asked).finished()
  await pair.bruno.page.getByRole('heading', { name: 'Messages' }).waitFor()
  expect(await settle.count()).toBe(0)
  const { submission_id: submissionId } = await operatorOf(theatre).disputes.get({ dispute_id: disputeId })
  expect(await readingsOf(signer.address, disputeId)).toBeGreaterThan(0)
  expect(await readingsOf(signer.address, submissionId)).toBeGreaterThan(0)
  expect(await readingsOf(signer.address, disputeId)).toBeLessThan(6)

  await passHours(theatre, taskId, 24.1)
  await expect
    .poll(async () => (await moneyOf(pair)).map((now, side) => now - (before[side] ?? 0n)), { timeout: 60_000 })
    .toEqual([-6_000_000n, 5_220_000n])
}, 180_000)

/** Lines in the audit log that say that a wallet read something as an arbiter. */
async function readingsOf(wallet: string, subject: string): Promise<number> {
  const { lines } = await operatorOf(theatre).admin.audit({ subject })
  return lines.filter(({ actor, action }) => actor === wallet.toLowerCase() && action === 'dispute.read').length
}

/** From the list of an arbiter to the signature; answers which dispute it was. */
async function ruleOn({ page, open }: Person, title: string): Promise<string> {
  await open('/disputes')
  await page.getByRole('link', { name: /^To rule on \(/ }).click()
  await page.getByRole('heading', { level: 2, name: title }).getByRole('link').click()
  await page.getByText('The operator keeps a record of each time you open it.').waitFor()
  await page.getByText('A green gate of iron, as high as a person.').waitFor()
  await page.getByText('The gate in the words is another one.').waitFor()
  await page.getByRole('button', { name: 'See what you sign' }).click()
  await page.getByText('Choose one.').waitFor()
  await page.getByLabel('Split it').check()
  await page.getByLabel('Share of the publisher in percent').fill('40')
  await page.getByLabel('Another condition, in your own words').fill('The gate is described.')
  await page.getByLabel('Reason').fill('It is the gate, and its street is missing.')
  await page.getByRole('button', { name: 'See what you sign' }).click()
  const sheet = page.getByRole('dialog', { name: 'Before you sign' })
  await sheet
    .getByRole('heading', { name: 'Rule that US$6.00 goes to the worker and US$4.00 back to the publisher?' })
    .waitFor()
  await sheet.getByText('Why: It is the gate, and its street is missing.').waitFor()
  await sheet.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('Open to appeal').waitFor()
  // It waits for nobody's ruling any more, and nothing is left to fill in.
  expect(await page.getByRole('button', { name: 'See what you sign' }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  return /\/disputes\/([\w-]{36})/.exec(page.url())?.[1] ?? ''
}
