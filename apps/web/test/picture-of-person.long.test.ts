import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { registerAsPerson } from './person.ts'
import { pictureOf, stripes } from './picture.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const file = { name: 'me.png', mimeType: 'image/png', buffer: pictureOf([20, 120, 90], 300) }
const shown = 'img.portrait[src^="/pictures/"]'
const isDrawn = (page: Page, place: string): Promise<boolean> =>
  page
    .locator(`${place} ${shown}`)
    .first()
    .evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth === 256)

test('a person chooses a picture, sees it before it is saved, and others see it beside the name', async () => {
  await using ada = await theatre.person()
  await ada.signIn('ada')
  const id = await registerAsPerson(theatre.url, await ada.account('ada'), 'Ada')
  await ada.open('/profile')
  const { page } = ada
  const card = page.getByRole('region', { name: 'Your picture' })
  await card.locator('svg.portrait').waitFor()
  await card.getByLabel('Choose a picture').setInputFiles({ ...file, buffer: Buffer.from('<svg/>') })
  await card.getByText('This file does not open as a picture.', { exact: false }).waitFor()
  await card.getByLabel('Choose a picture').setInputFiles(file)
  await card.getByText('It is not saved yet.', { exact: false }).waitFor()
  expect(await card.getByRole('alert').count()).toBe(0)
  await card.getByRole('img', { name: 'What others will see' }).waitFor()
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.locator('svg.portrait').waitFor()
  await card.getByLabel('Choose a picture').setInputFiles(file)
  await card.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Others see your picture now.').waitFor()
  await card.locator(shown).waitFor()
  // In the head of the page as well, without a reload.
  await page.locator(`header ${shown}`).first().waitFor({ state: 'attached' })
  await using visitor = await theatre.person(phone)
  await visitor.open(`/people/${id}`)
  await visitor.page.locator(`main ${shown}`).waitFor()
  await expect.poll(() => isDrawn(visitor.page, 'main')).toBe(true)
  await card.getByRole('button', { name: 'Remove picture' }).click()
  await page.getByText('Your picture is removed.').waitFor()
  await card.locator('svg.portrait').waitFor()
  await visitor.open(`/people/${id}`)
  await visitor.page.locator('main svg.portrait').waitFor()
})

/** The colour in the middle of what others will see. */
const middle = (canvas: Locator): Promise<readonly number[]> =>
  canvas.evaluate((one: HTMLCanvasElement) => [
    ...(one.getContext('2d')?.getImageData(one.width / 2, one.height / 2, 1, 1).data ?? []),
  ])
const near = (one: readonly number[], other: readonly number[]): boolean =>
  other.every((value, at) => Math.abs(value - (one[at] ?? -99)) <= 24)

test('what is shown of a picture is chosen by a finger, a tap, a slider or a key, and what was chosen is what others see', async () => {
  await using ada = await theatre.person(phone)
  await ada.signIn('ada')
  const id = await registerAsPerson(theatre.url, await ada.account('ada'), 'Ada')
  await ada.open('/profile')
  const { page } = ada
  const card = page.getByRole('region', { name: 'Your picture' })
  const [red, green, blue] = [
    [200, 30, 30],
    [30, 160, 60],
    [30, 60, 200],
  ] as const
  await card.getByLabel('Choose a picture').setInputFiles({ ...file, buffer: stripes([red, green, blue], 200) })
  const canvas = card.getByRole('img', { name: 'What others will see' })
  await expect.poll(async () => near(await middle(canvas), green)).toBe(true)
  const box = await canvas.boundingBox()
  if (box === null) throw new Error('the picture is not drawn')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x + box.width, at.y, { steps: 4 })
  await page.mouse.up()
  expect(near(await middle(canvas), red)).toBe(true)
  const sideways = card.getByRole('slider', { name: 'Left and right' })
  await sideways.focus()
  await page.keyboard.press('End')
  await expect.poll(async () => near(await middle(canvas), blue)).toBe(true)
  await card.getByRole('slider', { name: 'Zoom' }).fill('4')
  // A tap brings what is below it to the middle: from the middle of the last stripe, half a square of 50 each time.
  for (let taps = 0; taps < 5; taps += 1) await page.mouse.click(box.x + 2, at.y)
  await expect.poll(async () => near(await middle(canvas), green)).toBe(true)
  await card.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Others see your picture now.').waitFor()
  await using visitor = await theatre.person()
  await visitor.open(`/people/${id}`)
  const saved = visitor.page.locator(`main ${shown}`).first()
  await saved.waitFor()
  const colour = await saved.evaluate((one: HTMLImageElement) => {
    const pen = Object.assign(document.createElement('canvas'), { width: 256, height: 256 }).getContext('2d')
    pen?.drawImage(one, 0, 0)
    return [...(pen?.getImageData(128, 128, 1, 1).data ?? [])]
  })
  expect(near(colour, green)).toBe(true)
})

test('on a narrow phone, in the dark and in Spanish, the photo comes from the camera and everything has room', async () => {
  await using bruno = await theatre.person({ ...phone, locale: 'es-ES', colorScheme: 'dark' })
  await bringAxe(bruno.context)
  await bruno.signIn('bruno')
  const account = await bruno.account('bruno')
  await registerAsPerson(theatre.url, account, 'Bruno')
  await bruno.open('/profile')
  const { page } = bruno
  const card = page.getByRole('region', { name: 'Tu foto' })
  const camera = card.getByLabel('Hacer una foto')
  expect(await camera.getAttribute('capture')).toBe('user')
  await camera.setInputFiles(file)
  await card.getByText('Aún no está guardada.', { exact: false }).waitFor()
  expect(await violationsOf(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await card.getByRole('button', { name: 'Guardar la foto' }).click()
  await page.getByText('Los demás ya ven tu foto.').waitFor()
  await card.locator(shown).waitFor()
})

test('a picture that does not come leaves the portrait that is made from the address', async () => {
  await using ada = await theatre.person({ expected: /ERR_FAILED/ })
  await ada.signIn('ada')
  const { client } = await ada.account('ada')
  const id = await registerAsPerson(theatre.url, await ada.account('ada'), 'Ada')
  await client.workers.setPicture({ executor_id: id, picture: file.buffer.toString('base64') })
  await ada.page.route('**/pictures/*', (route) => route.abort())
  await ada.open(`/people/${id}`)
  await ada.page.locator('main svg.portrait').waitFor()
  // What is shown nowhere, as the other portrait of the head, was never asked for.
  expect(await ada.page.locator(`main ${shown}`).count()).toBe(0)
})
