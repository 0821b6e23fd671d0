import type { APIResponse } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryDatabase } from '@ergon/dev-env'
import { bringAxe, violationsOf } from './axe.ts'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'

let theatre: Theatre
let operator: Person
beforeAll(async () => {
  theatre = await openTheatre()
  operator = await theatre.person()
}, 300_000)
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const highest = async (): Promise<number> => {
  const said = await operator.page.request.get('/api/v1/config')
  const { max_bounty } = (await said.json()) as { max_bounty: number }
  return max_bounty
}

const changeSetting = (key: string, value: number): Promise<APIResponse> =>
  operator.page.request.put('/api/v1/admin/config', {
    headers: { 'x-admin-key': theatre.constellation.record().adminKeys.server },
    data: { key, value, reason: 'Something to read.' },
  })

test('nothing of the operator is shown before the service has taken the key', async () => {
  const { page, open } = operator
  await open('/admin/settings')
  expect(await page.getByText('Highest bounty').count()).toBe(0)
  await page.getByLabel('Admin key').fill(theatre.constellation.record().adminKeys.server)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('heading', { name: 'Highest bounty' }).waitFor()
})

test('the operator changes a setting within its bounds and with a reason, and the service follows', async () => {
  const { page } = operator
  expect(await highest()).toBe(100)
  await page.getByRole('link', { name: 'Change Highest bounty' }).click()
  expect(new URL(page.url()).searchParams.get('change')).toBe('bounty.max_usd')
  const dialog = page.getByRole('dialog')
  const value = dialog.getByLabel('New value in dollars')
  await value.fill('100.5')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.getByText('Use 100 or less.').waitFor()
  expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
  expect(await value.evaluate((field) => field === document.activeElement)).toBe(true)
  await value.fill('40')
  await dialog.getByLabel('Reason').fill('Smaller sums for the first days.')
  await dialog.getByLabel('Who does it').fill('Ada')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: 'Highest bounty' })
  await row.getByText('Changed').waitFor()
  await row.getByText(/^In force: (?:US)?\$40\.00$/).waitFor()
  expect(await highest()).toBe(40)
})

