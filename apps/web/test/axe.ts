import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const options: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
}

/** Puts axe into every page of a profile; the profile must be one that bypasses the policy. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: source })
}

/** More than the slowest screen needs on a busy machine. */
const patienceMs = 60_000

/** What breaks WCAG 2.2 AA on the screen as it is now, a line for each place. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const reading = page.evaluate((given) => {
    // Half-faded colours are no colours of the app: axe reads them when they have arrived.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
    // The init script put it there.
    const axe = Reflect.get(window, 'axe') as { readonly run: (options: RunOptions) => Promise<AxeResults> }
    return axe.run(given)
  }, options)
  const { violations } = await inTime(reading, page.url())
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${help}) at ${target.join(' ')}: ${String(failureSummary).replaceAll('\n', ' ')}`,
    ),
  )
}

/** A script in a page has no time limit of its own: one that hangs names its screen. */
async function inTime<T>(reading: Promise<T>, url: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`axe did not answer within ${String(patienceMs)} ms on ${url}`))
  }, patienceMs)
  try {
    return await Promise.race([reading, promise])
  } finally {
    clearTimeout(timer)
  }
}
