import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppRouter } from '../src/router.tsx'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

/** Steps of a form that an address opens. */
const steps = ['proof', 'money', 'check'].map((step) => `/publish?step=${step}`)
const paths = [...Object.keys(createAppRouter().routesByPath), ...steps]
const tongues = [
  ['en', 'en-GB'],
  ['es', 'es-ES'],
] as const
// Axe comes into the page as a script of nobody's; the policy is tried elsewhere.
const examined = { bypassCSP: true, serviceWorkers: 'block' } as const

let theatre: Theatre
let scenes: Readonly<Record<'en' | 'es', Scene>>
beforeAll(async () => {
  theatre = await openTheatre()
  const [en, es] = [
    await setScene(theatre, { ...examined, locale: 'en-GB' }),
    await setScene(theatre, { ...examined, locale: 'es-ES' }),
  ]
  scenes = { en, es }
  for (const { publisher, worker } of [en, es]) for (const { context } of [publisher, worker]) await bringAxe(context)
}, 300_000)
afterAll(async () => {
  for (const scene of Object.values(scenes ?? {})) await scene[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const wide = { width: 1280, height: 800 }

/** Reads one screen light and wide, then dark and as narrow as a phone; the line says where something is wrong. */
async function examine({ page, open }: Person, path: string): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
  await open(path)
  const found = (await violationsOf(page)).map((line) => `light ${path}: ${line}`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(phone.viewport)
  found.push(...(await violationsOf(page)).map((line) => `dark ${path}: ${line}`))
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  if (beyond > 0) found.push(`narrow ${path}: ${String(beyond)} px stick out to the side`)
  return found
}

test('the routes of the app are known here, and what breaks the rules is found', async () => {
  expect(paths.length).toBeGreaterThan(30)
  await using visitor = await theatre.person(examined)
  await bringAxe(visitor.context)
  await visitor.open('/sign-in')
  await visitor.page.evaluate(() => {
    document
      .querySelector('main')
      ?.insertAdjacentHTML('beforeend', '<p style="color: #999; background: #aaa">pale</p><button></button>')
  })
  const found = (await violationsOf(visitor.page)).map((line) => line.split(' ')[0])
  expect(found).toEqual(expect.arrayContaining(['color-contrast', 'button-name']))
})

test.each(tongues)(
  'every screen meets WCAG 2.2 AA for a visitor in %s, light and dark, and fits a window of 360 px',
  async (language, locale) => {
    await using visitor = await theatre.person({ ...examined, locale })
    await bringAxe(visitor.context)
    const found: string[] = []
    for (const path of paths) found.push(...(await examine(visitor, addressOf(path, scenes[language].params))))
    expect(found).toEqual([])
  },
  300_000,
)

test.each(tongues)(
  'every screen meets WCAG 2.2 AA for the publisher and the worker in %s, light and dark, and fits a window of 360 px',
  async (language) => {
    const { publisher, worker, params } = scenes[language]
    const found: string[] = []
    for (const path of paths) {
      const isOfWork = /^\/(?:work|earnings|receipts|profile|submissions)/.test(path)
      found.push(...(await examine(isOfWork ? worker : publisher, addressOf(path, params))))
    }
    expect(found).toEqual([])
  },
  300_000,
)

test.each(tongues)(
  'every screen of the operator meets WCAG 2.2 AA in %s once the key has opened it, with its dialogs',
  async (language, locale) => {
    await using operator = await theatre.person({ ...examined, locale })
    await bringAxe(operator.context)
    await operator.open('/status')
    await operator.page.evaluate((key) => {
      sessionStorage.setItem('ergon-admin-key', key)
    }, theatre.constellation.record().adminKeys.server)
    const dialogs = [
      `/admin/tasks?force=${scenes[language].openTask}`,
      '/admin/workers?ban=new',
      `/admin/workers?ban=${String(scenes[language].params['wallet'])}`,
    ]
    const found: string[] = []
    for (const path of [...paths.filter((one) => one.startsWith('/admin')), ...dialogs]) {
      found.push(...(await examine(operator, path)))
      expect(await operator.page.locator('input[type="password"]').count(), path).toBe(0)
    }
    expect(found).toEqual([])
  },
)

test.each(tongues)('the menu and the explanation of a signature meet WCAG 2.2 AA in %s', async (_language, locale) => {
  await using person = await theatre.person({ ...examined, locale })
  const { page } = person
  await bringAxe(person.context)
  await person.open('/sign-in')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator('button[aria-haspopup="dialog"]').locator('visible=true').first().click()
    // The menu is loaded when it is opened.
    await page.getByRole('dialog').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Ada/ }).click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
})
