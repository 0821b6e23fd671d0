import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openTheatre, phone, type Theatre } from './browser.ts'
import { enterAsPerson, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
let browser: Browser
beforeAll(async () => {
  theatre = await openTheatre()
  browser = await openBrowser(['--host-resolver-rules=MAP ergon.test 127.0.0.1'])
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await theatre?.[Symbol.asyncDispose]()
})

/** A visitor on a phone, at a name that is not of this machine: for the browser a page of the network. */
const enterInClear = (): Promise<Person> =>
  enterAsPerson(browser, theatre.url.replace('localhost', 'ergon.test'), {
    ...phone,
    expected: /The Cross-Origin-Opener-Policy header has been ignored/,
  })

async function pasted(page: Page): Promise<string> {
  const field = page.getByLabel('What has to be done')
  await field.fill('')
  await field.press('ControlOrMeta+V')
  return field.inputValue()
}

test('on a page that is not encrypted people read, and are told at once where they can sign in', async () => {
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  const taskId = await publishAsPerson(publisher, {
    title: 'Photograph the gate',
    instructions: 'Take a photo of the gate from the other side of the street.',
    category: 'simple_action',
    bounty_usd: 1,
    evidence_required: ['photo'],
    location_hint: 'At the gate',
  })
  await using visitor = await enterInClear()
  const { page, open } = visitor
  await open(`/tasks/${taskId}`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await page.getByRole('heading', { name: 'Photograph the gate', level: 1 }).waitFor()
  const onItself = `${theatre.serviceUrl}/tasks/${taskId}`
  await page.getByRole('banner').getByRole('link', { name: onItself }).waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('The link is copied.').waitFor()
  await open('/publish')
  expect(await pasted(page)).toBe(onItself)

  await open('/find')
  await page.getByText('Photograph the gate').first().waitFor()
  await page.getByRole('button', { name: 'Near me' }).click()
  await page.getByText('Your position could not be found.').waitFor()

  await open('/sign-in')
  await page.getByText('Nobody can sign in on a page that is not encrypted').waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
})

test('the button beside a text copies it on a page that is not encrypted, or leaves it selected and says so', async () => {
  await using visitor = await enterInClear()
  const { page, open } = visitor
  await open('/developers')
  const text = await page.getByRole('region', { name: 'Read without signing' }).last().innerText()
  const copy = page.getByRole('button', { name: /^Copy ?: Read without signing$/ })
  await copy.click()
  await page.getByText('Copied', { exact: true }).waitFor()
  await open('/publish')
  expect(await pasted(page)).toBe(text)

  await open('/developers')
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await copy.click()
  await page.getByText('Selected: copy it yourself').waitFor()
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(text)
})
