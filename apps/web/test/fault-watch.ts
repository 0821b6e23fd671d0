import type { BrowserContext, Page } from 'playwright-core'

export type FaultWatch = {
  readonly list: () => readonly string[]
  /** @throws Error with every complaint */
  readonly assertNone: () => void
}

// A refusal is an answer that the screen shows, and a line that is cut is cut on purpose.
const refused =
  /^(?:Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)|WebSocket connection to \S+ failed: .*net::ERR_INTERNET_DISCONNECTED)/

/** Collects what the console, the scripts and the Content-Security-Policy of a profile complain of. */
export async function watchFaults(context: BrowserContext, page: Page, expected?: RegExp): Promise<FaultWatch> {
  const faults: string[] = []
  const note = (fault: string): void => {
    if (!refused.test(fault) && expected?.test(fault) !== true) faults.push(fault)
  }
  await context.exposeBinding('noteViolation', (_, violation: string) => {
    note(violation)
  })
  await context.addInitScript(() => {
    // The binding above, which takes one text.
    const noteViolation = Reflect.get(window, 'noteViolation') as (violation: string) => Promise<void>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, documentURI }) => {
      void noteViolation(`the policy refused ${effectiveDirective} ${blockedURI} at ${documentURI}`)
    })
  })
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  page.on('pageerror', (error) => {
    note(`uncaught ${error.message}`)
  })
  return {
    list: () => faults,
    assertNone() {
      if (faults.length > 0) throw new Error(`the browser complained:\n${faults.join('\n')}`)
    },
  }
}
