import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'
import { addressOf, publishAsPerson, setScene, type Scene } from './scene.ts'

let theatre: Theatre
let scene: Scene
beforeAll(async () => {
  theatre = await openTheatre()
  scene = await setScene(theatre, phone)
}, 300_000)
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]()
  await theatre?.[Symbol.asyncDispose]()
})

const ofWorker = ['/work', '/profile', '/earnings', '/activity', '/notifications', '/submissions/$submissionId']
const ofPublisher = ['/people/$workerId', '/find', '/my/tasks', '/my/tasks/$taskId/review', '/account', '/status']

/** How far a screen sticks out to the side with letters twice as large. */
const beyond = (page: Page): Promise<number> =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    return document.documentElement.scrollWidth - 360
  })

/** The links at the foot of a screen that a finger misses. */
const lowLinks = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('footer a')]
      .filter((one) => one.getBoundingClientRect().height < 44)
      .map((one) => one.textContent),
  )

async function examine({ page, open }: Person, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    await open(addressOf(path, scene.params))
    for (const link of await lowLinks(page)) found.push(`${path}: "${link}" is lower than 44 px`)
    const wide = await beyond(page)
    if (wide > 0) found.push(`${path}: ${String(wide)} px stick out to the side`)
  }
  return found
}

test('on a phone whose letters are twice as large no main screen scrolls sideways, and the foot has room for a finger', async () => {
  expect([...(await examine(scene.worker, ofWorker)), ...(await examine(scene.publisher, ofPublisher))]).toEqual([])
}, 200_000)

/** What of the open sheet nobody can read: how far it sticks out, and amounts that are broken in two. */
const unreadIn = (sheet: Locator): Promise<readonly string[]> =>
  sheet.evaluate((dialog) => {
    document.documentElement.style.fontSize = '200%'
    const wide = dialog.scrollWidth - dialog.clientWidth
    const broken = [...dialog.querySelectorAll('dd')].filter((value) => {
      const text = document.createRange()
      text.selectNodeContents(value)
      return (
        /^\D*[\d.,]+\D*$/.test(value.innerText) && new Set([...text.getClientRects()].map(({ top }) => top)).size > 1
      )
    })
    return [...(wide > 0 ? [`${String(wide)} px stick out`] : []), ...broken.map(({ innerText }) => innerText)]
  })

/** The words below `part` that are broken in two, with letters twice as large. */
const brokenWords = (part: Locator, letters = '200%'): Promise<readonly string[]> =>
  part.evaluate((places, size) => {
    document.documentElement.style.fontSize = size
    const texts = document.createTreeWalker(places, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (range.getClientRects().length > 1) found.push(word)
      }
    return found
  }, letters)

test('with letters twice as large every amount of a sheet is whole and in sight before it is signed', async () => {
  const { page, open } = scene.publisher
  const approving = addressOf('/my/tasks/$taskId/review?do=approve', scene.params)
  const found: Record<string, readonly string[]> = {}
  for (const [name, address, agree] of [
    ['Approve this work?', approving, 'Sign and pay'],
    [
      'Choose this worker?',
      `/my/tasks/${scene.openTask}?choose=${String(scene.params['workerId'])}`,
      'Set the money aside',
    ],
  ] as const) {
    await open(address)
    const sheet = page.getByRole('dialog', { name })
    await sheet.getByRole('definition').filter({ hasText: '$' }).first().waitFor({ state: 'attached' })
    found[name] = await unreadIn(sheet)
    await sheet.getByRole('button', { name: agree }).click()
    const signing = page.getByRole('dialog', { name: 'Before you sign' })
    await signing.getByRole('definition').filter({ hasText: '$' }).first().waitFor({ state: 'attached' })
    found[`${name} ${agree}`] = await unreadIn(signing)
    await signing.getByRole('button', { name: 'Not now' }).click()
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
})

test('with letters twice as large a name is read whole', async () => {
  const { page, open } = scene.publisher
  await open(addressOf('/disputes/$disputeId', scene.params))
  const name = page.getByRole('link', { name: 'Photograph the gate' }).first().getByText('Photograph the gate')
  await name.waitFor()
  const cut = await name.evaluate((text) => {
    document.documentElement.style.fontSize = '200%'
    return { beside: text.scrollWidth - text.clientWidth, below: text.scrollHeight - text.clientHeight }
  })
  expect(cut.beside).toBeLessThanOrEqual(0)
  // Tall letters reach a little out of a tight line.
  expect(cut.below).toBeLessThan(12)
})

test('with letters twice as large no word of the menu is broken in two', async () => {
  const { page, open } = scene.worker
  await open('/work')
  await page.getByRole('button', { name: 'More' }).first().click()
  const menu = page.getByRole('dialog')
  await menu.getByRole('group', { name: 'Appearance' }).waitFor()
  expect(await brokenWords(menu)).toEqual([])
  await page.keyboard.press('Escape')
})

test('with letters twice as large tasks, figures and money are read in words, not letter by letter', async () => {
  const { worker, publisher, params } = scene
  const found: Record<string, readonly string[]> = {}
  for (const [{ page, open }, path] of [
    [worker, '/work'],
    [worker, '/people/$workerId'],
    [worker, '/earnings'],
    [publisher, '/my/tasks'],
    [worker, '/tasks/$taskId'],
    [publisher, '/publish'],
  ] as const) {
    await open(addressOf(path, params))
    const main = page.getByRole('main')
    await main
      .getByText(
        path === '/earnings'
          ? 'By the minute'
          : path === '/publish'
            ? 'Start from a common task'
            : 'Photograph the gate',
      )
      .first()
      .waitFor()
    // Where a word alone is longer than its line, it is broken: none as short as these is.
    found[path] = (await brokenWords(main)).filter((word) => /^[a-z]{1,8}$/i.test(word))
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, []])))
})

