import { setTimeout as sleep } from 'node:timers/promises'
import { firefox, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { createClient, privateKeySigner, type Client, type Signer } from '@ergon/sdk'
import type { Hex } from '@ergon/protocols'
import { shellMessages } from '../src/shell/messages.ts'
import { typeAsPeopleDo } from './firefox.ts'
import type { Screen } from './parts.ts'
import { mindTheLine } from './line.ts'
import { watchFaults, type FaultWatch } from './fault-watch.ts'
import { watchRequests, type RequestWatch } from './request-watch.ts'
import { measureVitals, printVitals, readVitals, type WebVitals } from './web-vitals.ts'

export type PersonOptions = BrowserContextOptions & {
  /** Lines of the console that belong to what is tried. */
  readonly expected?: RegExp
  /** Who is measured, in the line that says the web vitals; nothing is printed without it. */
  readonly vitalsAs?: string
}

/** The wallet of a person, outside the browser. */
export type Account = { readonly signer: Signer; readonly client: Client }

/**
 * A person in front of a browser of their own. Ends with an error when the console or the policy complained meanwhile.
 */
export type Person = AsyncDisposable & {
  readonly context: BrowserContext
  readonly page: Page
  readonly faults: FaultWatch
  /** Opens an address of the app and waits until it is drawn. */
  readonly open: (path: string) => Promise<void>
  /** Until nothing is asked of the service any more and a heading is there. */
  readonly settled: () => Promise<void>
  /** Of the page as it was last loaded. */
  readonly vitals: () => Promise<WebVitals>
  /** Signs in through the screen, with a test wallet of this browser. */
  readonly signIn: (persona: 'ada' | 'bruno') => Promise<void>
  /** The library, with the key of a test wallet of this browser, for what a test needs and does not try. */
  readonly account: (persona: 'ada' | 'bruno') => Promise<Account>
}

const patienceMs = 20_000

export async function enterAsPerson(
  browser: Browser,
  url: string,
  { expected, vitalsAs, ...profile }: PersonOptions,
): Promise<Person> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...profile })
  context.setDefaultTimeout(patienceMs)
  if (browser.browserType() === firefox) await typeAsPeopleDo(context)
  await measureVitals(context)
  await mindTheLine(context)
  const page = await context.newPage()
  const faults = await watchFaults(context, page, expected)
  const requests = watchRequests(page, new URL(url).origin)
  const settled = (): Promise<void> => untilSettled(page, requests)
  const open = async (path: string): Promise<void> => {
    await page.goto(path)
    await settled()
  }
  return {
    context,
    page,
    faults,
    open,
    settled,
    vitals: () => readVitals(page),
    async signIn(persona) {
      await open('/sign-in')
      await signInHere(page, persona)
      await settled()
    },
    account: (persona) => accountIn(page, url, persona),
    async [Symbol.asyncDispose]() {
      if (vitalsAs !== undefined) printVitals(vitalsAs, await readVitals(page))
      await context.close()
      faults.assertNone()
    },
  }
}

/** Becomes a worker as the screen does it, in a session: a human. Answers the worker's id. */
export async function registerAsPerson(url: string, { signer }: Account, name: string): Promise<string> {
  const client = createClient({ baseUrl: url, signer, session: true })
  await client.signIn({ origin: url })
  return (await client.workers.register({ name })).id
}

async function untilSettled(page: Page, requests: RequestWatch): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await requests.untilQuiet(patienceMs)
}

/** On the screen for signing in: chooses the wallet, reads what is signed, agrees. Works in both languages. */
export async function signInHere(page: Screen, persona: 'ada' | 'bruno'): Promise<void> {
  const { en, es } = shellMessages
  const either = (key: keyof typeof en): RegExp =>
    new RegExp(`^(?:${[en[key], es[key]].map((text) => escaped(text)).join('|')})$`)
  await page.getByRole('button', { name: either(persona) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByRole('button').last().click()
  await page.getByRole('heading', { level: 1, name: either('welcome') }).waitFor()
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

export async function accountIn(page: Screen, url: string, persona: 'ada' | 'bruno'): Promise<Account> {
  const signer = privateKeySigner(await keyOf(page, persona))
  return { signer, client: createClient({ baseUrl: url, signer }) }
}

async function keyOf(page: Screen, persona: string): Promise<Hex> {
  const key = await page.evaluate((name: string) => localStorage.getItem(name), `local.ergon.test-wallet.${persona}`)
  if (key === null) throw new Error(`${persona} has no key in this browser; sign in first`)
  return key as Hex // the test wallet made it
}

/** Test money comes with the first sign-in of a browser; the screen says so for a moment only. */
export async function untilFunded({ client, signer }: Account): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    const { data } = await client.call('payments.balance', { wallet: signer.address })
    if (data.balances.some(({ balance_usd: usd }) => usd !== null && usd >= 1_000)) return
    if (Date.now() > end) throw new Error('no test money came')
    await sleep(250)
  }
}
