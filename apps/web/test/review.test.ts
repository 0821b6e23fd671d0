import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, type Theatre } from './browser.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test('the worker sees each check, whose turn it is, and what a dispute asks for', async () => {
  const { worker: { page, open }, params } = scene
  await open(addressOf('/submissions/$submissionId', params))
  await page.getByRole('heading', { name: 'Waits for a decision' }).waitFor()
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  await page.getByRole('link', { name: 'Open a dispute' }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('dispute')
  await page.getByRole('button', { name: 'Open the dispute' }).click()
  expect(await page.getByLabel('What it is about').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the publisher reads the evidence, approves with one signature, and the page says paid when the chain has said so', async () => {
  const { publisher: { page, open }, params } = scene
  await open(addressOf('/my/tasks/$taskId/review', params))
  await page.getByText('Stand in front of the gate and write what you see.').first().waitFor()
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  await page.getByRole('link', { name: 'Approve and pay' }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('approve')
  await page.getByRole('button', { name: 'Sign and pay' }).click()
  const wallet = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Open the wallet' }) })
  await wallet.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const said = await page.request.get(`/api/v1/submissions/${String(params['submissionId'])}`)
  const { status, payment_tx } = await said.json() as { status: string; payment_tx: string }
  expect(status).toBe('approved')
  expect(await page.getByText(payment_tx).count()).toBeGreaterThan(0)
  const { worker } = scene
  await worker.open(addressOf('/submissions/$submissionId', params))
  await worker.page.getByRole('heading', { name: 'Approved' }).waitFor()
  expect(await worker.page.getByText(payment_tx).count()).toBeGreaterThan(0)
}, 120_000)