test('with ordinary letters no word of what a task promises is broken, and what is said in passing covers no bar', async () => {
  const task_id = await publishAsPerson(scene.publisher, {
    title: 'Paint the gate',
    instructions: 'Stand in front of the gate and paint it.',
    category: 'simple_action',
    bounty_usd: 1.5,
    evidence_required: ['text_response'],
  })
  await (await scene.publisher.account('ada')).client.tasks.setPolicy({ task_id })
  await using reader = await theatre.person({ ...phone, locale: 'es-ES' })
  await reader.signIn('bruno')
  const { page, open } = reader
  await open(`/tasks/${task_id}`)
  const promised = page.locator('dl').filter({ hasText: 'Si nadie lo mira' })
  await promised.waitFor()
  expect(await brokenWords(promised, '100%')).toEqual([])

  const { worker } = scene
  await worker.open('/profile')
  await worker.page.getByLabel('Display name').fill('Bruno B.')
  await worker.page.getByRole('button', { name: 'Save', exact: true }).click()
  await worker.page.getByText('Your profile is saved.').waitFor()
  const [said, bar] = await Promise.all([
    worker.page.locator('.toasts > p').first().boundingBox(),
    worker.page.locator('.bottom-nav').boundingBox(),
  ])
  expect((said?.y ?? Infinity) + (said?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
})

test('with letters twice as large what was checked is read in words, not letter by letter', async () => {
  const { page, open } = scene.publisher
  await open(addressOf('/my/tasks/$taskId/review', scene.params))
  const check = page.getByText('Form of the evidence', { exact: true })
  const roomFor = (): Promise<number> => check.evaluate((name) => (name.parentElement ?? name).clientWidth)
  await check.waitFor()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  // The longest of its words is some 130 px long.
  expect(await roomFor()).toBeGreaterThan(130)
})

/** What of the buttons nobody can read with letters twice as large: words that are broken in two, or reach beyond. */
const unreadButtons = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    const found = new Set<string>()
    for (const button of document.querySelectorAll<HTMLElement>('button, .btn, .chip, .segments > *, summary')) {
      const edge = button.getBoundingClientRect()
      const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const isSeen = text.parentElement?.checkVisibility() === true
        if (!isSeen || text.parentElement?.closest('.visually-hidden') !== null) continue
        for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const places = [...range.getClientRects()].filter(({ width }) => width > 0)
          if (places.length > 1) found.add(`${word} of "${button.innerText}" is broken`)
          // A row of chips goes on beyond the edge, to be moved.
          const end = button.closest('.chip-row') === null ? Math.min(edge.right + 1, innerWidth) : edge.right + 1
          if (places.some(({ left, right }) => left < edge.left - 1 || right > end))
            found.add(`${word} of "${button.innerText}" is cut`)
        }
      }
    }
    return [...found]
  })

test.each(['en', 'es'] as const)(
  'with letters twice as large every word of every button is read whole (%s)',
  async (language) => {
    const { worker, publisher, params, openTask } = scene
    const screens = [
      ...[...ofWorker, '/sign-in'].map((path) => [worker, path] as const),
      ...[...ofPublisher, '/publish', '/publish?step=proof', '/publish?step=money', '/publish?step=check'].map(
        (path) => [publisher, path] as const,
      ),
      [publisher, `/my/tasks/${openTask}`],
      [publisher, `/my/tasks/${openTask}?cancel=1`],
      [publisher, '/my/tasks/$taskId/review?do=reject'],
      [publisher, '/webhooks/$webhookId'],
      [publisher, '/disputes/$disputeId'],
      [worker, '/submissions/$submissionId?do=dispute'],
    ] as const
    const found: Record<string, readonly string[]> = {}
    for (const { page } of [worker, publisher])
      await page.evaluate((chosen) => {
        localStorage.setItem('ergon.language', chosen)
      }, language)
    for (const [{ page, open }, path] of screens) {
      await open(addressOf(path, params))
      const unread = await unreadButtons(page)
      if (unread.length > 0) found[path] = unread
    }
    for (const { page } of [worker, publisher])
      await page.evaluate(() => {
        localStorage.removeItem('ergon.language')
      })
    expect(found).toEqual({})
  },
  200_000,
)

test('with letters twice as large no word of the bar below is broken in two', async () => {
  await using reader = await theatre.person({ ...phone, locale: 'es-ES' })
  await reader.signIn('ada')
  const { page } = reader
  const bar = page.getByRole('navigation', { name: 'Lugares' })
  await bar.waitFor()
  expect(await brokenWords(bar)).toEqual([])
})
