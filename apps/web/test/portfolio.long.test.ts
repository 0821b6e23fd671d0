import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { enterPair } from './job-steps.ts'
import { registerAsPerson } from './person.ts'
import { pictureOfGate } from './picture-of-gate.ts'
import { publishAsPerson } from './scene.ts'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const areLoaded = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('article img, li img')].every((one) => (one as HTMLImageElement).naturalWidth > 0),
  )

/** Looked at by whoever asks for it: `ERGON_SHOTS=folder`. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['ERGON_SHOTS']
  if (folder === undefined) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

test('work is shown on a profile once both sides agreed, and is gone when it is taken back', async () => {
  await using pair = await enterPair(theatre)
  const { ada, bruno } = pair
  const [{ client: paying }, working] = [await ada.account('ada'), await bruno.account('bruno')]
  const workerId = await registerAsPerson(theatre.url, working, 'Bruno')
  const title = 'Photograph the old gate'
  const taskId = await publishAsPerson(ada, {
    title,
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bounty_usd: 1.5,
    evidence_required: ['photo'],
  })
  const { executor_id } = await working.client.tasks.apply({ task_id: taskId })
  await paying.assignWorker({ task_id: taskId, executor_id })
  const { gate } = await pictureOfGate(bruno.context)
  const file = { task_id: taskId, evidence_type: 'photo', content_type: 'image/jpeg', bytes: gate } as const
  const { public_url: photo } = await working.client.uploadEvidence(file)
  const { submission_id } = await working.client.tasks.submit({ task_id: taskId, evidence: { photo } })
  await paying.approveSubmission({ submission_id })

  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByText('Show this work on your profile').waitFor()
  await bruno.page.getByRole('button', { name: 'Choose what to show' }).click()
  await bruno.page.getByLabel('Picture 1').check()
  await bruno.page.getByRole('region', { name: 'How it would look' }).getByText(title).waitFor()
  await bruno.page.setViewportSize(phone.viewport)
  expect(await overflow(bruno.page)).toBe(0)
  await shot(bruno.page, 'choose')
  await bruno.page.getByRole('button', { name: 'Ask the publisher' }).click()
  await bruno.page.getByText('You asked to show this work').waitFor()

  await using reader = await theatre.person()
  await reader.open(`/people/${workerId}`)
  expect(await reader.page.getByRole('region', { name: 'Work', exact: true }).count()).toBe(0)

  await ada.page.setViewportSize(phone.viewport)
  await ada.open('/notifications')
  await ada.page.getByRole('listitem').filter({ hasText: 'asks to show this work on a profile' }).click()
  await ada.page.getByRole('heading', { name: 'May your worker show this work?' }).waitFor()
  await expect.poll(() => areLoaded(ada.page)).toBe(true)
  expect(await overflow(ada.page)).toBe(0)
  await shot(ada.page, 'asked')
  await ada.page.getByRole('button', { name: 'Allow' }).click()
  await ada.page.getByText('This work is on the profile of your worker').waitFor()

  await bruno.open('/notifications')
  await bruno.page.getByText('The publisher answered: see whether you may show the work').waitFor()
  await using lector = await theatre.person({ locale: 'es-ES' })
  for (const [{ page, open }, gallery] of [
    [reader, 'Work'],
    [lector, 'Trabajos'],
  ] as const) {
    await page.setViewportSize(phone.viewport)
    await open(`/people/${workerId}`)
    const works = page.getByRole('region', { name: gallery, exact: true })
    await works.getByText(title).waitFor()
    await works.getByRole('img').first().scrollIntoViewIfNeeded()
    await expect.poll(() => areLoaded(page)).toBe(true)
    expect(await overflow(page)).toBe(0)
    await shot(page, `profile-${gallery}`)
  }
  await reader.page.setViewportSize({ width: 1440, height: 900 })
  await shot(reader.page, 'profile-wide')

  await ada.page.getByRole('button', { name: 'Take it off' }).click()
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Take it off' }).click()
  await ada.page.getByText('You do not want this work to be shown.').waitFor()
  await reader.open(`/people/${workerId}`)
  await reader.page.getByRole('heading', { level: 1, name: 'Bruno' }).waitFor()
  expect(await reader.page.getByText(title).count()).toBe(1)
  await bruno.open(`/tasks/${taskId}`)
  await bruno.page.getByText('This work is not shown').waitFor()
}, 180_000)
