import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson, untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

const place = 'Plaza de los Mostenses, puerta lateral del mercado'

let theatre: Theatre
let ada: Person
let bruno: Person
beforeAll(async () => {
  theatre = await openTheatre()
  ada = await theatre.person()
  bruno = await theatre.person({ ...phone, locale: 'es-ES' })
  await ada.signIn('ada')
  await bruno.signIn('bruno')
  await untilFunded(await ada.account('ada'))
}, 300_000)
afterAll(async () => {
  await bruno?.[Symbol.asyncDispose]()
  await ada?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const publish = (title: string): Promise<string> =>
  publishAsPerson(ada, {
    title,
    instructions: 'Stand in front of the gate and write what you see.',
    category: 'simple_action',
    bounty_usd: 2.5,
    evidence_required: ['text_response'],
    location_hint: place,
  })

test('the own work says what arrives, and says no amount where the task ended unpaid', async () => {
  const worker = await bruno.account('bruno')
  const executor_id = await registerAsPerson(theatre.url, worker, 'Bruno')
  const { client } = await ada.account('ada')
  const [runs, ended] = [await publish('Photograph the gate'), await publish('Photograph the door')]
  for (const task_id of [runs, ended]) {
    await worker.client.tasks.apply({ task_id })
    await client.assignWorker({ task_id, executor_id })
  }
  await client.tasks.cancel({ task_id: ended })
  await bruno.open('/work')
  const { page } = bruno
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Photograph the door' })
  await row.getByText('Cancelada').waitFor()
  expect(await row.getByText('US$').count()).toBe(0)
  expect(await page.getByRole('main').getByText('US$').count()).toBeGreaterThan(0)
})

test('with letters twice as large the place of a task is read in the list', async () => {
  await publish('Photograph the stairs')
  const { page } = bruno
  await bruno.open('/find')
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  const found = page.getByRole('main').getByText(place).first()
  await found.waitFor()
  const rows = await found.evaluate((one) => {
    one.scrollIntoView({ block: 'center' })
    return Math.round(one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight))
  })
  // In one line it was cut after its first word.
  expect(rows).toBe(2)
})
