import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core'
import { startConstellation, type Constellation, type ConstellationOptions } from '@ergon/dev-env'
import { pathTo } from './path-to.ts'
import { enterAsPerson, type Person, type PersonOptions } from './person.ts'

/** The real service with its chain, its facilitator and the built app. */
export type Stage = AsyncDisposable & {
  readonly constellation: Constellation
  /** Where the app is, by the name that may hold passkeys. */
  readonly url: string
  /** Where the service says that it is itself. */
  readonly serviceUrl: string
}

/** A stage and Chromium in front of it. */
export type Theatre = Stage & {
  readonly browser: Browser
  /** A person with a browser profile of their own. */
  readonly person: (options?: PersonOptions) => Promise<Person>
}

export async function openTheatre(options: ConstellationOptions = {}): Promise<Theatre> {
  await using stack = new AsyncDisposableStack()
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const stage = stack.use(await openStage(options))
  const owned = stack.move()
  return {
    ...stage,
    browser,
    person: (given = {}) => enterAsPerson(browser, stage.url, given),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export async function openStage(options: ConstellationOptions = {}): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const constellation = stack.use(
    await startConstellation({
      ephemeral: true,
      web: true,
      ...options,
      env: {
        ...options.env,
        server: { SVC_RATE_ANON_PER_MIN: '0', SVC_RATE_WALLET_PER_MIN: '0', ...options.env?.server },
      },
    }),
  )
  const { webUrl, serverUrl: serviceUrl } = constellation.record()
  if (webUrl === undefined || serviceUrl === undefined) throw new Error('the constellation runs without its server')
  const url = new URL(webUrl).origin
  const owned = stack.move()
  return {
    constellation,
    url,
    serviceUrl,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** What a phone's browser says about its window: the narrowest that the app is made for. */
export const phone = {
  viewport: { width: 360, height: 780 },
  isMobile: true,
  hasTouch: true,
} as const satisfies BrowserContextOptions

/** No sandbox, because a test may run as root; nothing is asked of anybody outside. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const

/** Debian's Chromium, which keeps to itself: it asks nobody on the network for anything. */
export function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumFlags, ...flags],
  })
}

/** Chromium as people have it: it keeps a page that was left for whoever goes back, which Playwright forbids it. */
export function openKeepingBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumFlags],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
}

export const chromiumPath = (): string => pathTo('chromium', 'Chromium')
