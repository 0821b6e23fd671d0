import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { publishMany } from './many-tasks.ts'
import { scrollToEnd } from './scroll-to-end.ts'

const tasks = 300
/** Rows that a page holds at once, however long the list is: two screens and what is drawn ahead. */
const mostHeld = 60

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_PUBLISH_PER_HOUR: '0' } } })
  await publishMany(theatre, tasks)
}, 300_000)
afterAll(async () => {
  await theatre?.[Symbol.asyncDispose]()
})

test.each([
  ['phone', phone.viewport],
  ['wide window', { width: 1280, height: 800 }],
] as const)(
  'a list of 300 tasks scrolls to its last row on a %s and never holds more than 60 rows',
  async (_, viewport) => {
    await using visitor = await theatre.person({ viewport })
    await visitor.open('/find')
    await visitor.page.locator('main li').first().waitFor()
    const { rows, held } = await visitor.page.evaluate(scrollToEnd, tasks)
    expect(rows).toBe(tasks)
    expect(held).toBeLessThanOrEqual(mostHeld)
  },
  180_000,
)
