import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { madeTown, townAt } from './made-town.ts'
import { untilFunded } from './person.ts'

const folder = mkdtempSync(join(tmpdir(), 'ergon-town-'))
const file = join(folder, 'town.pmtiles')
let theatre: Theatre
const ids: string[] = []
beforeAll(async () => {
  writeFileSync(file, madeTown())
  theatre = await openTheatre({ env: { server: { SVC_MAP_FILE: file } } })
  await using ada = await theatre.person()
  await ada.signIn('ada')
  const { client } = await ada.account('ada')
  await untilFunded(await ada.account('ada'))
  for (const [title, lng, bounty_usd] of [
    ['Photograph the gate', townAt.lng, 4],
    ['Photograph the far gate', townAt.lng + 8, 8],
  ] as const) {
    const { id } = await client.tasks.publish({
      title,
      instructions: 'Stand in front of the gate and take one photo.',
      category: 'simple_action',
      bounty_usd,
      evidence_required: ['photo'],
    })
    await client.tasks.setLocation({ task_id: id, lat: townAt.lat, lng, radius_m: 150 })
    ids.push(id)
  }
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** The zooms of which tiles were fetched, by where they come from; what failed is in the list of faults. */
function tilesOf(page: Page): {
  readonly world: Set<number>
  readonly streets: Set<number>
  readonly failed: string[]
} {
  const seen = { world: new Set<number>(), streets: new Set<number>(), failed: [] as string[] }
  page.on('response', (answer) => {
    const [, layer, zoom] = /\/map\/(world|streets)\/(\d+)\//.exec(answer.url()) ?? []
    if (answer.status() >= 400) seen.failed.push(answer.url())
    else if (layer === 'world' || layer === 'streets') seen[layer].add(Number(zoom))
  })
  return seen
}

const around = (span: number): string =>
  [townAt.lng - span, townAt.lat - span / 2, townAt.lng + span, townAt.lat + span / 2]
    .map((one) => one.toFixed(4))
    .join(',')

test.each(['light', 'dark'] as const)(
  'the map draws the world and the streets of the operator, and names whose data is seen, in the %s',
  async (colorScheme) => {
    await using visitor = await theatre.person({ colorScheme })
    const { page, open } = visitor
    const tiles = tilesOf(page)
    const named = page.getByRole('link', { name: 'OpenStreetMap' })
    await open(`/map?box=${around(0.01)}`)
    await named.waitFor()
    await expect.poll(() => [...tiles.streets].some((zoom) => zoom >= 13), { timeout: 20_000 }).toBe(true)
    await expect.poll(() => tiles.world.has(6), { timeout: 20_000 }).toBe(true)
    await bringAxe(visitor.context)
    await open(`/map?box=${around(20)}`)
    await page.getByRole('link', { name: 'GeoNames' }).last().waitFor()
    await expect.poll(() => Math.min(...tiles.world), { timeout: 20_000 }).toBeLessThan(6)
    expect(await named.count()).toBe(0)
    expect(tiles.failed).toEqual([])
    expect(await violationsOf(page)).toEqual([])
  },
)

test('what the pointer or the focus is on in the list is marked on the map, and the other way round', async () => {
  await using visitor = await theatre.person({ viewport: { width: 1_440, height: 900 } })
  const { page, open } = visitor
  await open(`/map?box=${around(12)}`)
  const pin = page.getByRole('button', { name: /^Photograph the gate/ })
  const card = page.getByRole('listitem').filter({ hasText: 'Photograph the gate' })
  await pin.waitFor()
  await card.hover()
  await expect.poll(() => pin.evaluate((one) => one.classList.contains('map-pin-chosen'))).toBe(true)
  await pin.hover()
  await expect.poll(() => card.evaluate((one) => one.classList.contains('is-marked'))).toBe(true)
  await page.getByRole('link', { name: 'Photograph the far gate' }).focus()
  await expect.poll(() => pin.evaluate((one) => one.classList.contains('map-pin-chosen'))).toBe(false)
})

test('who moves the map may search what is in view, and everywhere again', async () => {
  await using visitor = await theatre.person({ ...phone })
  const { page, open } = visitor
  await open('/map')
  await page.getByText('2 tasks with a place').waitFor()
  await page.getByRole('region', { name: /^Map:/ }).focus()
  await page.keyboard.press('=')
  await page.getByRole('button', { name: 'Search this area' }).click()
  await page.waitForURL(/box=/)
  await open(`/map?box=${around(0.5)}`)
  await page.getByText('1 task with a place').waitFor()
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await page.getByText('2 tasks with a place').waitFor()
})

/** Bytes of everything that came over the wire, headers and all, as the browser's own protocol counts them. */
async function bytesOf(page: Page, act: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await act()
  await session.detach()
  return bytes
}

test('a phone that opens a task with a place loads at most 300 kB in all before the map is touched', async () => {
  await using visitor = await theatre.person({ ...phone, serviceWorkers: 'block' })
  const { page, open } = visitor
  const picture = page.getByRole('img', { name: /^Map:/ })
  const bytes = await bytesOf(page, async () => {
    await open(`/tasks/${ids[0] ?? ''}`)
    await expect.poll(() => picture.locator('text').count(), { timeout: 20_000 }).toBeGreaterThan(0)
    await visitor.settled()
  })
  process.stdout.write(`a task with a place: ${String(Math.round(bytes / 1_000))} kB on a phone\n`)
  expect(bytes).toBeLessThan(300_000)
  expect(await page.locator('.maplibregl-canvas').count()).toBe(0)
  await page.getByRole('button', { name: 'Open the map' }).click()
  await page.locator('.maplibregl-canvas').waitFor()
})
