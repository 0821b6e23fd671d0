import type { BrowserContext, Page } from 'playwright-core'

/** Milliseconds, and CLS as a share; INP is null when nobody touched anything. */
export type WebVitals = { readonly lcpMs: number | null; readonly cls: number; readonly inpMs: number | null }

/** The browser's own measures of each page of a profile, from its first moment. */
export async function measureVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const vitals: { lcpMs: number | null; cls: number; inpMs: number | null } = { lcpMs: null, cls: 0, inpMs: null }
    Reflect.set(window, 'measuredVitals', vitals)
    const observe = (type: string, note: (entry: PerformanceEntry) => void): void => {
      new PerformanceObserver((list) => {
        list.getEntries().forEach(note)
      }).observe({ type, buffered: true, ...(type === 'event' ? { durationThreshold: 16 } : {}) })
    }
    observe('largest-contentful-paint', (entry) => {
      vitals.lcpMs = entry.startTime
    })
    observe('layout-shift', (entry) => {
      // What moves because a reader did something is no surprise to them.
      if (Reflect.get(entry, 'hadRecentInput') !== true) vitals.cls += Number(Reflect.get(entry, 'value'))
    })
    observe('event', (entry) => {
      if (Number(Reflect.get(entry, 'interactionId')) > 0) vitals.inpMs = Math.max(vitals.inpMs ?? 0, entry.duration)
    })
  })
}

/** Of the page as it was last loaded. */
export function readVitals(page: Page): Promise<WebVitals> {
  // The init script above put it there.
  return page.evaluate(() => Reflect.get(window, 'measuredVitals') as WebVitals)
}

export function printVitals(name: string, { lcpMs, cls, inpMs }: WebVitals): void {
  const ms = (value: number | null): string => (value === null ? '–' : `${value.toFixed(0)} ms`)
  process.stdout.write(`web vitals, ${name}: LCP ${ms(lcpMs)}, CLS ${cls.toFixed(3)}, INP ${ms(inpMs)}\n`)
}
