import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTheatre, phone, type Theatre } from './browser.ts'

const tasks = 1_000
const least = { framesPerSecond: 50, rows: tasks } as const
const inFlight = 8

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre({ env: { server: { SVC_PUBLISH_PER_HOUR: '0' } } })
  await using publisher = await theatre.person()
  await publisher.signIn('ada')
  await publisher.page.locator('p').filter({ hasText: /1[.,]000/ }).waitFor()
  const { client } = await publisher.account('ada')
  let next = 0
  const line = async (): Promise<void> => {
    while (next < tasks) {
      next += 1
      await client.tasks.publish({ title: `Photograph gate ${String(next)}`, instructions: 'Stand in front of the gate and take one photo.', category: 'simple_action', bounty_usd: (100 + next) / 100, evidence_required: ['photo'] })
    }
  }
  await Promise.all(Array.from({ length: inFlight }, line))
}, 300_000)
afterAll(async () => { await theatre?.[Symbol.asyncDispose]() })

test.each([['phone', phone.viewport], ['wide window', { width: 1280, height: 800 }]] as const)('a list of 1,000 tasks scrolls to its end on a %s without dropping below 50 frames a second', async (name, viewport) => {
  const runs: Scrolled[] = []
  // The machine may be disturbed; the page is what is measured, so the calmest of three counts.
  while (runs.length < 3 && !runs.some(({ worst }) => worst >= least.framesPerSecond)) {
    await using visitor = await theatre.person({ viewport })
    await visitor.open('/')
    await visitor.page.locator('main li').first().waitFor()
    const run = await visitor.page.evaluate(scrollToEnd, tasks)
    process.stdout.write(`scrolling, ${name}: ${String(run.rows)} rows in ${(run.ms / 1_000).toFixed(1)} s, ${run.mean.toFixed(1)} frames a second, ${run.worst.toFixed(1)} in the worst second\n`)
    expect(run.rows).toBeGreaterThanOrEqual(least.rows)
    runs.push(run)
  }
  expect(Math.max(...runs.map(({ worst }) => worst))).toBeGreaterThanOrEqual(least.framesPerSecond)
}, 180_000)

type Scrolled = { readonly rows: number; readonly ms: number; readonly mean: number; readonly worst: number }

/** In the page: eight screens a second, as a finger that is in a hurry, until the last row was seen; counts the frames of each second. */
async function scrollToEnd(count: number): Promise<Scrolled> {
  const frames: number[] = []
  let rows = 0
  const begun = performance.now()
  await new Promise<void>((resolve) => {
    let last = begun
    const frame = (now: number): void => {
      frames.push(now)
      window.scrollBy({ top: window.innerHeight * 8 * (now - last) / 1_000, behavior: 'instant' })
      last = now
      for (const row of document.querySelectorAll('main li[aria-posinset]')) rows = Math.max(rows, Number(row.getAttribute('aria-posinset')))
      if (rows >= count || now - begun > 120_000) resolve()
      else requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const [first = begun] = frames
  const ms = performance.now() - first
  const seconds = Array.from({ length: Math.floor(ms / 1_000) }, (_, index) => frames.filter((at) => at - first >= index * 1_000 && at - first < (index + 1) * 1_000).length)
  return { rows, ms, mean: frames.length * 1_000 / ms, worst: Math.min(...seconds) }
}
