import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
let latest: string
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

test('the worker sees each check, whose turn it is, and what a dispute asks for', async () => {
  const {
    worker: { page, open },
    params,
  } = scene
  await open(addressOf('/submissions/$submissionId', params))
  await page.getByRole('heading', { name: 'Waiting for a decision' }).waitFor()
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  await page.getByRole('link', { name: 'Open a dispute' }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('dispute')
  await page.getByRole('button', { name: 'Open the dispute' }).click()
  expect(await page.getByLabel('What it is about').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test.each([
  [
    'en-GB',
    'Form of the evidence',
    'Everything required is there and has its form.',
    'Not used',
    'This service has set up no reviewer. That says nothing about the work.',
  ],
  [
    'es-ES',
    'Forma de las pruebas',
    'Está todo lo necesario y tiene su forma.',
    'No se usa',
    'Este servicio no tiene ningún revisor. Eso no dice nada del trabajo.',
  ],
])(
  'what passed is one line that opens, and each check says why in the language of a reader in %s',
  async (locale, check, reason, unused, matter) => {
    const { worker, params } = scene
    await using reader = await theatre.person({ locale, storageState: await worker.context.storageState() })
    await reader.open(addressOf('/submissions/$submissionId', params))
    const checks = reader.page.locator('section[aria-labelledby="checks"]')
    await checks.locator('summary').first().waitFor()
    expect(await checks.getByText(reason).isVisible()).toBe(false)
    await checks.locator('summary').first().click()
    await reader.page.getByRole('listitem').filter({ hasText: check }).getByText(reason).waitFor()
    // What is not used here is folded away.
    await checks.locator('summary').last().click()
    const review = reader.page.getByRole('listitem').filter({ hasText: matter })
    await review.getByText(unused, { exact: true }).waitFor()
    expect(await reader.page.getByText(/the task names no place|this deployment has no reviewer/).count()).toBe(0)
  },
)

test('on a phone the decision is one step away, and what it covers is never what has the focus', async () => {
  const {
    publisher: { page, open },
    params,
  } = scene
  await page.setViewportSize(phone.viewport)
  await open(addressOf('/my/tasks/$taskId/review', params))
  const bar = page.getByRole('navigation', { name: 'Your decision' })
  await bar.waitFor()
  expect(await bar.evaluate((element) => element.getBoundingClientRect().bottom - innerHeight)).toBeLessThanOrEqual(0)
  expect(
    await page.evaluate(() => document.getElementById('decision')?.getBoundingClientRect().top ?? 0),
  ).toBeGreaterThan(phone.viewport.height)
  let stops = 0
  for (let isInBar = false; !isInBar; stops += 1) {
    expect(stops).toBeLessThan(60)
    await page.keyboard.press('Tab')
    const [obscured, within] = await bar.evaluate((element) => {
      const { top } = element.getBoundingClientRect()
      const focused = document.activeElement?.getBoundingClientRect()
      return [focused === undefined || focused.bottom > top, element.contains(document.activeElement)]
    })
    isInBar = within === true
    expect(obscured && !isInBar, await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))).toBe(false)
  }
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.id === 'decision')
  expect(new URL(page.url()).hash).toBe('#decision')
  const [top, headerBottom] = await page.evaluate(() => [
    document.activeElement?.getBoundingClientRect().top ?? 0,
    document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
  ])
  expect(top).toBeGreaterThanOrEqual(Number(headerBottom))
  expect(top).toBeLessThan(phone.viewport.height)

  // The address leads there too.
  await page.reload()
  await page.waitForFunction(() => document.activeElement?.id === 'decision')
  // At the end of the page the bar has stayed behind with what it belongs to.
  await expect
    .poll(() =>
      bar.evaluate((element) => {
        // Pictures that come meanwhile move the end.
        scrollTo(0, document.documentElement.scrollHeight)
        return (
          element.getBoundingClientRect().bottom <=
          (document.getElementById('decision')?.getBoundingClientRect().top ?? 0)
        )
      }),
    )
    .toBe(true)
  await bar.getByRole('link', { name: 'Approve and pay' }).click()
  await page.getByRole('dialog', { name: 'Approve this work?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(await bar.isVisible()).toBe(false)
})

test('the publisher asks for changes with a reason, which the worker reads with the way to hand in again', async () => {
  const {
    publisher: { page, open },
    worker,
    params,
  } = scene
  await open(addressOf('/my/tasks/$taskId/review?do=changes', params))
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  expect(await page.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Reason').fill('Say what colour it is.')
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await worker.open(addressOf('/submissions/$submissionId', params))
  await worker.page.getByText('Say what colour it is.').waitFor()
  await worker.page.getByRole('link', { name: 'Hand in again' }).waitFor()
  const { client } = await worker.account('bruno')
  const { submission_id } = await client.tasks.submit({
    task_id: String(params['taskId']),
    evidence: { text_response: 'It is green.' },
  })
  latest = submission_id
})

test('the publisher reads the evidence, approves with one signature, and the page says paid when the chain has said so', async () => {
  const {
    publisher: { page, open },
    params,
  } = scene
  await open(addressOf('/my/tasks/$taskId/review', params))
  await page.getByText('It is green.').waitFor()
  await page.getByRole('heading', { name: 'Checks' }).waitFor()
  await page.getByRole('link', { name: 'Approve and pay' }).click()
  expect(new URL(page.url()).searchParams.get('do')).toBe('approve')
  await page.getByRole('button', { name: 'Sign and pay' }).click()
  const wallet = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Open the wallet' }) })
  await wallet.getByRole('button', { name: 'Open the wallet' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const said = await page.request.get(`/api/v1/submissions/${latest}`)
  const { status, payment_tx } = (await said.json()) as { status: string; payment_tx: string }
  expect(status).toBe('approved')
  await page.getByText(payment_tx).first().waitFor({ state: 'attached' })
  const { worker } = scene
  await worker.open(`/submissions/${latest}`)
  await worker.page.getByRole('heading', { name: 'Approved' }).waitFor()
  await worker.page.getByText(payment_tx).first().waitFor({ state: 'attached' })
})
