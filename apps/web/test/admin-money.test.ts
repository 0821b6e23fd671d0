import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
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
  const { max_bounty } = await said.json() as { max_bounty: number }
  return max_bounty
}

test('nothing of the operator is shown before the service has taken the key', async () => {
  const { page, open } = operator
  await open('/admin/settings')
  expect(await page.getByRole('table').count()).toBe(0)
  await page.getByLabel('Admin key').fill(theatre.constellation.record().adminKeys.server)
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('table', { name: 'Settings of the running service' }).waitFor()
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
  const row = page.getByRole('row', { name: 'Highest bounty' })
  await row.getByText('Changed').waitFor()
  expect(await row.getByRole('cell').first().textContent()).toContain('40.00')
  expect(await highest()).toBe(40)
})

test('the audit log says who changed it, from what to what and why, and its filter stands in the address', async () => {
  const { page, open } = operator
  await page.getByRole('link', { name: 'What was changed' }).click()
  const line = page.getByRole('listitem').filter({ hasText: 'Smaller sums for the first days.' })
  await line.getByText('Setting changed').waitFor()
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
  await page.getByRole('row', { name: 'Highest bounty' }).getByText('Changed').waitFor({ state: 'detached' })
  expect(await highest()).toBe(100)
  await open('/admin/audit?subject=bounty.max_usd')
  await page.getByText('value: 40 → as deployed').waitFor()
  await page.getByText('2 lines about bounty.max_usd').waitFor()
})

test('a part is turned off and on again', async () => {
  const { page, open } = operator
  for (const [name, after] of [['Turn off', 'Off'], ['Turn on', 'On']] as const) {
    await open('/admin/settings?change=features.services')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Trying the switch.')
    await dialog.getByRole('button', { name }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('row', { name: 'features.services' }).getByRole('cell').first().textContent()).toBe(after)
  }
})

test('every kind of finding is explained, and none is open on a sound ledger', async () => {
  const { page, open } = operator
  await open('/admin/money')
  await page.getByText('Every account of the ledger adds up.').waitFor()
  await page.getByText('No difference is open.').waitFor()
  const kinds = page.getByRole('group').filter({ hasText: 'What to do' })
  expect(await kinds.count()).toBe(7)
  await page.getByText('Amounts differ').click()
  await page.getByText('Never edit the ledger to make it fit.').waitFor()
})
