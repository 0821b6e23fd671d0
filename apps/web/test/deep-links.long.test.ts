import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppRouter } from '../src/router.tsx'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson, type Person } from './person.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

const paths = Object.keys(createAppRouter().routesByPath)

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const headingOf = ({ page }: Person): Promise<string> => page.getByRole('heading', { level: 1 }).first().innerText()

test.each([['a visitor'], ['the publisher']] as const)(
  'every address of the app can be opened and loaded again by %s, and says the same',
  async (who) => {
    await using visitor = await theatre.person()
    const person = who === 'a visitor' ? visitor : scene.publisher
    const { page, open, settled } = person
    for (const path of paths) {
      const address = addressOf(path, scene.params)
      await open(address)
      const before = { heading: await headingOf(person), title: await page.title() }
      expect(before.heading, address).not.toBe('')
      expect(before.title, address).toContain('Ergon')
      // A network is called by its title; its own name is for files and programs.
      if (path !== '/developers') expect(await page.getByRole('main').innerText(), address).not.toContain('localnet')
      await page.reload()
      await settled()
      expect({ heading: await headingOf(person), title: await page.title() }, address).toEqual(before)
      // The front page is for whoever is not known yet; everybody else is led to the work.
      const stays = address === '/' && who === 'the publisher' ? '/find' : address
      expect(new URL(page.url()).pathname, address).toBe(stays)
    }
    expect(person.faults.list()).toEqual([])
  },
  240_000,
)

test('what follows the question mark survives a reload and the way back, and an old address leads to the list', async () => {
  await using person = await theatre.person()
  const { page } = person
  await person.open('/?category=simple_action&sort=bounty')
  await page.waitForURL('**/find?category=simple_action**')
  await page.reload()
  await person.settled()
  expect(new URL(page.url()).searchParams.get('category')).toBe('simple_action')
  await page.getByRole('link', { name: 'Services' }).first().click()
  await page.waitForURL('**/services')
  await page.goBack()
  await page.waitForURL('**/find?category=simple_action**')
})

test('what is typed about one task is nothing of another one that the history leads to', async () => {
  const {
    publisher: { page, open, settled, account },
    params,
  } = scene
  const { client } = await account('ada')
  const { task_id: disputed } = await client.disputes.get({ dispute_id: params['disputeId'] ?? '' })
  const reviewed = params['taskId'] ?? ''
  const message = page.getByLabel('Your message')
  await open('/my/tasks')
  for (const id of [disputed, reviewed]) {
    await page.locator('a[href="/my/tasks"]').locator('visible=true').first().click()
    await page.locator(`main a[href="/my/tasks/${id}"]`).first().click()
    await message.waitFor()
    await settled()
  }
  await message.fill('The key is under the mat.')
  await page.evaluate(() => {
    history.go(-2)
  })
  await page.waitForURL(`**/my/tasks/${disputed}`)
  await settled()
  expect(await message.inputValue()).toBe('')
  await page.evaluate(() => {
    history.go(2)
  })
  await page.waitForURL(`**/my/tasks/${reviewed}`)
  await settled()
  expect(await message.inputValue()).toBe('The key is under the mat.')
  await message.fill('')
})

test('what is typed, and the list under it, stay when what was read before cannot be read again', async () => {
  await using person = await theatre.person({ ...phone, expected: /Failed to load resource/ })
  const { page } = person
  await person.signIn('bruno')
  const workerId = await registerAsPerson(theatre.url, await person.account('bruno'), 'Bruno')
  const { signer } = await scene.publisher.account('ada')
  for (const [address, read] of [
    ['/profile', `**/api/v1/workers/${workerId}`],
    [`/publishers/${signer.address}`, '**/api/v1/reputation/**'],
  ] as const) {
    await person.open(address)
    const typed = page.getByLabel('About you')
    if (address === '/profile') await typed.fill('I walk every day.')
    const heading = await page.locator('main h2').allInnerTexts()
    // What was read is no longer fresh.
    await page.waitForTimeout(5_500)
    await page.route(read, (route) => route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR' } }))
    const refused = page.waitForResponse((answer) => answer.status() === 500)
    // As whoever comes back from another app.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await refused
    await person.settled()
    await page.unroute(read)
    if (address === '/profile') expect(await typed.inputValue()).toBe('I walk every day.')
    expect(await page.locator('main h2').allInnerTexts()).toEqual(heading)
  }
})

test('an address that there is nothing at says so, with the way to the start', async () => {
  await using person = await theatre.person()
  await person.open('/no/such/screen')
  await person.page.getByRole('heading', { level: 1, name: 'There is nothing at this address.' }).waitFor()
  expect(await person.page.getByRole('main').getByRole('link').count()).toBeGreaterThan(0)
})

test('a screen that breaks says so in the language of the reader, keeps the ways on, and loads again', async () => {
  await using person = await theatre.person({ locale: 'es-ES', expected: /reading 'length'/ })
  const { page } = person
  const leaderboard = '**/api/v1/reputation/leaderboard**'
  await page.route(leaderboard, (route) => route.fulfill({ json: { workers: 'none of the shape' } }))
  await page.goto('/leaderboard')
  await page.getByRole('heading', { level: 1, name: 'Esta página no se ha abierto.' }).waitFor()
  expect(await page.getByRole('link', { name: 'Servicios' }).first().isVisible()).toBe(true)
  expect(await page.getByRole('main').getByRole('link', { name: 'Ir al inicio' }).getAttribute('href')).toBe('/')
  await page.getByText('Qué enviar').click()
  const report = page.getByRole('region', { name: 'Informe' })
  expect(await report.innerText()).toMatch(/^\/leaderboard\n[\dT:.-]+Z\nTypeError: .*reading 'length'/)
  await page.unroute(leaderboard)
  await page.getByRole('main').getByRole('button', { name: 'Reintentar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Esta página no se ha abierto.' }).waitFor({ state: 'detached' })
})

test.each([
  ['the front page', '/'],
  ['the list', '/find'],
  ['the task', '/tasks/$taskId'],
  ['publishing', '/publish'],
] as const)('%s does not move while it loads on a phone', async (name, path) => {
  await using person = await theatre.person({ ...phone, vitalsAs: `${name} on a phone` })
  await person.open(addressOf(path, scene.params))
  const { cls } = await person.vitals()
  // What the web vitals call good.
  expect(cls).toBeLessThan(0.1)
})
