import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { postTask } from './job-steps.ts'
import { untilFunded, type Person } from './person.ts'
import { publishAsPerson } from './scene.ts'

const tasks = 90
const inFlight = 6

let theatre: Theatre
let publisher: Person
let applied: string
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_PUBLISH_PER_HOUR: '0' } } })
  publisher = await theatre.person(phone)
  await publisher.signIn('ada')
  await untilFunded(await publisher.account('ada'))
  const { client } = await publisher.account('ada')
  let next = 0
  const line = async (): Promise<void> => {
    while (next < tasks) {
      next += 1
      // Some titles take more lines than others, so that no two screens are of one height by chance.
      await client.tasks.publish({
        title: `Photograph gate ${String(next)}${' and its lock'.repeat(next % 5)}`,
        instructions: 'Stand in front of the gate and take one photo.',
        category: 'simple_action',
        bounty_usd: (100 + next) / 100,
        evidence_required: ['text_response'],
      })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, line))
  applied = await publishAsPerson(publisher, {
    title: 'Photograph the gate',
    instructions: 'Stand in front of the gate and take one photo.',
    category: 'simple_action',
    bounty_usd: 2.5,
    evidence_required: ['text_response'],
  })
  await using worker = await theatre.person()
  await worker.signIn('bruno')
  const bruno = (await worker.account('bruno')).client
  await bruno.workers.register({ name: 'Bruno' })
  await bruno.tasks.apply({ task_id: applied })
}, 300_000)
afterAll(async () => {
  await publisher?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

type Seen = { readonly title: string; readonly top: number }

/** The first card that is wholly below the header, and where it is. */
async function firstSeen(page: Page): Promise<Seen | undefined> {
  return page.evaluate(() => {
    const edge = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const cards = [...document.querySelectorAll('main li')].map((card) => ({
      title: card.querySelector('a')?.textContent ?? '',
      top: card.getBoundingClientRect().top,
    }))
    return cards.filter(({ top }) => top >= edge).toSorted((a, b) => a.top - b.top)[0]
  })
}

/** Down by screens, as a thumb does it, until the card with this place in the list is drawn. */
async function scrollTo(page: Page, place: number): Promise<Seen> {
  await expect
    .poll(
      async () => {
        await page.evaluate(() => {
          window.scrollBy({ top: window.innerHeight * 0.8, behavior: 'instant' })
        })
        return page.locator(`main li[aria-posinset="${String(place)}"]`).count()
      },
      { timeout: 20_000, interval: 50 },
    )
    .toBe(1)
  // What was measured on the way has come to rest.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          requestAnimationFrame(resolve)
        })
      }),
  )
  const seen = await firstSeen(page)
  if (seen === undefined) throw new Error('no card is on the screen')
  return seen
}

async function untilSeen(page: Page, { title, top }: Seen): Promise<void> {
  await expect
    .poll(
      async () => {
        const seen = await firstSeen(page)
        return seen === undefined ? undefined : { title: seen.title, isThere: Math.abs(seen.top - top) <= 2 }
      },
      { timeout: 15_000 },
    )
    .toEqual({ title, isThere: true })
}

async function openCard(page: Page, { title }: Seen): Promise<void> {
  await page.getByRole('link', { name: title, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}

test.each([
  ['phone', phone],
  ['wide window', { viewport: { width: 1280, height: 800 } }],
] as const)(
  'on a %s, Back from a task is where the list was left, after it loaded more and after a reload',
  async (_, profile) => {
    await using visitor = await theatre.person(profile)
    const { page } = visitor
    await visitor.open('/find')
    const seen = await scrollTo(page, 61)
    await openCard(page, seen)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.goBack()
    await untilSeen(page, seen)
    await page.reload()
    await untilSeen(page, seen)
    await openCard(page, seen)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: seen.title, exact: true }).waitFor()
    await page.goBack()
    await untilSeen(page, seen)
    // Gone to anew, the list begins at its top.
    await page.getByRole('link', { name: 'Status', exact: true }).last().click()
    await page.waitForURL('**/status')
    await page.getByRole('link', { name: /^Find/ }).first().click()
    await page.locator('main li').first().waitFor()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  },
)

test('a screen that reads what it shows is come back to where it was left', async () => {
  const { page } = publisher
  await publisher.open('/my/tasks')
  await page.evaluate(() => {
    window.scrollTo({ top: document.documentElement.scrollHeight * 0.6, behavior: 'instant' })
  })
  const seen = await firstSeen(page)
  if (seen === undefined) throw new Error('no task is on the screen')
  await page.getByRole('link', { name: seen.title, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: seen.title, exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: seen.title, exact: true }).waitFor()
  await page.goBack()
  await untilSeen(page, seen)
})

/** Of two quick clicks, the first closes the dialog, and the second meets the link that was below it all the time. */
async function doubleClick(page: Page, button: Locator, dialog: Locator): Promise<void> {
  const box = await button.boundingBox()
  if (box === null) throw new Error('the button is not drawn')
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(place.x, place.y)
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount })
    await page.mouse.up({ clickCount })
    await dialog.waitFor({ state: 'hidden' })
  }
  const below = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('a')?.pathname, place)
  expect(below).toBe('/work')
}

test('Back closes a dialog and nothing else, and a dialog that was closed leaves nothing to go back through', async () => {
  const { page } = publisher
  await publisher.open('/my/spend')
  await publisher.open('/my/tasks')
  await page.locator(`main a[href="/my/tasks/${applied}"]`).first().click()
  const choose = page.getByRole('link', { name: /^Choose / })
  const dialog = page.getByRole('dialog', { name: 'Choose this worker?' })
  const signing = page.getByRole('dialog', { name: 'Before you sign' })
  await choose.click()
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname).toBe(`/my/tasks/${applied}`)
  // Over a dialog there may be another one: the upper is closed first.
  await choose.click()
  await dialog.getByRole('button', { name: 'Set the money aside' }).click()
  await signing.waitFor()
  await page.goBack()
  await signing.waitFor({ state: 'hidden' })
  await dialog.waitFor()
  // A reload keeps the dialog, and what it leads back to.
  await page.reload()
  await doubleClick(page, dialog.getByRole('button', { name: 'Cancel' }), dialog)
  expect(new URL(page.url()).pathname).toBe(`/my/tasks/${applied}`)
  await choose.click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.goBack()
  await page.waitForURL('**/my/tasks')
  // An address that was opened with its dialog has nothing before it to go back to.
  await publisher.open(`/my/tasks/${applied}?cancel=1`)
  await page.getByRole('dialog').getByRole('button').first().click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/my/tasks/${applied}`)
})

test('a browser that is slow to go back shows the task that was posted, and Back leads to before its steps', async () => {
  const { page } = publisher
  const title = 'Read the sign at the gate'
  await publisher.open('/my/spend')
  await page.evaluate(() => {
    const go = history.go.bind(history)
    // As it is on a busy machine.
    const late = (delta = 0): void => void setTimeout(go, 1_500, delta)
    history.go = late
    history.back = () => {
      late(-1)
    }
  })
  await page.locator('a[href="/publish"]:visible').first().click()
  await page.getByRole('button', { name: 'Find something out' }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('What has to be done').fill('Stand in front of the gate and write down what the sign says.')
  await page.getByRole('button', { name: 'Step 4 of 4: Check' }).click()
  await postTask(page, title)
  await page.waitForURL(/\/my\/tasks\/[0-9a-f-]{36}$/)
  // What was still on its way would have led away from it.
  await page.waitForTimeout(2_000)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await page.goBack()
  await page.waitForURL('**/my/spend')
})
