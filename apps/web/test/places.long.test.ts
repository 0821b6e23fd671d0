import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { pressOn, tabTo, typeInto } from './keyboard.ts'
import type { Person } from './person.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const isOfTowns = (url: string): boolean => /\/assets\/towns-[\w-]+\.json$/.test(url)

function requestsOf(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    asked.push(request.url())
  })
  return asked
}

async function publishAtTown({ page, open }: Person, title: string): Promise<string> {
  await open('/publish')
  await typeInto(page, page.getByLabel('Title'), title)
  await typeInto(page, page.getByLabel('What has to be done'), 'Stand in front of the tower and photograph it.')
  await typeInto(page, page.getByLabel('Kind of task'), 'Location')
  await pressOn(page, page.getByRole('button', { name: 'Go on to the proof' }))
  await pressOn(
    page,
    page.getByRole('group', { name: 'What the worker has to hand in' }).getByLabel('Photo', { exact: true }),
    'Space',
  )
  await typeInto(page, page.getByLabel('Condition 1', { exact: true }), 'The whole tower is in the picture')
  await pressOn(page, page.getByLabel('It has to be done at a certain place'), 'Space')
  await typeInto(page, page.getByRole('combobox', { name: 'Find a town' }), 'lisboa')
  await page.getByRole('option', { name: 'Lisbon (Lisboa), Portugal' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('Latitude').inputValue()).toMatch(/^38\.7/)
  expect(await page.getByLabel('Longitude').inputValue()).toMatch(/^-9\.1/)
  expect(await page.getByLabel('Radius in metres').inputValue()).toBe('5000')
  await pressOn(page, page.getByRole('button', { name: 'Go on to the price' }))
  await typeInto(page, page.getByLabel('Bounty in US dollars'), '10')
  await page.keyboard.press('Enter')
  await pressOn(page, page.getByRole('button', { name: 'Post it' }))
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  const [, id = ''] = /\/my\/tasks\/([\w-]{36})/.exec(page.url()) ?? []
  return id
}

test('a task is published at a town by its name with the keyboard, and a worker finds it near that town by its name', async () => {
  await using ada = await theatre.person()
  await ada.signIn('ada')
  const title = 'Photograph the tower by the river'
  const id = await publishAtTown(ada, title)
  const { client } = await ada.account('ada')
  expect(await client.tasks.location({ task_id: id })).toMatchObject({ precision: 'exact', radius_m: 5_000 })
  await client.tasks.publish({
    title: 'Find something out',
    instructions: 'Anywhere at all; write down what you found.',
    category: 'research',
    bounty_usd: 5,
    evidence_required: ['text_response'],
  })

  await using worker = await theatre.person()
  const { page } = worker
  const asked = requestsOf(page)
  await worker.open('/find')
  await page.getByRole('link', { name: 'Find something out' }).waitFor()
  await tabTo(page, page.getByRole('combobox', { name: 'Find a town' }))
  expect(asked.filter(isOfTowns)).toEqual([])
  await page.keyboard.type('Lisb')
  await page.getByRole('option', { name: 'Lisbon, Portugal' }).waitFor()
  expect(asked.filter(isOfTowns)).toHaveLength(1)
  const before = asked.length
  await page.keyboard.type('on, port')
  await page.getByRole('status').filter({ hasText: '1 town; choose' }).waitFor()
  // What is looked for is told to nobody.
  expect(asked.slice(before).filter((url) => !url.includes('/api/v1/'))).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(/near=38\.7\d+%2C-9\.1\d+&within=25/)
  await page.getByRole('form', { name: 'Filters' }).getByText('Near Lisbon, Portugal').waitFor()
  // The keyboard goes on where the results are.
  await page.getByRole('link', { name: title }).waitFor()
  await tabTo(page, page.getByRole('link', { name: title }))
  expect(await page.getByRole('link', { name: 'Find something out' }).count()).toBe(0)
  expect(
    asked.filter((url) => !url.startsWith(theatre.url) && !url.startsWith('data:') && !url.startsWith('blob:')),
  ).toEqual([])
})

test('the list is gone through with the arrows, closed with Escape, and taken with Enter or a finger', async () => {
  await using person = await theatre.person({ ...phone })
  const { page } = person
  await person.open('/find?filters=open')
  const field = page.getByRole('combobox', { name: 'Find a town' })
  const activeName = (): Promise<string | undefined> =>
    field.evaluate((input) => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent)
  await field.fill('san')
  const options = page.getByRole('listbox').getByRole('option')
  await options.first().waitFor()
  const names = await options.allInnerTexts()
  expect(names).toHaveLength(8)
  expect(await activeName()).toBe(names[0])
  await field.press('ArrowDown')
  expect(await activeName()).toBe(names[1])
  await field.press('ArrowUp')
  await field.press('ArrowUp')
  expect(await activeName()).toBe(names.at(-1))
  expect(await options.last().getAttribute('aria-selected')).toBe('true')
  await field.press('Escape')
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  expect(await field.inputValue()).toBe('san')
  await field.press('ArrowDown')
  await options.first().waitFor()
  await field.press('Escape')
  await field.press('Escape')
  expect(await field.inputValue()).toBe('')
  await field.fill('zzzz')
  await page.getByText(/^No town of 15,000/).waitFor()
  await field.fill('san jose, costa')
  for (const one of await options.all()) expect((await one.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await options.first().tap()
  await page.waitForURL(/near=9\.9\d+%2C-84\.\d+/)
  await page.getByText('Near San José, Costa Rica').waitFor()
})

test('where the towns cannot be loaded the field says so, and looks again with the next letter', async () => {
  await using person = await theatre.person({ serviceWorkers: 'block', expected: /ERR_FAILED/ })
  const { page } = person
  await page.route(
    ({ pathname }) => isOfTowns(pathname),
    (route) => route.abort(),
    { times: 1 },
  )
  await person.open('/find')
  const field = page.getByRole('combobox', { name: 'Find a town' })
  await field.fill('l')
  await page.getByText('The names of the towns could not be loaded.').waitFor()
  await field.fill('lisbon')
  await page.getByRole('option', { name: 'Lisbon, Portugal' }).waitFor()
})

test.each([
  ['en-GB', 'Find a town', 'Lisbon, Portugal'],
  ['es-ES', 'Buscar una ciudad', 'Lisbon, Portugal'],
])(
  'the open list meets WCAG 2.2 AA in %s, light and dark, and fits a window of 360 px',
  async (locale, label, first) => {
    // Axe comes into the page as a script of nobody's; the policy is tried above.
    await using person = await theatre.person({ locale, bypassCSP: true, serviceWorkers: 'block' })
    const { page } = person
    await bringAxe(person.context)
    for (const [path, colorScheme] of [
      ['/find?filters=open', 'light'],
      ['/find?filters=open', 'dark'],
      ['/publish?step=proof', 'light'],
      ['/publish?step=proof', 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      // As high as the page: what stays in its place while one scrolls covers nothing.
      await page.setViewportSize({ width: phone.viewport.width, height: 4_000 })
      await person.open(path)
      const place = page.getByLabel(/certain place|lugar concreto/)
      if (path.startsWith('/publish')) await place.check()
      await page.getByRole('combobox', { name: label }).fill('lisb')
      await page.getByRole('option', { name: first }).waitFor()
      expect(await violationsOf(page), `${path} ${colorScheme}`).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0)
    }
  },
)
