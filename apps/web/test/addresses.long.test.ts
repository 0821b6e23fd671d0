import { createServer, type Server } from 'node:http'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { tabTo } from './keyboard.ts'
import { madeTown, townAt } from './made-town.ts'

/** Addresses of the made town, as Photon says them; it falls silent when it is told to. */
const door = { lat: townAt.lat + 0.001, lng: townAt.lng + 0.001 } as const
const geocoder = { isSilent: false, asked: [] as string[] }
const listener: Server = createServer((request, response) => {
  const text = new URL(request.url ?? '', 'http://geocoder.test').searchParams.get('q') ?? ''
  geocoder.asked.push(text)
  if (geocoder.isSilent) return
  const properties = { street: text, postcode: '28001', city: 'Madetown', country: 'Spain' }
  const feature = { geometry: { type: 'Point', coordinates: [door.lng, door.lat] }, properties }
  response.end(JSON.stringify({ features: [feature] }))
})
const folder = mkdtempSync(join(tmpdir(), 'ergon-town-'))
const file = join(folder, 'town.pmtiles')
let theatre: Theatre
beforeAll(async () => {
  writeFileSync(file, madeTown())
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listener.address() as AddressInfo // it listens on a port
  theatre = await openTheatre({
    env: {
      server: {
        SVC_MAP_FILE: file,
        SVC_GEOCODER_URL: `http://127.0.0.1:${String(port)}`,
        SVC_GEOCODER_PER_MINUTE: '1000',
        SVC_GEOCODER_TIMEOUT_MS: '5000',
      },
    },
  })
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
  listener.closeAllConnections()
  listener.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  geocoder.isSilent = false
  geocoder.asked.length = 0
})

const patience = { timeout: 10_000 } as const
const fieldOf = (page: Page) => page.getByRole('combobox', { name: 'Find a town or an address' })
const numberIn = async (page: Page, label: string): Promise<number> => Number(await page.getByLabel(label).inputValue())
async function atThePlace(page: Page, open: (path: string) => Promise<void>): Promise<void> {
  await open('/publish?step=proof')
  await page.getByLabel('It has to be done at a certain place').check()
}

test('an address is found with the keyboard, sets the pin, and the pin can be dragged along the streets', async () => {
  await using person = await theatre.person()
  const { page, open } = person
  const asked: string[] = []
  page.on('request', (request) => {
    asked.push(request.url())
  })
  await atThePlace(page, open)
  await tabTo(page, fieldOf(page))
  await page.keyboard.type('Calle Mayor 5', { delay: 20 })
  await page.getByRole('option', { name: 'Calle Mayor 5, 28001 Madetown, Spain' }).waitFor()
  // Once, when nothing more was typed; and nobody but the service is asked.
  expect(geocoder.asked).toEqual(['Calle Mayor 5'])
  expect(asked.filter((url) => !url.startsWith(theatre.url) && !/^(?:data|blob):/.test(url))).toEqual([])
  await page.getByText('Addresses: © OpenStreetMap contributors').waitFor()
  await page.keyboard.press('Enter')
  expect(await numberIn(page, 'Latitude')).toBeCloseTo(door.lat, 6)
  expect(await numberIn(page, 'Longitude')).toBeCloseTo(door.lng, 6)
  expect(await page.getByLabel('Radius in metres').inputValue()).toBe('500')

  const pin = page.locator('.map-place')
  await pin.waitFor()
  await pin.scrollIntoViewIfNeeded()
  // Streets are named where they are drawn: the map went near enough to see them.
  await page.getByLabel('Map data').filter({ hasText: 'Streets:' }).waitFor()
  const box = await pin.boundingBox()
  if (box === null) throw new Error('the pin is not seen')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 40, y - 30, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => numberIn(page, 'Longitude'), patience).toBeGreaterThan(door.lng + 0.0002)
  expect(await numberIn(page, 'Latitude')).toBeGreaterThan(door.lat + 0.0001)
  expect(await numberIn(page, 'Latitude')).toBeLessThan(door.lat + 0.01)
})

test('addresses stand below the towns, and who looks for work finds what is near one', async () => {
  await using person = await theatre.person({ ...phone })
  const { page, open } = person
  await open('/find?filters=open')
  await fieldOf(page).fill('lisb')
  const options = page.getByRole('listbox', { name: 'Towns and addresses' }).getByRole('option')
  await options.filter({ hasText: 'lisb, 28001 Madetown, Spain' }).waitFor()
  const names = await options.allInnerTexts()
  expect([names[0], names.at(-1)]).toEqual([
    expect.stringMatching(/^Lisbon/),
    expect.stringMatching(/^lisb, 28001[^]*address$/),
  ])
  await options.last().tap()
  await page.waitForURL(/near=40\.42\d%2C-3\.68\d&within=25/)
})

test('a geocoder that does not answer is said not to, towns are found all the same, and typing on calls the question back', async () => {
  await using person = await theatre.person({ expected: /status of 503/ })
  const { page, open } = person
  const dropped: string[] = []
  page.on('requestfailed', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/places') dropped.push(searchParams.get('q') ?? '')
  })
  await atThePlace(page, open)
  geocoder.isSilent = true
  await fieldOf(page).fill('madri')
  await expect.poll(() => geocoder.asked, patience).toEqual(['madri'])
  await fieldOf(page).fill('madrid')
  await expect.poll(() => dropped, patience).toEqual(['madri'])
  await page.getByText('Addresses cannot be looked up right now').waitFor()
  await page.getByRole('option', { name: 'Madrid, Spain', exact: true }).waitFor()
  await fieldOf(page).fill('zzzz zzzz')
  await page.getByText('Looking for addresses').waitFor()
  await page.getByText('Addresses cannot be looked up right now').waitFor()
  expect(await page.getByText('was found').count()).toBe(0)
  geocoder.isSilent = false
  await fieldOf(page).fill('zzzz zzzzz')
  await page.getByRole('option', { name: 'zzzz zzzzz, 28001 Madetown, Spain' }).waitFor()
})

test.each([
  ['en-GB', /Find a town or an address/, /certain place/],
  ['es-ES', /Buscar una ciudad o una dirección/, /lugar concreto/],
])('the list of addresses meets WCAG 2.2 AA in %s, and fits a window of 360 px', async (locale, label, place) => {
  // Axe comes into the page as a script of nobody's.
  await using person = await theatre.person({ locale, bypassCSP: true, serviceWorkers: 'block' })
  const { page, open } = person
  await bringAxe(person.context)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: phone.viewport.width, height: 4_000 })
    await open('/publish?step=proof')
    await page.getByLabel(place).check()
    await page.getByRole('combobox', { name: label }).fill('calle lisboa 1')
    await page.getByRole('option', { name: 'calle lisboa 1, 28001 Madetown, Spain' }).waitFor()
    expect(await violationsOf(page), colorScheme).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  }
})
