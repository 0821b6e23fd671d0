/**
 * `npm run screens` takes a picture of every route: three widths, light and dark, English and Spanish, as a visitor and
 * as whoever it is for; and, as `further-…`, of what opens by a tap or is seen with more behind it.
 * `npm run screens -- find,map 390` keeps what has one of the first words and the second in its name. They are for
 * looking at, and no part of the checks.
 */
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { readCriteria } from '../src/lib/criteria.ts'
import { openTheatre, type Theatre } from './browser.ts'
import { furtherTheatre, setFurtherScene } from './further-scene.ts'
import { furtherNames } from './further-shots.ts'
import { setGuideScene, type GuideScene } from './guide-scene.ts'
import { guideWords, type GuideTask } from './guide-words.ts'
import type { Person } from './person.ts'
import { addressOf } from './scene.ts'

const folder = fileURLToPath(new URL('../../../.cache/screens/', import.meta.url))
const router = readFileSync(new URL('../src/router.tsx', import.meta.url), 'utf8')
/** Screens that an address opens further in. */
const parts = ['/publish?step=proof', '/publish?step=money', '/publish?step=check']
const paths = [...router.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path).concat(parts)
const tongues = [
  ['en', 'en-GB'],
  ['es', 'es-ES'],
] as const
const widths = [
  [1440, 900],
  [390, 844],
  [360, 780],
] as const
const themes = ['light', 'dark'] as const
const asked = process.argv.slice(2)
const isAsked = (name: string): boolean => asked.every((part) => part.split(',').some((one) => name.includes(one)))

await mkdir(folder, { recursive: true })
for (const [tongue, locale] of tongues) {
  if (!shotsOf(tongue).some(isAsked)) continue
  await using theatre = await openTheatre(furtherTheatre)
  await using scene = await setGuideScene(
    theatre,
    {
      locale,
      geolocation: { latitude: 40.4203, longitude: -3.6889, accuracy: 8 },
      permissions: ['geolocation'],
      // One of the screens is broken on purpose.
      expected: /reading 'length'/,
    },
    guideWords[tongue],
  )
  await using further = await setFurtherScene(theatre, scene, tongue)
  const params: Readonly<Record<string, string>> = { ...(await furtherParams(scene)), disputeId: further.disputeId }
  await using visitor = await theatre.person({ locale })
  await writeDraft(scene.publisher, guideWords[tongue].main)
  await using operator = await asOperator(theatre, locale)
  for (const path of paths) {
    const isReviewed = path.endsWith('/review') || path.startsWith('/submissions')
    const isAssigned = path.endsWith('/submit')
    const taskId = path.startsWith('/receipts')
      ? params['paidTask']
      : isReviewed
        ? scene.review.taskId
        : isAssigned
          ? scene.assignedTask
          : scene.openTask
    const address = addressOf(path, { ...params, taskId: taskId ?? scene.openTask })
    if (isOfVisitors(path)) await take(visitor, tongue, `visitor-${nameOf(path)}`, address)
    await take(personFor(path, scene, operator), tongue, nameOf(path), address)
  }
  for (const { person, name, address, further: then } of further.shots) await take(person, tongue, name, address, then)
  await take(operator, tongue, 'further-disputes-operator', '/disputes?as=operator')
  await take(operator, tongue, 'further-dispute-operator', `/disputes/${further.disputeId}?as=operator`)
  await take(scene.publisher, tongue, 'signature', `/my/tasks/${scene.openTask}`, openSignature)
}
process.stdout.write(`the pictures are in ${folder}\n`)
process.exit()

function nameOf(path: string): string {
  return path === '/'
    ? 'home'
    : path
        .slice(1)
        .replaceAll(/[/?]/g, '-')
        .replaceAll(/\$|step=/g, '')
}

function shotsOf(tongue: string): readonly string[] {
  const further = [...furtherNames, 'further-disputes-operator', 'further-dispute-operator']
  const names = [...paths.flatMap((path) => [nameOf(path), `visitor-${nameOf(path)}`]), ...further, 'signature']
  return names.flatMap((name) =>
    widths.flatMap(([width]) => themes.map((theme) => `${name}.${tongue}.${width}.${theme}`)),
  )
}

/** What a visitor sees before signing in. */
function isOfVisitors(path: string): boolean {
  return ['/', '/find', '/map', '/tasks/$taskId', '/publish', '/sign-in', '/work'].includes(path)
}

function personFor(path: string, { publisher, worker }: GuideScene, operator: Person): Person {
  if (path.startsWith('/admin')) return operator
  return /^\/(?:find|map|tasks|work|earnings|receipts|profile|submissions)/.test(path) ? worker : publisher
}

/** A task half written, so that the form has something to show. */
async function writeDraft({ open, page }: Person, words: GuideTask): Promise<void> {
  await open('/status')
  await page.evaluate(
    (draft) => {
      localStorage.setItem('ergon.draft.publish', draft)
    },
    JSON.stringify({
      title: words.title,
      ...readCriteria(words.instructions),
      category: 'location_based',
      evidence: ['photo_geo', 'text_response'],
      bounty: '4.5',
    }),
  )
}

async function asOperator(theatre: Theatre, locale: string): Promise<Person> {
  const operator = await theatre.person({ locale })
  await operator.open('/status')
  await operator.page.evaluate((key) => {
    sessionStorage.setItem('ergon-admin-key', key)
  }, theatre.constellation.record().adminKeys.server)
  return operator
}

async function furtherParams({ publisher, worker, openTask, review }: GuideScene): Promise<Record<string, string>> {
  const { client: paying, signer } = await publisher.account('ada')
  const { client: working } = await worker.account('bruno')
  const { workers } = await paying.call('reputation.leaderboard', { limit: 1 }).then(({ data }) => ({
    workers: data.leaderboard,
  }))
  const { id: listingId } = await working.listings.create({
    title: 'Photos around Retiro',
    description: 'I walk there every day and take what you need.',
    category: 'location_based',
    unit_price_usd: 2,
    skills: ['walking'],
  })
  const { webhook_id: webhookId } = await paying.webhooks.create({ url: 'https://93.184.216.34/told', events: ['*'] })
  return {
    submissionId: review.submissionId,
    listingId,
    webhookId,
    paidTask:
      (await working.workers.earnings({ executor_id: workers[0]?.id ?? openTask })).payments[0]?.task_id ?? openTask,
    workerId: workers[0]?.id ?? openTask,
    wallet: signer.address,
  }
}

/** Up to where the wallet would open. */
async function openSignature(page: Page): Promise<void> {
  await page.locator('main a[href*="choose="]').first().click()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('dialog').nth(1).getByRole('button').last().waitFor()
}

/** One load, and the window and the theme changed under it. */
async function take(
  { page, open }: Person,
  tongue: string,
  name: string,
  address: string,
  further: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const shots = widths.flatMap(([width, height]) =>
    themes.map((theme) => ({ width, height, theme, file: `${name}.${tongue}.${width}.${theme}` })),
  )
  if (!shots.some(({ file }) => isAsked(file))) return
  await open(address)
  await further(page)
  // A tap may have moved the page, and what sticks to the window would lie across the picture.
  await page.evaluate(() => {
    window.scrollTo(0, 0)
  })
  for (const { width, height, theme, file } of shots) {
    if (!isAsked(file)) continue
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    // A map draws on its own, and a canvas tells nobody.
    await page.waitForTimeout(
      await page
        .locator('canvas')
        .count()
        .then((maps) => (maps > 0 ? 2_500 : 250)),
    )
    await page.screenshot({ path: `${folder}${file}.png`, fullPage: true })
  }
}
