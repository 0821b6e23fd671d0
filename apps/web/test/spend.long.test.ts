import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Output } from '@ergon/sdk'
import { openTheatre, type Theatre } from './browser.ts'
import { setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
  const { client } = await scene.publisher.account('ada')
  await client.approveSubmission({ submission_id: String(scene.params['submissionId']) })
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

/** What the service says about the task that was paid. */
async function paid(): Promise<Output<'payments.get'>> {
  const { client } = await scene.publisher.account('ada')
  return client.payments.get({ task_id: String(scene.params['taskId']) })
}

test('a publisher who paid reads the receipt: the fee split, the transactions and what it all comes to', async () => {
  const {
    publisher: { page, open },
  } = scene
  const payment = await paid()
  expect([payment.total_amount, payment.released_net_usdc, payment.platform_fee_usdc]).toEqual([1.08, 0.9396, 0.1404])
  await open('/my/tasks')
  await page.getByRole('main').getByRole('link', { name: 'Spending' }).click()
  await page.getByRole('heading', { level: 1, name: 'Money you spent' }).waitFor()
  // The task in dispute holds its money; the open one has moved none.
  await page.getByText('2 receipts', { exact: true }).first().waitFor()
  const receipt = page.getByRole('main').getByRole('list').getByRole('listitem').filter({ hasText: '$0.9396' }).first()
  await receipt.waitFor()
  await receipt.getByText('Details').click()
  const said = await receipt.innerText()
  for (const text of ['Paid', '$1.08', '$0.9396', '$0.1404', String(payment.escrow_tx), String(payment.release_tx)])
    expect(said).toContain(text)
  const totals = await page.getByRole('heading', { name: 'Totals' }).locator('..').innerText()
  expect(totals.replaceAll('US$', '$').replaceAll(/\s+/g, ' ')).toContain(
    'Spent $1.08 To workers $0.9396 Fees $0.1404 Set aside $1.09',
  )
})

test('the CSV holds the figures of the receipt', async () => {
  // The fee goes its own way, after the worker was paid.
  await expect.poll(async () => (await paid()).fee_tx, { timeout: 20_000 }).toMatch(/^0x/)
  const {
    publisher: { page, open },
    params,
  } = scene
  await open('/my/spend')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('spending.csv')
  const [head, ...rows] = (await readFile(await download.path(), 'utf8'))
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','))
  expect(rows).toHaveLength(2)
  const cells = Object.fromEntries(
    (rows.find((row) => row.includes(String(params['taskId']))) ?? []).map((cell, place) => [head?.[place], cell]),
  )
  const { total_amount, released_net_usdc, platform_fee_usdc, network, token, escrow_tx, release_tx, fee_tx } =
    await paid()
  expect(cells).toMatchObject({
    status: 'released',
    gross_usd: String(total_amount),
    payout_usd: String(released_net_usdc),
    fee_usd: String(platform_fee_usdc),
    refunded_usd: '',
    network,
    token,
    escrow_tx,
    release_tx,
    fee_tx: fee_tx ?? '',
    refund_tx: '',
  })
})

test('the days are in the address and leave out what moved on others', async () => {
  const {
    publisher: { page, open },
  } = scene
  await open('/my/spend')
  await page.getByText('Choose days').click()
  await page.getByLabel('From').fill('2999-01-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('No receipt of these days.').waitFor()
  expect(new URL(page.url()).search).toBe('?from=2999-01-01')
  await page.reload()
  await page.getByText('No receipt of these days.').waitFor()
  expect(await page.getByLabel('From').inputValue()).toBe('2999-01-01')
  await page.getByLabel('Until').fill('2020-01-01')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('This day is before the first one.').waitFor()
  await page.getByRole('link', { name: 'Show all days' }).click()
  await page.getByText('2 receipts', { exact: true }).first().waitFor()
})

test('what came back after a cancellation is on the receipt, and no longer held', async () => {
  const {
    publisher: { page, open, account },
    params,
    openTask,
  } = scene
  const { client } = await account('ada')
  await client.assignWorker({ task_id: openTask, executor_id: String(params['workerId']) })
  await client.tasks.cancel({ task_id: openTask, reason: 'The gate is gone.' })
  const { refund_tx } = await client.waitFor(openTask, ({ escrow_status }) => escrow_status === 'refunded')
  await open('/my/spend')
  const receipt = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: String(refund_tx) })
    .first()
  await receipt.getByText('Details').click()
  const said = (await receipt.innerText()).replaceAll('US$', '$').replaceAll(/\s+/g, ' ')
  expect(said).toContain('Bounty $1.07 To the worker not paid Fee not paid Back with you $1.07')
  const totals = await page.getByRole('heading', { name: 'Totals' }).locator('..').innerText()
  expect(totals.replaceAll('US$', '$').replaceAll(/\s+/g, ' ')).toContain(
    'Spent $1.08 To workers $0.9396 Fees $0.1404 Set aside $1.09 Back with you $1.07',
  )
})

test('whoever is signed out is led to the sign-in and back', async () => {
  await using visitor = await theatre.person()
  await visitor.open('/my/spend?from=2026-01-01')
  await visitor.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await visitor.page.waitForURL('**/sign-in?**')
  expect(new URL(visitor.page.url()).searchParams.get('then')).toBe('/my/spend?from=2026-01-01')
})
