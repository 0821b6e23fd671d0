/**
 * `npm run screens -w @ergon/web` takes the pictures of docs/guides/screens anew, from the real service, in both
 * languages.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openTheatre, phone } from './browser.ts'
import { setGuideScene, type GuideScene } from './guide-scene.ts'
import { guideWords } from './guide-words.ts'

const folder = fileURLToPath(new URL('../../../docs/guides/screens/', import.meta.url))
const wide = { width: 1280, height: 800 }
const tongues = [
  ['en', 'en-GB'],
  ['es', 'es-ES'],
] as const

await mkdir(folder, { recursive: true })
for (const [tongue, locale] of tongues) {
  // Test wallets of a browser are its own; a service of its own shows one job and not those of the other language.
  await using theatre = await openTheatre()
  await using scene = await setGuideScene(
    theatre,
    { locale, geolocation: { latitude: 40.4203, longitude: -3.6889, accuracy: 8 }, permissions: ['geolocation'] },
    guideWords[tongue],
  )
  await takeAll(tongue, scene)
}
process.exit()

type Take = readonly [name: string, page: Page, path: string]

async function takeOne(tongue: string, { publisher, worker }: GuideScene, [name, page, path]: Take): Promise<void> {
  await (page === publisher.page ? publisher : worker).open(path)
  // What is new is counted once the page is quiet.
  await page.locator('header a[href="/notifications"] .numbers').waitFor()
  // A map writes the names of towns when everything else is drawn, and a canvas tells nobody.
  if (name === 'map') await page.waitForTimeout(3_000)
  await page.screenshot({ path: `${folder}${name}.${tongue}.png` })
}

async function takeAll(tongue: string, scene: GuideScene): Promise<void> {
  const { publisher, worker, openTask, assignedTask, review } = scene
  await publisher.page.setViewportSize(wide)
  await worker.page.setViewportSize(phone.viewport)
  const takes: readonly Take[] = [
    ['list', publisher.page, '/find'],
    ['map', publisher.page, '/map'],
    ['publish', publisher.page, '/publish'],
    ['my-tasks', publisher.page, '/my/tasks'],
    ['applicants', publisher.page, `/my/tasks/${openTask}`],
    ['review', publisher.page, `/my/tasks/${review.taskId}/review`],
    ['task', worker.page, `/tasks/${openTask}`],
    ['work', worker.page, '/work'],
    ['capture', worker.page, `/work/${assignedTask}/submit`],
    ['submission', worker.page, `/submissions/${review.submissionId}`],
  ]
  for (const take of takes) await takeOne(tongue, scene, take)
  await takeSignature(tongue, scene)
  await (await publisher.account('ada')).client.approveSubmission({ submission_id: review.submissionId })
  await takeOne(tongue, scene, ['spending', publisher.page, '/my/spend'])
  await takeOne(tongue, scene, ['earnings', worker.page, '/earnings'])
}

async function takeSignature(tongue: string, { publisher: { page, open }, openTask }: GuideScene): Promise<void> {
  await open(`/my/tasks/${openTask}`)
  await page.locator('main a[href*="choose="]').first().click()
  // The last button of each dialog goes on.
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('dialog').nth(1).getByRole('button').last().waitFor()
  await page.screenshot({ path: `${folder}signature.${tongue}.png` })
  await page.keyboard.press('Escape')
}
