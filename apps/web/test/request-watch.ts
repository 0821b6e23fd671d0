import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

export type RequestWatch = {
  /**
   * Until nothing is under way, looked at twice after the page has worked on what it was answered: an answer may lead
   * to the next question.
   */
  readonly untilQuiet: (patienceMs: number) => Promise<void>
}

const lookEveryMs = 25

/** Counts what a page has asked its own service for; what waits for news, and so never comes to an end, is left out. */
export function watchRequests(page: Page, origin: string): RequestWatch {
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    if (new URL(request.url()).origin === origin && !/\/stream\b|[?&]wait_seconds=/.test(request.url()))
      underWay.add(request)
  })
  const end = (request: Request): void => {
    underWay.delete(request)
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    async untilQuiet(patienceMs) {
      const until = performance.now() + patienceMs
      for (let quiet = 0; quiet < 2; quiet = underWay.size === 0 ? quiet + 1 : 0) {
        if (performance.now() > until)
          throw new Error(`the page still waits for ${[...underWay].map((request) => request.url()).join(', ')}`)
        await untilIdle(page)
        await pause(lookEveryMs)
      }
    },
  }
}

/**
 * Until the page has nothing to work on and has drawn it, however slow the machine is; a page that is left meanwhile is
 * looked at anew.
 */
async function untilIdle(page: Page): Promise<void> {
  await page
    .evaluate(
      () =>
        new Promise<void>((resolve) => {
          requestIdleCallback(() => {
            requestAnimationFrame(() => {
              setTimeout(resolve)
            })
          })
        }),
    )
    .catch((error: unknown) => {
      if (page.isClosed()) throw error
    })
}
