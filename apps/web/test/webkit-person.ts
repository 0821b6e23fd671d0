import type { Stage } from './browser.ts'
import { accountIn, signInHere, type Account } from './person.ts'
import type { Actor } from './parts.ts'
import { screenOf } from './webkit-page.ts'
import type { Webkit, WebkitWindow } from './webkit.ts'

export type WebkitPerson = Actor & {
  readonly driver: WebkitWindow
  readonly account: (persona: 'ada' | 'bruno') => Promise<Account>
}

/**
 * A person in front of WebKit. Ends with an error when a script or the policy complained; what a page said before it
 * was loaded is heard only of the policy.
 */
export async function enterInWebkit(
  webkit: Webkit,
  { url }: Pick<Stage, 'url'>,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<WebkitPerson> {
  await using stack = new AsyncDisposableStack()
  const driver = stack.use(await webkit.open())
  await driver.resize(width, height)
  const page = screenOf(driver)
  const faults: string[] = []
  const hear = async (): Promise<void> => {
    faults.push(...(await driver.run<readonly string[]>(takeFaults)))
  }
  const open = async (path: string): Promise<void> => {
    await hear()
    await driver.go(`${url}${path}`)
    await driver.run(noteFaults)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  const owned = stack.move()
  return {
    driver,
    page,
    open,
    async signIn(persona) {
      await open('/sign-in')
      await signInHere(page, persona)
    },
    account: (persona) => accountIn(page, url, persona),
    async [Symbol.asyncDispose]() {
      await hear()
      await owned.disposeAsync()
      if (faults.length > 0) throw new Error(`WebKit complained:\n${faults.join('\n')}`)
    },
  }
}

// These run in the page, and so can see nothing of this file.

function noteFaults(): void {
  const faults: string[] = []
  Reflect.set(window, 'notedFaults', faults)
  const complain = console.error.bind(console)
  console.error = (...said: unknown[]) => {
    faults.push(said.map(String).join(' '))
    complain(...said)
  }
  window.addEventListener('error', ({ message }) => {
    // No fault: what is measured is drawn in the next frame.
    if (!message.startsWith('ResizeObserver loop')) faults.push(`uncaught ${message}`)
  })
  window.addEventListener('unhandledrejection', ({ reason }) => faults.push(`not handled: ${String(reason)}`))
  new ReportingObserver(
    (reports) => {
      for (const { body } of reports) faults.push(`the policy refused ${JSON.stringify(body)}`)
    },
    { types: ['csp-violation'], buffered: true },
  ).observe()
}

const takeFaults = (): readonly string[] =>
  (Reflect.get(window, 'notedFaults') as string[] | undefined)?.splice(0) ?? []
