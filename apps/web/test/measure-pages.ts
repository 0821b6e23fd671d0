/**
 * `npm run measure -w @ergon/web`: how fast the pages are in a real browser, as one line of JSON; a part of `npm run
 * bench`.
 *
 * Beside each of our pages a bare one of plain HTML with as many rows does the same on the same machine, so that a
 * share tells the page from the machine.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openTheatre, phone, type Theatre } from './browser.ts'
import { openAuditor } from './lighthouse.ts'
import { publishMany } from './many-tasks.ts'
import { scrollToEnd } from './scroll-to-end.ts'

/** Lighthouse's mid-range phone, really slowed down: slow 4G and a quarter of this machine. */
const slow = { latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8, offline: false } as const
const cpuRate = 4
const loads = 5
const rows = 1_000
const wide = { width: 1280, height: 800 }

const row = (index: number): string =>
  `<li aria-posinset="${String(index)}"><a href="#">Photograph gate ` +
  `${String(index)}</a><p>Stand in front of the gate and take one photo.</p></li>`
const barePage = (count: number): string =>
  `<!doctype html><title>bare</title><style>li{height:120px}</style><main><ul>${Array.from({ length: count }, (_, index) => row(index + 1)).join('')}</ul></main>`

function serveBare(page: Page, count: number): Promise<unknown> {
  return page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: barePage(count) }))
}

async function framesOf(
  theatre: Theatre,
  viewport: typeof wide,
): Promise<{ readonly ours: number; readonly bare: number }> {
  await using visitor = await theatre.person({ viewport })
  await visitor.open('/find')
  await visitor.page.locator('main li').first().waitFor()
  const ours = await visitor.page.evaluate(scrollToEnd, rows)
  await serveBare(visitor.page, rows)
  await visitor.page.goto('/bare')
  const bare = await visitor.page.evaluate(scrollToEnd, rows)
  return { ours: ours.worst, bare: bare.worst }
}

/** Until the first row is drawn, on a slowed phone that was never here. */
async function firstRowMs(theatre: Theatre, path: string): Promise<number> {
  await using visitor = await theatre.person({ ...phone, serviceWorkers: 'block' })
  const { page, context } = visitor
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuRate })
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('main li a') !== null)
        requestAnimationFrame(() => {
          setTimeout(() => {
            Reflect.set(window, 'usableAt', Reflect.get(window, 'usableAt') ?? performance.now())
          })
        })
    }).observe(document, { childList: true, subtree: true })
  })
  await serveBare(page, 30)
  await page.goto(path)
  return (
    (await (await page.waitForFunction(() => Reflect.get(window, 'usableAt') as number | undefined)).jsonValue()) ??
    Number.NaN
  )
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function measure(): Promise<Record<string, number>> {
  await using theatre = await openTheatre({ env: { server: { SVC_PUBLISH_PER_HOUR: '0' } } })
  const [taskId = ''] = await publishMany(theatre, 30)
  const ours: number[] = []
  const bare: number[] = []
  for (let load = 0; load < loads; load += 1) {
    ours.push(await firstRowMs(theatre, '/'))
    bare.push(await firstRowMs(theatre, '/bare'))
  }
  await using auditor = await openAuditor()
  const list = await auditor.audit(theatre.url)
  const task = await auditor.audit(`${theatre.url}/tasks/${taskId}`)
  await publishMany(theatre, rows - 30)
  await after(1_000)
  const onPhone = await framesOf(theatre, phone.viewport)
  const onWide = await framesOf(theatre, wide)
  return {
    first_row_ms: median(ours),
    bare_first_row_ms: median(bare),
    scroll_frames_phone: onPhone.ours,
    scroll_frames_phone_share: onPhone.ours / onPhone.bare,
    scroll_frames_wide: onWide.ours,
    scroll_frames_wide_share: onWide.ours / onWide.bare,
    lighthouse_list: list.scores.performance,
    lighthouse_task: task.scores.performance,
  }
}

process.stdout.write(`${JSON.stringify(await measure())}\n`)
process.exit()
