import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import type { Person } from './person.ts'
import { setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
let operator: Person
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
  const { client } = await scene.worker.account('bruno')
  await client.reports.create({
    target: 'task',
    target_id: scene.openTask,
    reason: 'unsafe',
    note: 'The gate leads to a quarry where blasting goes on without a warning.',
  })
  await client.reports.create({
    target: 'worker',
    target_id: String(scene.params['workerId']),
    reason: 'harassment',
  })
  operator = await theatre.person({})
  await operator.open('/status')
  await operator.page.evaluate((key) => {
    sessionStorage.setItem('ergon-admin-key', key)
  }, theatre.constellation.record().adminKeys.server)
}, 300_000)
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]()
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test('a report reaches the operator with what its reporter wrote and who answers for it', async () => {
  const { page, open } = operator
  await open('/admin/reports')
  await page.getByText('2 reports', { exact: true }).waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'Unsafe' })
  await row.getByText('The gate leads to a quarry where blasting goes on without a warning.').waitFor()
  await row.getByRole('link', { name: 'Photograph the gate', exact: true }).waitFor()
  const { signer } = await scene.publisher.account('ada')
  await row.getByTitle(signer.address.toLowerCase()).waitFor()
})

test('it is hidden with a reason, is done then, and nobody finds the task in the list', async () => {
  const { page, open } = operator
  await open('/admin/reports')
  await page.getByRole('listitem').filter({ hasText: 'Unsafe' }).getByRole('link', { name: 'Decide' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Do it' }).click()
  await dialog.getByText('Choose what to do.').waitFor()
  await dialog.getByLabel('Do this').selectOption('hide')
  await dialog.getByText('Nobody new finds it.').waitFor()
  await dialog.getByLabel('Reason').fill('The quarry confirmed it.')
  await dialog.getByRole('button', { name: 'Do it' }).click()
  await page.getByText('One report', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Done', exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Unsafe' })
  await row.getByText('The quarry confirmed it.').waitFor()
  await row.getByText('Hidden', { exact: true }).waitFor()
  const { client } = await scene.worker.account('bruno')
  const { tasks } = await client.tasks.available({})
  expect(tasks.map(({ id }) => id)).not.toContain(scene.openTask)
  await open('/admin/audit')
  await page.getByText('Report looked at').waitFor()
})

test('a person can be noted, dismissed, banned or lose its picture, and not hidden', async () => {
  const { page, open } = operator
  await open('/admin/reports')
  await page.getByRole('listitem').filter({ hasText: 'Harassment' }).getByRole('link', { name: 'Decide' }).click()
  const action = page.getByRole('dialog').getByLabel('Do this')
  expect(await action.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
    '',
    'note',
    'dismiss',
    'take_down',
    'ban',
  ])
  await action.selectOption('dismiss')
  await page.getByRole('dialog').getByLabel('Reason').fill('They talked it over.')
  await page.getByRole('dialog').getByRole('button', { name: 'Do it' }).click()
  await page.getByText('Nothing is waiting.').waitFor()
})
