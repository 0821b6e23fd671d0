import type { Page } from 'playwright-core'
import type { Input } from '@ergon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { publishAsPerson } from './scene.ts'
import { untilFunded } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const task: Input<'h2a.publish'> = {
  title: 'Photograph the gate',
  instructions: 'Stand in front of the gate and write what you see.',
  category: 'simple_action',
  bounty_usd: 2.5,
  evidence_required: ['text_response'],
}

/** Signs in where one is: chooses the wallet, reads what is signed, agrees. */
async function comeBack(page: Page, wallet: 'Ada (test)' | 'Bruno (test)'): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByText('Your session has ended.').waitFor()
  await dialog.getByRole('button', { name: wallet }).click()
  await page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('whoever publishes after the session has ended signs in on the spot, and the task is published as it was typed', async () => {
  await using ada = await theatre.person(phone)
  const { page, context } = ada
  await ada.signIn('ada')
  await ada.open('/publish')
  await page.getByRole('button', { name: 'Find something out' }).click()
  await page.getByLabel('Title').fill('Is the blue gate open?')
  await page.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await context.clearCookies()
  await page.getByRole('button', { name: 'Post it' }).click()
  // Leaving it is a way back to what was typed, and Back is such a leaving.
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('alert').getByText('You are not signed in.').waitFor()
  await page.getByRole('button', { name: 'Step 1 of 4: What' }).click()
  expect(await page.getByLabel('Title').inputValue()).toBe('Is the blue gate open?')
  await page.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await page.getByRole('button', { name: 'Post it' }).click()
  await comeBack(page, 'Ada (test)')
  await page.waitForURL(/\/my\/tasks\/[\w-]+$/)
  await page.getByRole('heading', { level: 1, name: 'Is the blue gate open?' }).waitFor()
})

test('a session that ends elsewhere takes nothing off the screen, and saving goes on after signing in', async () => {
  await using bruno = await theatre.person(phone)
  const { page, context } = bruno
  await bruno.signIn('bruno')
  const { client } = await bruno.account('bruno')
  await client.workers.register({ name: 'Bruno' })
  await bruno.open('/profile')
  await page.getByLabel('About you').fill('I walk every day.')
  const other = await context.newPage()
  await other.goto('/find')
  // The bar below has it once the person is known; until then the one above has.
  await other.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'More' }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('link', { name: 'Sign in' }).first().waitFor()
  // The line for live events tells it, as soon as it is looked at.
  await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor({ timeout: 45_000 })
  expect(await page.getByLabel('About you').inputValue()).toBe('I walk every day.')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await comeBack(page, 'Bruno (test)')
  await page.getByRole('status').filter({ hasText: 'Your session has ended.' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Your profile is saved.' }).waitFor()
  expect((await client.account.export({})).profile).toMatchObject({ bio: 'I walk every day.' })
})

test('what was typed when a session ended is there again after a reload and signing in, and is kept no longer once saved', async () => {
  await using bruno = await theatre.person(phone)
  const { page, context } = bruno
  await bruno.signIn('bruno')
  const { client } = await bruno.account('bruno')
  await client.workers.register({ name: 'Bruno' })
  await bruno.open('/profile')
  await page.getByLabel('About you').fill('I walk every night.')
  await context.clearCookies()
  await page.reload()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Bruno (test)' }).click()
  await page.getByRole('dialog', { name: 'Before you sign' }).getByRole('button', { name: 'Open the wallet' }).click()
  await page.waitForURL('**/profile')
  await expect.poll(() => page.getByLabel('About you').inputValue()).toBe('I walk every night.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Your profile is saved.' }).waitFor()
  expect(await page.getByLabel('About you').inputValue()).toBe('I walk every night.')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.draft.')))).toEqual([])
})

test('a bounty is locked by whoever was signed in, and by nobody else', async () => {
  await using ada = await theatre.person(phone)
  await using bruno = await theatre.person(phone)
  const { page, context } = ada
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
  const taskId = await publishAsPerson(ada, task)
  const worker = (await bruno.account('bruno')).client
  await worker.workers.register({ name: 'Bruno' })
  await worker.tasks.apply({ task_id: taskId })
  await ada.open(`/my/tasks/${taskId}`)
  await page.getByRole('link', { name: /^Choose / }).click()
  await context.clearCookies()
  const choose = page.getByRole('button', { name: 'Set the money aside' })
  await choose.click()
  await comeBack(page, 'Ada (test)')
  await page.getByRole('dialog', { name: 'Before you sign' }).getByText('Set aside US$2.50 for Bruno').waitFor()
  await page.goBack()
  // As another person the page is another one, and nothing is asked for in their name.
  await context.clearCookies()
  await choose.click()
  await comeBack(page, 'Bruno (test)')
  await page.getByText('This task belongs to another person.').waitFor()
  expect((await worker.tasks.get({ task_id: taskId })).status).toBe('published')
})
