import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import type { Person } from './person.ts'
import { addressOf, setScene, type Scene } from './scene.ts'

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