test('the audit log says who changed it, from what to what and why, and its filter is in the address', async () => {
  const { page, open } = operator
  await page.getByRole('link', { name: 'What was changed' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Smaller sums for the first days.' })
  await line.getByText('Setting changed').waitFor()
  await line.getByText('From its deployed value to US$40.00').waitFor()
  await line.getByText('Details').click()
  await line.getByText('value: as deployed → 40').waitFor()
  await line.getByText('by Ada').waitFor()
  await line.getByRole('link', { name: 'Only this' }).click()
  await page.getByText('One line about bounty.max_usd').waitFor()
  expect(new URL(page.url()).searchParams.get('subject')).toBe('bounty.max_usd')
  await open('/admin/audit?subject=bounty.min_usd')
  await page.getByText('Nothing was done to this.').waitFor()
})

test('the operator puts the setting back, and both changes stand in the log', async () => {
  const { page, open } = operator
  await open('/admin/settings')
  await page.getByRole('link', { name: 'Put back Highest bounty' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Who does it').inputValue()).toBe('Ada')
  await dialog.getByLabel('Reason').fill('The first days are over.')
  await dialog.getByRole('button', { name: 'Put back' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Highest bounty' })
    .getByText('Changed')
    .waitFor({ state: 'detached' })
  expect(await highest()).toBe(100)
  await open('/admin/audit?subject=bounty.max_usd')
  await page.getByText('From US$40.00 to its deployed value').waitFor()
  await page.getByText('2 lines about bounty.max_usd').waitFor()
})

test('the log goes on behind the first page, which has an address of its own', async () => {
  const { page, open } = operator
  for (let rate = 1; rate <= 21; rate += 1)
    expect((await changeSetting('rates.publish_per_hour', 500 + rate)).ok()).toBe(true)
  await open('/admin/audit?subject=rates.publish_per_hour')
  await page.getByText('Lines 1 to 20 of 21').waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Lines 21 to 21 of 21').waitFor()
  expect(new URL(page.url()).search).toBe('?subject=rates.publish_per_hour&offset=20')
  await page.getByText('From its deployed value to 501').waitFor()
  await page.reload()
  await page.getByText('Lines 21 to 21 of 21').waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('Lines 1 to 20 of 21').waitFor()
  await open('/admin/audit?subject=rates.publish_per_hour&offset=40')
  await page.getByRole('link', { name: 'To the latest' }).waitFor()
})

test('a part is turned off and on again', async () => {
  const { page, open } = operator
  for (const [name, after] of [
    ['Turn off', 'Off'],
    ['Turn on', 'On'],
  ] as const) {
    await open('/admin/settings?change=features.services')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Trying the switch.')
    await dialog.getByRole('button', { name }).click()
    await dialog.waitFor({ state: 'detached' })
    const services = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Change Services' }) })
    await services.getByText(`In force: ${after}`, { exact: true }).waitFor()
  }
})

test('a network is closed and opened again, and the status page says so to everybody', async () => {
  const { page, open } = operator
  const put = async (value: string): Promise<void> => {
    await open('/admin/settings?change=networks.closed')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New value').fill(value)
    await dialog.getByLabel('Reason').fill('An exploit is told of.')
    await dialog.getByRole('button', { name: 'Change' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await put('localnet')
  const row = page.getByRole('listitem').filter({ hasText: 'Closed networks' })
  await row.getByText('In force: localnet', { exact: true }).waitFor()
  await open('/status')
  await page.getByText('Nothing new begins for now on: Local chain').waitFor()
  await open('/admin/audit?subject=networks.closed')
  await page.getByText('From its deployed value to localnet').waitFor()
  await put('')
  await row.getByText('In force: None', { exact: true }).waitFor()
})

test('every kind of finding is explained, and none is open on a sound ledger', async () => {
  const { page, open } = operator
  await open('/admin/money')
  await page.getByText('The books add up.').waitFor()
  await page.getByText('No difference is open.').waitFor()
  const kinds = page.getByRole('group').filter({ hasText: 'What to do' })
  expect(await kinds.count()).toBe(9)
  await page.getByText('Amounts differ').click()
  await page.getByText('Never edit the ledger to make it fit.').waitFor()
})

test('an open difference is shown with what it is about and what was seen', async () => {
  const { page, open } = operator
  // No part of a sound constellation writes one; the comparison that closes differences knows only those of its own
  // scopes.
  await queryDatabase(
    theatre.constellation.record().databases.server,
    "insert into money_findings (kind, scope, subject, network, token, decimals, amount_atomic, detail, first_seen, last_seen) values ('orphaned', 'test', '0xfeed', 'localnet', 'USDC', 6, 1070000, 'held for a task that is over', now(), now())",
  )
  await open('/admin/money')
  const one = page.getByRole('list', { name: 'Open one by one' }).getByRole('listitem')
  await one.getByText('held for a task that is over').waitFor()
  await one.getByText('0xfeed').waitFor()
  expect(await one.textContent()).toMatch(/1\.07.*Local chain, USDC/)
  await page.getByText('One difference is open.').waitFor()
})

const places = [
  '/admin/money',
  '/admin/settings',
  '/admin/settings?change=bounty.min_usd',
  '/admin/settings?change=review.enabled',
  '/admin/settings?back=bounty.min_usd',
  '/admin/audit',
  '/admin/audit?subject=bounty.min_usd',
]

test.each(['en-GB', 'es-ES'])(
  'what the operator sees meets WCAG 2.2 AA in %s, light and dark, and fits a window of 360 px',
  async (locale) => {
    // Axe comes into the page as a script of nobody's; the policy is tried elsewhere.
    await using reader = await theatre.person({ bypassCSP: true, serviceWorkers: 'block', locale })
    const { page, open, settled } = reader
    await bringAxe(reader.context)
    await open('/admin/audit')
    await page.locator('input[type=password]').fill(theatre.constellation.record().adminKeys.server)
    await page.keyboard.press('Enter')
    await page.locator('main li').first().waitFor()
    expect((await changeSetting('bounty.min_usd', 0.5)).ok()).toBe(true)
    const found: string[] = []
    for (const path of places) {
      for (const [colorScheme, viewport] of [
        ['light', { width: 1280, height: 800 }],
        ['dark', phone.viewport],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await open(path)
        await page
          .locator(/change|back/.test(path) ? 'dialog[open]' : 'main :is(table, li, details)')
          .first()
          .waitFor()
        await settled()
        for (const details of await page.locator('main details summary').all()) await details.click()
        found.push(...(await violationsOf(page)).map((line) => `${colorScheme} ${path}: ${line}`))
        const beyond = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (beyond > 0) found.push(`${colorScheme} ${path}: ${String(beyond)} px stick out to the side`)
      }
    }
    expect(found).toEqual([])
  },
)
