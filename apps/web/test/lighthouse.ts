import { freePort } from '@ergon/dev-env'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { chromiumFlags, chromiumPath } from './browser.ts'

/** What Lighthouse asks of a page here; each score is out of 100. */
export const categories = ['performance', 'accessibility', 'best-practices'] as const

export type Audit = {
  readonly scores: Readonly<Record<(typeof categories)[number], number>>
  /** First and largest contentful paint, and the time the main thread was blocked, on the simulated phone. */
  readonly milliseconds: { readonly fcp: number; readonly lcp: number; readonly tbt: number; readonly tti: number }
  /** Bytes of script over the wire, as they came: compressed. */
  readonly scriptBytes: number
  /** What lost points, each with what Lighthouse says about it. */
  readonly lost: readonly string[]
}

export type Auditor = AsyncDisposable & {
  /** A page of the very profile that is audited, to sign in with. */
  readonly context: Awaited<ReturnType<typeof chromium.launchPersistentContext>>
  readonly audit: (url: string) => Promise<Audit>
}

/** A browser that Lighthouse may drive, with a profile that keeps who is signed in. */
export async function openAuditor(): Promise<Auditor> {
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'ergon-lighthouse-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await freePort()
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    args: [...chromiumFlags, `--remote-debugging-port=${String(port)}`],
    locale: 'en-GB',
  })
  stack.defer(() => context.close())
  const owned = stack.move()
  const audit = async (url: string): Promise<Audit> => {
    await forget(context, url)
    return auditOnce(url, port)
  }
  return { context, audit, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** A first load has no worker and nothing kept; who is signed in stays. */
async function forget(context: Auditor['context'], url: string): Promise<void> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', {
    origin: new URL(url).origin,
    storageTypes: 'service_workers,cache_storage',
  })
  await devtools.send('Network.clearBrowserCache')
  await page.close()
}

/** Where its command is: the library's own errors outside any promise would end whoever imports it. */
const command = fileURLToPath(new URL('cli/index.js', import.meta.resolve('lighthouse/package.json')))

/** A page takes some twenty seconds; what hangs ends with its test. */
const longestMs = 120_000

/** What is read of its report. */
type Report = {
  readonly runtimeError?: { readonly code: string; readonly message: string }
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, Finding>>
}
type Finding = {
  readonly id: string
  readonly title: string
  readonly displayValue?: string
  readonly score: number | null
  readonly scoreDisplayMode: string
  readonly numericValue?: number
  readonly details?: unknown
}

/** Lighthouse's own phone: a mid-range one on slow 4G, simulated from an unthrottled load. */
async function reportOf(url: string, port: number): Promise<Report> {
  const options = [
    `--port=${String(port)}`,
    '--output=json',
    '--quiet',
    `--only-categories=${categories.join(',')}`,
    '--disable-storage-reset',
    '--skip-audits=is-on-https,redirects-http',
    '--no-enable-error-reporting',
  ]
  const child = spawn(process.execPath, [command, url, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longestMs,
  })
  const [printed, complaint, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (!printed.startsWith('{')) throw new Error(`Lighthouse ended with ${String(exitCode)}: ${complaint}`)
  return JSON.parse(printed) as Report
}

/** On a busy machine Chromium may write a trace without the load; Lighthouse asks to be run again then. */
async function auditOnce(url: string, port: number): Promise<Audit> {
  const first = await reportOf(url, port)
  const lhr = first.runtimeError?.code === 'NO_NAVSTART' ? await reportOf(url, port) : first
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message)
  const scoreOf = (category: string): number => Math.round((lhr.categories[category]?.score ?? 0) * 100)
  const numeric = (audit: string): number => Math.round(lhr.audits[audit]?.numericValue ?? Number.NaN)
  return {
    scores: {
      performance: scoreOf('performance'),
      accessibility: scoreOf('accessibility'),
      'best-practices': scoreOf('best-practices'),
    },
    milliseconds: {
      fcp: numeric('first-contentful-paint'),
      lcp: numeric('largest-contentful-paint'),
      tbt: numeric('total-blocking-time'),
      tti: numeric('interactive'),
    },
    scriptBytes: scriptBytesOf(lhr.audits['network-requests']?.details),
    lost: Object.values(lhr.audits)
      .filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
      .map(({ id, title, displayValue }) => `${id}: ${title} ${displayValue ?? ''}`.trim()),
  }
}

type Requests = { readonly items: readonly { readonly resourceType?: unknown; readonly transferSize?: unknown }[] }

/** Lighthouse's details are of many shapes; the one of network requests is a table. */
function scriptBytesOf(details: unknown): number {
  const { items } = details as Requests
  return items.reduce(
    (sum, { resourceType, transferSize }) =>
      sum + (resourceType === 'Script' && typeof transferSize === 'number' ? transferSize : 0),
    0,
  )
}
