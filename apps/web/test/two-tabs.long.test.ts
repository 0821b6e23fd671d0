import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { signInHere, untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
let publisher: Person
beforeAll(async () => {
  theatre = await openTheatre()
  publisher = await theatre.person()
  await publisher.signIn('ada')
  await untilFunded(await publisher.account('ada'))
}, 300_000)
afterAll(async () => {
  await publisher?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const publishOne = (bounty_usd: number): Promise<string> =>
  publishAsPerson(publisher, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd,
    evidence_required: ['text_response'],
  })

/** An application that is written and not sent, by whoever is signed in. */
async function write(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Apply', exact: true }).click()
  await page.getByLabel('Message to the publisher').fill('I live around the corner.')
}

/** In a tab of its own: one person signs out, and another signs in. */
async function becomeBruno({ context }: Person): Promise<Page> {
  const other = await context.newPage()
  await other.goto('/status')
  await other.getByRole('button', { name: 'More' }).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('link', { name: 'Sign in' }).first().waitFor()
  await other.goto('/sign-in')
  await signInHere(other, 'bruno')
  return other
}

async function applicantsOf(taskId: string): Promise<number> {
  const { client } = await publisher.account('ada')
  return (await client.tasks.applications({ task_id: taskId })).applications.length
}

test('a tab becomes that of whoever signs in in another one, and keeps nothing that was typed before', async () => {
  const taskId = await publishOne(1.1)
  await using person = await theatre.person()
  const { page } = person
  await person.signIn('ada')
  const addressOf = async (persona: 'ada' | 'bruno'): Promise<string> => (await person.account(persona)).signer.address
  const ada = await addressOf('ada')
  await person.open(`/tasks/${taskId}`)
  await write(page)
  await becomeBruno(person)
  await expect.poll(() => page.getByLabel('Message to the publisher').inputValue()).toBe('')
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('.draft.')))).toEqual([])
  await page.goto('/account')
  await page
    .getByText((await addressOf('bruno')).slice(0, 6))
    .first()
    .waitFor()
  expect(await page.getByText(ada.slice(0, 6)).count()).toBe(0)
  expect(await applicantsOf(taskId)).toBe(0)
})

test('what is sent before a tab has heard of it is sent in nobody’s name', async () => {
  const taskId = await publishOne(1.2)
  await using person = await theatre.person()
  const { page } = person
  // As a tab that slept.
  await page.addInitScript(() => {
    window.addEventListener('storage', (event) => {
      event.stopImmediatePropagation()
    })
  })
  await person.signIn('ada')
  await person.open(`/tasks/${taskId}`)
  await write(page)
  await becomeBruno(person)
  await page.getByRole('button', { name: 'Send application' }).click()
  await page.getByRole('alert').getByText('Someone else signed in in another tab.').waitFor()
  expect(await applicantsOf(taskId)).toBe(0)
})
