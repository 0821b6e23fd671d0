import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { enterByPasskey, giveAuthenticator } from './passkey.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

/** How many sealed wallets the browser keeps, listed or not. */
const keptWallets = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const opened = indexedDB.open('ergon-passkey-wallet')
    await new Promise((resolve) => opened.addEventListener('success', resolve))
    const { result: db } = opened
    if (!db.objectStoreNames.contains('wallets')) {
      // It was not there before, and the app makes its own.
      db.close()
      indexedDB.deleteDatabase('ergon-passkey-wallet')
      return 0
    }
    const counted = db.transaction('wallets').objectStore('wallets').count()
    await new Promise((resolve) => counted.addEventListener('success', resolve))
    db.close()
    return counted.result
  })

const phrase = 'four words are enough'

test('a prompt that is refused says so and can be tried again; without the right passkey a sentence tells the way', async () => {
  await using marta = await theatre.person()
  const { page, open } = marta
  const device = await giveAuthenticator(page, { agrees: false })
  await open('/sign-in')
  await enterByPasskey(page, 'Marta')
  await page.getByRole('alert').getByText('Your passkey was not used').waitFor()
  expect(await keptWallets(page)).toBe(0)
  await device.replace({ agrees: true })
  await enterByPasskey(page, 'Marta')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()

  // The passkey is deleted: the prompt finds none, and nothing is signed.
  await marta.context.clearCookies()
  await device.forget()
  await open('/sign-in')
  await page.getByRole('button', { name: 'Sign in as Marta' }).click()
  await page.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('You did not sign.').waitFor()

  // The browser cleared what it kept, and still knows the name.
  await open('/sign-in')
  const isCleared = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const request = indexedDB.deleteDatabase('ergon-passkey-wallet')
        request.addEventListener('success', () => {
          resolve(true)
        })
        request.addEventListener('blocked', () => {
          resolve(false)
        })
      }),
  )
  expect(isCleared).toBe(true)
  await page.getByRole('button', { name: 'Sign in as Marta' }).click()
  await page.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByText('Bring it back with your key file').waitFor()
})

test('a wallet that this browser cannot list is not made: whoever paid to it would find it nowhere', async () => {
  await using marta = await theatre.person(phone)
  const { page, open } = marta
  await giveAuthenticator(page)
  await open('/sign-in')
  await page.evaluate((list) => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (this: Storage, key: string, text: string) {
      if (key === list) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, key, text)
    }
  }, 'ergon.passkey.wallets')
  await enterByPasskey(page, 'Marta')
  await page.getByRole('alert').getByText('This browser keeps nothing').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Marta')
  expect(await keptWallets(page)).toBe(0)
  expect(await page.getByRole('button', { name: 'Sign in as Marta' }).count()).toBe(0)
  await open('/sign-in')
  expect(await page.getByRole('button', { name: 'Sign in as Marta' }).count()).toBe(0)
  await enterByPasskey(page, 'Marta')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  expect(await keptWallets(page)).toBe(1)
})

test('a page script that asks the wallet meets its sheet, cannot press it, and no announcement takes its place', async () => {
  await using marta = await theatre.person()
  const { page, open } = marta
  await giveAuthenticator(page)
  await open('/sign-in')
  await enterByPasskey(page, 'Marta')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  const announced = await page.evaluate(() => {
    const seen: string[] = []
    addEventListener('eip6963:announceProvider', (event) => {
      seen.push(JSON.stringify((event as CustomEvent<unknown>).detail))
    })
    dispatchEvent(new Event('eip6963:requestProvider'))
    const [own] = JSON.parse(localStorage.getItem('ergon.passkey.wallets') ?? '[]') as { readonly address: string }[]
    const info = { uuid: 'x', name: 'Marta', icon: '', rdns: `local.ergon.passkey.${own?.address ?? ''}` }
    const detail = { info, provider: { request: () => Promise.resolve([]) } }
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    return seen.filter((one) => !one.includes('"uuid":"x"'))
  })
  // The wallet announces itself to nobody, and whoever takes its name is not listed.
  expect(announced).toEqual([])
  await marta.context.clearCookies()
  await open('/sign-in')
  expect(await page.getByRole('button', { name: 'Sign in as Marta' }).count()).toBe(1)
})

