/** `npm run screens -w @ergon/web` takes the pictures of docs/guides/screens anew, from the real service, in both languages. */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { setScene, type Scene, type Words } from './scene.ts'

const folder = fileURLToPath(new URL('../../../docs/guides/screens/', import.meta.url))
const wide = { width: 1280, height: 800 }

const tongues: readonly (readonly [tongue: string, locale: string, words: Words])[] = [
  ['en', 'en-GB', { title: 'Photograph the gate', text: 'Stand in front of the gate and write what you see.' }],
  ['es', 'es-ES', { title: 'Fotografía la verja', text: 'Ponte delante de la verja y escribe lo que ves.' }],
]

await mkdir(folder, { recursive: true })
for (const [tongue, locale, words] of tongues) {
  // Test wallets of a browser are its own; a service of its own shows one job and not those of the other language.
  await using theatre = await openTheatre()
  await fill(theatre, words)
  await using scene = await setScene(theatre, { locale, geolocation: { latitude: 40.4168, longitude: -3.7038, accuracy: 8 }, permissions: ['geolocation'] }, words)
  await takeAll(tongue, scene)
}
process.exit()

/** A few more open tasks, as a market has them. */
async function fill(theatre: Theatre, { title, text }: Words): Promise<void> {
  await using other = await theatre.person()
  await other.signIn('ada')
  await other.page.locator('p').filter({ hasText: /1[.,]000/ }).waitFor()
  const { client } = await other.account('ada')
  const hints = ['Madrid', 'Sevilla', 'Valencia', 'Bilbao']
  for (const [index, hint] of hints.entries()) await client.tasks.publish({ title: `${title}, ${hint}`, instructions: text, category: 'simple_action', bounty_usd: 3 + index, evidence_required: ['photo_geo', 'text_response'], location_hint: hint })
}

type Take = readonly [name: string, page: Page, path: string]

async function takeOne(tongue: string, { publisher, worker }: Scene, [name, page, path]: Take): Promise<void> {
  await (page === publisher.page ? publisher : worker).open(path)
  // What is new is counted once the page is quiet.
  await page.locator('header a[href="/notifications"] .numbers').waitFor()
  await page.screenshot({ path: `${folder}${name}.${tongue}.png` })
}

async function takeAll(tongue: string, scene: Scene): Promise<void> {
  const { publisher, worker, openTask, params } = scene
  const { taskId, submissionId } = params
  await publisher.page.setViewportSize(wide)
  await worker.page.setViewportSize(phone.viewport)
  const takes: readonly Take[] = [
    ['list', publisher.page, '/'],
    ['publish', publisher.page, '/publish'],
    ['my-tasks', publisher.page, '/my/tasks'],
    ['applicants', publisher.page, `/my/tasks/${openTask}`],
    ['review', publisher.page, `/my/tasks/${String(taskId)}/review`],
    ['task', worker.page, `/tasks/${openTask}`],
    ['work', worker.page, '/work'],
    ['submission', worker.page, `/submissions/${String(submissionId)}`],
  ]
  for (const take of takes) await takeOne(tongue, scene, take)
  await publisher.open(`/my/tasks/${openTask}`)
  await publisher.page.locator('main a[href*="choose="]').click()
  // The last button of each dialog goes on.
  await publisher.page.getByRole('dialog').getByRole('button').last().click()
  await publisher.page.getByRole('dialog').nth(1).getByRole('term').first().waitFor()
  await publisher.page.screenshot({ path: `${folder}signature.${tongue}.png` })
  await publisher.page.keyboard.press('Escape')
  await (await publisher.account('ada')).client.approveSubmission({ submission_id: String(submissionId) })
  await takeOne(tongue, scene, ['spending', publisher.page, '/my/spend'])
  await takeOne(tongue, scene, ['earnings', worker.page, '/earnings'])
}
