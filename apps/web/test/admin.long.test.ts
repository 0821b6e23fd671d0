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
  // What is refused is logged by the browser itself.
  operator = await theatre.person({ expected: /the server responded with a status of (?:401|403|409)/ })
}, 300_000)
afterAll(async () => {
  await operator?.[Symbol.asyncDispose]()
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const adminKey = (): string => theatre.constellation.record().adminKeys.server

test('a wrong key is told, and nothing is shown', async () => {
  const { page, open } = operator
  for (const path of ['/admin/tasks', '/admin/workers', '/admin']) {
    await open(path)
    await page.getByLabel('Admin key').fill('not the key of this service')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('The service does not take this key.').waitFor()
    for (const heading of ['Tasks by status', 'This process'])
      expect(await page.getByRole('heading', { name: heading }).count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Operator screens' }).count()).toBe(0)
    expect(await page.getByText('Photograph the gate').count()).toBe(0)
  }
  for (const typed of ['not the key of this service', 'no key at all: ключ']) {
    await page.getByLabel('Admin key').fill(typed)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('The service does not take this key.').waitFor()
    expect(await page.getByLabel('Admin key').inputValue()).toBe('')
  }
})

test('the right key opens the figures of the service, whose counts lead to the tasks', async () => {
  const { page } = operator
  await page.getByLabel('Admin key').fill(adminKey())
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: 'Tasks by status' }).waitFor()
  const counted = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'In dispute' }) })
  expect(await counted.getByRole('cell').innerText()).toBe('1')
  await page.getByText('US$2.17').waitFor() // two bounties of the scene are locked: 1.08 and 1.09
  await counted.getByRole('link').click()
  await page.getByRole('heading', { level: 3, name: 'Photograph the gate' }).waitFor()
  expect(new URL(page.url()).search).toBe('?status=disputed')
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1)
})

test('the filters stand in the address and survive a reload', async () => {
  const { page, settled } = operator
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Search').fill(scene.openTask)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('1 task', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe(`?search=${scene.openTask}`)
  await page.reload()
  await settled()
  expect(await page.getByLabel('Search').inputValue()).toBe(scene.openTask)
  await page.getByText('1 task', { exact: true }).waitFor()
  await page.getByRole('main').getByText(scene.openTask).waitFor({ state: 'attached' })
  await page.getByLabel('Search').fill('no such title')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('No task is like this.').waitFor()
})

test('a task is forced into another status only with a reason and its code typed', async () => {
  const { page, open } = operator
  await open(`/admin/tasks?search=${scene.openTask}`)
  await page.getByRole('link', { name: 'Change the status' }).click()
  expect(new URL(page.url()).searchParams.get('force')).toBe(scene.openTask)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Change the status' }).click()
  const code = scene.openTask.slice(0, 8)
  for (const label of ['New status', 'Reason', `To confirm, type ${code}`])
    expect(await dialog.getByLabel(label).getAttribute('aria-invalid'), label).toBe('true')
  await dialog.getByLabel('New status').selectOption('cancelled')
  await dialog.getByLabel('Reason').fill('The gate was torn down.')
  await dialog.getByLabel(/To confirm/).fill('01234567')
  await dialog.getByRole('button', { name: 'Change the status' }).click()
  await dialog.getByText(`This is not ${code}.`).waitFor()
  await dialog.getByLabel(/To confirm/).fill(code)
  await dialog.getByRole('button', { name: 'Change the status' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('main').getByRole('listitem').getByText('Cancelled').waitFor()
  const { client } = await scene.publisher.account('ada')
  expect((await client.tasks.get({ task_id: scene.openTask })).status).toBe('cancelled')
  expect(await page.getByRole('link', { name: 'Change the status' }).count()).toBe(0)
})

test('the operator bans a worker with a reason, who is let in again when the ban is lifted', async () => {
  const { page, open } = operator
  const { client, signer } = await scene.worker.account('bruno')
  const wallet = signer.address.toLowerCase()
  const applying = (): Promise<string> =>
    client.tasks.apply({ task_id: scene.openTask, message: 'I am here.' }).then(
      () => 'taken',
      (error: unknown) => String(Reflect.get(Object(error), 'code')),
    )
  await open(`/admin/workers?search=${wallet}`)
  await page.getByRole('link', { name: /^Ban\b.*Photograph the gate/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ban this wallet' }).click()
  expect(await dialog.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Reason').fill('The same photo again and again.')
  await dialog.getByLabel('Who you are').fill('José Núñez')
  await dialog.getByRole('button', { name: 'Ban this wallet' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('main').getByRole('listitem')
  for (const text of ['Banned', 'The same photo again and again.', 'José Núñez'])
    await row.getByText(text, { exact: true }).first().waitFor()
  expect(await applying()).toBe('WALLET_BLOCKED')
  await row.getByRole('link', { name: 'Lift the ban' }).click()
  await dialog.getByLabel('Reason').fill('It was two gates.')
  await dialog.getByRole('button', { name: 'Lift the ban' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row.getByText('Active', { exact: true }).waitFor()
  expect(await applying()).not.toBe('WALLET_BLOCKED')
})

test('a wallet that never worked is banned by its address, and one that is none is told', async () => {
  const { page, open } = operator
  await open('/admin/workers')
  await page.getByRole('link', { name: 'Ban a wallet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Wallet').fill('0x12')
  await dialog.getByLabel('Reason').fill('Sells accounts.')
  await dialog.getByRole('button', { name: 'Ban this wallet' }).click()
  await dialog.getByText('Neither a wallet nor the id of a worker.').waitFor()
  await dialog.getByLabel('Wallet').fill(`0x${'ab'.repeat(20)}`)
  await dialog.getByRole('button', { name: 'Ban this wallet' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Never registered to work' }).waitFor()
  await open('/admin')
  await page.getByRole('link', { name: 'See the bans' }).click()
  await page.getByText('Sells accounts.').waitFor()
})

test('the key is forgotten when it is asked for, and with it what it had opened', async () => {
  const { page } = operator
  await page.getByRole('button', { name: 'Forget the key' }).click()
  await page.getByLabel('Admin key').waitFor()
  expect(await page.getByText('Sells accounts.').count()).toBe(0)
})
