import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const options: RunOptions = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] }

/** Puts axe into every page of a profile; the profile must be one that bypasses the policy. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: source })
}

/** What breaks WCAG 2.2 AA on the screen as it is now, a line for each place. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  // Half-faded colours are no colours of the app: axe reads them when they stand.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity).map(({ finished }) => finished)).then(() => undefined))
  const { violations } = await page.evaluate((given) => {
    // The init script put it there.
    const axe = Reflect.get(window, 'axe') as { readonly run: (options: RunOptions) => Promise<AxeResults> }
    return axe.run(given)
  }, options)
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${String(failureSummary).replaceAll('\n', ' ')}`))
}
