import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOffline } from './line.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test('the app follows the language of the browser at first, and keeps the one that is chosen over a reload', async () => {
  await using person = await theatre.person({ locale: 'es-ES' })
  const { page } = person
  await person.open('/sign-in')
  expect(await page.locator('html').getAttribute('lang')).toBe('es')
  await page.getByRole('heading', { level: 1, name: 'Iniciar sesión' }).waitFor()
  await page.getByRole('button', { name: 'Más' }).click()
  await page.getByRole('button', { name: 'English' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

test('the app is light or dark as the system is, until the reader chooses', async () => {
  await using person = await theatre.person({ colorScheme: 'dark' })
  const { page } = person
  await person.open('/sign-in')
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const dark = await background()
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await background()
  expect(light).not.toBe(dark)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Dark' }).click()
  expect(await background()).toBe(dark)
  await page.reload()
  await person.settled()
  expect(await background()).toBe(dark)
})

test('a person signs in with a test wallet, is remembered over a reload, and gets test money', async () => {
  await using person = await theatre.person({ ...phone, vitalsAs: 'signing in on a phone' })
  await person.signIn('ada')
  await person.page.getByText('1,000 test USDC').waitFor()
  await person.page.reload()
  await person.page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  const { signer } = await person.account('ada')
  expect(await person.page.getByText(signer.address.slice(0, 6)).filter({ visible: true }).first().isVisible()).toBe(
    true,
  )
})

test('who is offline is told so, and told no more when the line is back', async () => {
  await using person = await theatre.person()
  await person.open('/sign-in')
  await setOffline(person.context, true)
  await person.page.getByText('You are offline.').waitFor()
  await setOffline(person.context, false)
  await person.page.getByText('You are offline.').waitFor({ state: 'detached' })
})
