import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { assignJob, postTask } from './job-steps.ts'
import { registerAsPerson, untilFunded, type Person } from './person.ts'

const hourMs = 3_600_000

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** A person whose device is so far from the time. */
async function withClock(offMs: number): Promise<Person> {
  const person = await theatre.person()
  await person.context.addInitScript((off) => {
    const now = Date.now.bind(Date)
    globalThis.Date = class extends Date {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([now() + off] as unknown as []) : given))
      }
      static override now(): number {
        return now() + off
      }
    } as DateConstructor
  }, offMs)
  return person
}

test.each([-2, 2])('a device whose clock is %i hours off signs in and sets money aside', async (hours) => {
  await using ada = await withClock(hours * hourMs)
  const { page } = ada
  await using bruno = await theatre.person()
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
  const worker = await bruno.account('bruno')
  await registerAsPerson(theatre.url, worker, 'Bruno')
  await ada.open('/publish')
  await page.getByRole('button', { name: 'Find something out' }).click()
  const title = `Read the sign ${String(hours)}`
  await page.getByLabel('Title').fill(title)
  await page.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await postTask(page, title)
  const [task_id = ''] = /[\w-]{36}/.exec(page.url()) ?? []
  await worker.client.tasks.apply({ task_id })
  await assignJob(ada)
  expect((await worker.client.tasks.get({ task_id })).status).toBe('accepted')
})

test('a device that is days off is told about its clock, and not that the service cheats', async () => {
  await using person = await withClock(-40 * 24 * hourMs)
  const { page } = person
  await person.open('/sign-in')
  await page.getByRole('button', { name: 'Ada (test)' }).click()
  await page.getByRole('alert').getByText('The clock of this device is days off.').waitFor()
})
