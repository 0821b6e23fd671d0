import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson, untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

/** A person with two wallets, who opens what belongs to the one while signed in with the other. */
let theatre: Theatre
let person: Person
let ownTask: string
let workTask: string
let submissionId: string
beforeAll(async () => {
  theatre = await openTheatre()
  person = await theatre.person(phone)
  await person.signIn('ada')
  const ada = await person.account('ada')
  await untilFunded(ada)
  await using worker = await theatre.person(phone)
  await worker.signIn('bruno')
  const bruno = await worker.account('bruno')
  await registerAsPerson(theatre.url, bruno, 'Bruno')
  const assigned = async (bounty_usd: number): Promise<string> => {
    const task_id = await publishAsPerson(person, {
      title: 'Photograph the gate',
      instructions: 'Stand in front of the gate and write what you see.',
      category: 'simple_action',
      bounty_usd,
      evidence_required: ['text_response'],
    })
    const { executor_id } = await bruno.client.tasks.apply({ task_id })
    await ada.client.assignWorker({ task_id, executor_id })
    return task_id
  }
  workTask = await assigned(1.1)
  ownTask = await assigned(1.2)
  const evidence = { text_response: 'It is green.' }
  submissionId = (await bruno.client.tasks.submit({ task_id: ownTask, evidence })).submission_id
  await person.open('/sign-in')
  await person.page.getByRole('button', { name: 'Sign out' }).click()
  await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await person.signIn('bruno')
}, 300_000)
afterAll(async () => {
  await person?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test('what another wallet works on asks for no evidence of whoever never worked, and says who is signed in', async () => {
  const { page, open } = person
  await open(`/work/${workTask}/submit`)
  await page.getByText('Another person does this task now.').waitFor()
  await page.getByText(/^You are signed in as 0x/).waitFor()
  expect(await page.getByRole('textbox').count()).toBe(0)
  expect(await page.getByText('Your turn').count()).toBe(0)
})

test('whoever opens it with the wrong wallet is led to the others, and with the right one back to it', async () => {
  const { page, open } = person
  await open(`/submissions/${submissionId}`)
  const refused = page.getByRole('alert').filter({ hasText: 'This belongs to another person.' })
  await refused.getByRole('link', { name: 'Use another wallet' }).waitFor()
  await open(`/my/tasks/${ownTask}`)
  await page.getByText('This task belongs to another person.').waitFor()
  const { address } = (await person.account('bruno')).signer
  await page.getByText(`You are signed in as ${address.slice(0, 6)}`).waitFor()
  await page.getByRole('link', { name: 'Use another wallet' }).click()
  await page.getByRole('button', { name: /^Ada/ }).click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.waitForURL(`**/my/tasks/${ownTask}`)
  await page.getByRole('link', { name: 'Review the work' }).waitFor()
})
