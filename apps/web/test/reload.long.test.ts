import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { heldMoney } from './held-money.ts'
import { untilGiven, untilPaid } from './job-steps.ts'
import { registerAsPerson, type Account, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'
import { whileMoneyIsPaused } from './while-money-is-paused.ts'

/** A page that is loaded anew while money is on its way: what was signed goes on, and nothing is asked for twice. */
let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

type Pair = AsyncDisposable & { readonly ada: Person; readonly paying: Account; readonly working: Account }

async function enter(of: Theatre): Promise<Pair> {
  await using stack = new AsyncDisposableStack()
  const ada = stack.use(await of.person(phone))
  const bruno = stack.use(await of.person(phone))
  await ada.signIn('ada')
  await untilGiven(ada.page)
  await bruno.signIn('bruno')
  const [paying, working] = [await ada.account('ada'), await bruno.account('bruno')]
  await registerAsPerson(of.url, working, 'Bruno')
  const owned = stack.move()
  return { ada, paying, working, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

let prices = 100

async function applied({ ada, working }: Pair, title: string): Promise<{ taskId: string; executor_id: string }> {
  prices += 1
  const taskId = await publishAsPerson(ada, {
    title,
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: prices / 100,
    evidence_required: ['text_response'],
  })
  const { executor_id } = await working.client.tasks.apply({ task_id: taskId })
  return { taskId, executor_id }
}

async function handedIn(pair: Pair, title: string): Promise<string> {
  const { taskId, executor_id } = await applied(pair, title)
  await pair.paying.client.assignWorker({ task_id: taskId, executor_id })
  await pair.working.client.tasks.submit({ task_id: taskId, evidence: { text_response: 'It is green.' } })
  return taskId
}

const signing = (page: Page) => page.getByRole('dialog', { name: 'Before you sign' })
const sign = (page: Page): Promise<void> => signing(page).getByRole('button', { name: 'Open the wallet' }).click()

test('a lock that is under way is told as such after a reload, asks for no signature, and is done by itself', async () => {
  await using pair = await enter(theatre)
  const { ada, paying } = pair
  const { page } = ada
  const { taskId } = await applied(pair, 'Lock the gate')
  await ada.open(`/my/tasks/${taskId}`)
  await page.getByRole('link', { name: /^Choose / }).click()
  const asked = page.getByRole('dialog', { name: 'Choose this worker?' })
  const before = await heldMoney(theatre, paying.signer.address)
  await whileMoneyIsPaused(theatre, async () => {
    await asked.getByRole('button', { name: 'Set the money aside' }).click()
    await sign(page)
    await asked.getByText('The money is being set aside').waitFor()
    await asked.getByRole('button', { name: 'Close' }).waitFor()
    await expect
      .poll(async () => (await paying.client.tasks.get({ task_id: taskId })).status, { timeout: 20_000 })
      .toBe('assigning')
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'The money is being set aside' }).waitFor()
    await page.waitForURL((url) => url.search === '')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
  await page.getByText('Assigned', { exact: true }).first().waitFor()
  expect(before - (await heldMoney(theatre, paying.signer.address))).toBe(BigInt(prices) * 10_000n)
})

test('a payment that is under way is told as such after a reload, asks for no signature, and is done by itself', async () => {
  await using pair = await enter(theatre)
  const { ada, paying } = pair
  const { page } = ada
  const taskId = await handedIn(pair, 'Pay for the gate')
  await ada.open(`/my/tasks/${taskId}/review?do=approve`)
  await whileMoneyIsPaused(theatre, async () => {
    await page.getByRole('button', { name: 'Sign and pay' }).click()
    await sign(page)
    await expect
      .poll(async () => (await paying.client.payments.get({ task_id: taskId })).status, { timeout: 20_000 })
      .toBe('releasing')
    await page.reload()
    await page.getByRole('status').filter({ hasText: 'Paying.' }).waitFor()
    await page.waitForURL((url) => !url.searchParams.has('do'))
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
  await untilPaid(page)
  await page.locator('label').filter({ hasText: '4 stars' }).click()
  await page.getByLabel('Comment, public').fill('Clear words.')
  await page.getByRole('button', { name: 'Rate', exact: true }).click()
  await page.getByRole('button', { name: 'Publish the rating' }).click()
  await page.getByRole('status').filter({ hasText: 'The rating is' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Your rating' }).waitFor()
  await page.getByText('Clear words.').waitFor()
  expect(await page.getByRole('button', { name: 'Rate', exact: true }).count()).toBe(0)
})

test('a payment that failed after a reload says so and why beside the decision, which is asked for again', async () => {
  // One copy is on its way as long as money is paused: of several, another may be read first and is young enough.
  await using patient = await openTheatre({ env: { server: { SVC_SETTLE_WAIT_MS: '60000' } } })
  await using pair = await enter(patient)
  const { ada, paying } = pair
  const { page } = ada
  const taskId = await handedIn(pair, 'Fail at the gate')
  await ada.open(`/my/tasks/${taskId}/review?do=approve`)
  const status = async (): Promise<string> => (await paying.client.payments.get({ task_id: taskId })).status
  await whileMoneyIsPaused(patient, async () => {
    await page.getByRole('button', { name: 'Sign and pay' }).click()
    await sign(page)
    await expect.poll(status, { timeout: 20_000 }).toBe('releasing')
    await page.reload()
    // By then the order that was handed on is too old to be carried out.
    await page.waitForTimeout(32_000)
  })
  await expect.poll(status, { timeout: 60_000 }).toBe('authorized')
  const failed = page.getByRole('status').filter({ hasText: 'The last payment did not go through. Nobody was paid.' })
  await failed.waitFor()
  await page.getByRole('link', { name: 'Approve and pay' }).last().click()
  await page.getByRole('button', { name: 'Sign and pay' }).click()
  await sign(page)
  await untilPaid(page)
  expect(await failed.count()).toBe(0)
})

test('the two signatures of a payment without escrow are asked for one after the other where the address opened them', async () => {
  await using direct = await openTheatre({ paymentMode: 'fase1' })
  await using pair = await enter(direct)
  const { page } = pair.ada
  const taskId = await handedIn(pair, 'Pay at once for the gate')
  const fresh = await pair.ada.context.newPage()
  await page.close()
  await fresh.goto(`/my/tasks/${taskId}/review?do=approve`)
  await fresh.getByText('Total, from your wallet').waitFor()
  await fresh.getByRole('button', { name: 'Sign and pay' }).click()
  await sign(fresh)
  await signing(fresh).getByText('And the fee').waitFor()
  await sign(fresh)
  await untilPaid(fresh)
})