test('where no passkey seals, a passphrase does; the key file opens the wallet on another device, by keyboard', async () => {
  await using marta = await theatre.person()
  const { page, open } = marta
  await giveAuthenticator(page, { hasPrf: false })
  await open('/sign-in')
  await enterByPasskey(page, 'Marta')
  await page.getByText('This device has no passkey that can seal a wallet').waitFor()
  await page.getByLabel('Passphrase', { exact: true }).fill(phrase)
  await page.getByLabel('Passphrase', { exact: true }).press('Enter')
  const sheet = page.getByRole('dialog', { name: /wallet/i })
  await sheet.getByLabel('Passphrase', { exact: true }).fill(phrase)
  // A script's press is none; the key of a person is.
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('dialog[open] button[type=submit]'))
      button.click()
  })
  expect(await sheet.isVisible()).toBe(true)
  await sheet.getByLabel('Passphrase', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()

  await open('/account')
  await page.getByText('This browser has the only copy.').waitFor()
  await page.getByRole('button', { name: 'Save the key file' }).click()
  await page.getByLabel('Passphrase for the file').fill('another phrase for it')
  await page.getByLabel('The same again').fill('another phrase for it')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.getByRole('button', { name: 'Save the file' }).click()
      const asked = page.getByRole('dialog', { name: 'Open your wallet' })
      await asked.getByLabel('Passphrase', { exact: true }).fill(phrase)
      await asked.getByRole('button', { name: 'Open' }).click()
    })(),
  ])
  const file = await readFile(await download.path())
  await page.getByText('A key file was saved').waitFor()

  await using elsewhere = await theatre.person()
  const { page: other } = elsewhere
  await giveAuthenticator(other)
  await elsewhere.open('/sign-in')
  await other.getByRole('button', { name: 'Bring a wallet with its key file' }).click()
  const dialog = other.getByRole('dialog', { name: 'Bring your wallet here' })
  await dialog.getByLabel('Key file').setInputFiles({ name: 'w.json', mimeType: 'application/json', buffer: file })
  await dialog.getByLabel('Passphrase of the file').fill('another phrase for it')
  await dialog.getByLabel('Your name').fill('Marta')
  await dialog.getByRole('button', { name: 'Bring it here' }).click()
  await other.getByRole('button', { name: 'Sign in as Marta' }).click()
  await other.getByRole('button', { name: 'Open the wallet' }).click()
  await other.getByRole('heading', { level: 1, name: 'You are signed in.' }).waitFor()
  const lists = await Promise.all(
    [page, other].map((one) => one.evaluate(() => localStorage.getItem('ergon.passkey.wallets'))),
  )
  const [here, there] = lists.map((list) => (JSON.parse(list ?? '[]') as { readonly address: string }[])[0]?.address)
  expect(there).toBe(here)
  expect(here).toMatch(/^0x/)
}, 180_000)

test('under an address the page says where passkeys work; a phone gets links into wallets, a desk a code', async () => {
  await using person = await theatre.person()
  await person.page.goto(`${theatre.serviceUrl}/sign-in`)
  const href = await person.page.getByRole('link', { name: /^Open http:\/\/localhost/ }).getAttribute('href')
  expect(href).toBe(`${theatre.url}/sign-in`)
  await person.page.getByRole('button', { name: 'Go on with your phone' }).click()
  await person.page.getByText('A phone does not reach this address').waitFor()

  await using mobile = await theatre.person({ ...phone })
  await mobile.open('/sign-in?then=/publish')
  const link = await mobile.page.getByRole('link', { name: 'Open in MetaMask' }).getAttribute('href')
  expect(link).toBe(`https://link.metamask.io/dapp/${new URL(theatre.url).host}/sign-in?then=%2Fpublish`)
})

test.each([
  ['en-GB', 'light', 1440],
  ['es-ES', 'dark', 360],
] as const)('the way in and the wallet break no rule in %s, %s, %i px wide', async (locale, colorScheme, width) => {
  await using person = await theatre.person({ bypassCSP: true, serviceWorkers: 'block', locale, colorScheme })
  const { page, open, context } = person
  await bringAxe(context)
  await page.setViewportSize({ width, height: 800 })
  await giveAuthenticator(page)
  await open('/sign-in')
  const beyond = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect([await violationsOf(page), await beyond()]).toEqual([[], 0])
  const isSpanish = locale === 'es-ES'
  await page.getByLabel(isSpanish ? 'Tu nombre' : 'Your name').fill('Marta')
  await page.keyboard.press('Enter')
  await page
    .getByText(isSpanish ? 'Has iniciado sesión.' : 'You are signed in.')
    .first()
    .waitFor()
  await open('/account')
  for (const name of isSpanish
    ? ['Guardar el archivo de clave', 'Cambiar los límites', 'Mostrar la clave', 'Olvidarla en este dispositivo']
    : ['Save the key file', 'Change the limits', 'Show the key', 'Forget it on this device']) {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').waitFor()
    expect([name, await violationsOf(page), await beyond()]).toEqual([name, [], 0])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})
