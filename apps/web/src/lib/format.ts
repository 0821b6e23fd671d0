import { useSpeech } from './i18n.tsx'

/** How the reader's language writes amounts, times and distances. */
export type Format = {
  /** Dollars as the service says them; bounties below a cent keep all their digits. */
  readonly usd: (amount: number) => string
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string
  readonly percent: (share: number) => string
  readonly date: (instant: string) => string
  readonly dateTime: (instant: string) => string
  /** `in 3 hours`, `2 days ago`. */
  readonly relative: (instant: string, now: number) => string
  /** Metres or kilometres. */
  readonly distance: (metres: number) => string
  /** `40 seconds`, `7 days`: rounded, in the largest unit of which there are two. */
  readonly duration: (seconds: number) => string
  readonly list: (items: readonly string[]) => string
}

export function createFormat(locale: string): Format {
  // Each is made when it is first used: what a browser takes for them is felt on a phone.
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const numbers = new Map<string, Intl.NumberFormat>()
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string => {
    const key = JSON.stringify(options)
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
    numbers.set(key, format)
    return format.format(value)
  }
  return {
    usd: (amount) => number(amount, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 6 }),
    number,
    percent: (share) => number(share, { style: 'percent', maximumFractionDigits: 0 }),
    date: (instant) => date().format(new Date(instant)),
    dateTime: (instant) => dateTime().format(new Date(instant)),
    relative: (instant, now) => {
      const { value, unit } = roundedSpan(Date.parse(instant) - now)
      return relative().format(value, unit)
    },
    distance: (metres) => metres < 1_000
      ? number(metres, { style: 'unit', unit: 'meter', maximumFractionDigits: 0 })
      : number(metres / 1_000, { style: 'unit', unit: 'kilometer', maximumFractionDigits: metres < 10_000 ? 1 : 0 }),
    duration: (seconds) => {
      const [unit, length] = spans.find(([, ms]) => seconds * 1_000 >= 2 * ms) ?? (['second', 1_000] as const)
      return number(Math.round((seconds * 1_000) / length), { style: 'unit', unit, unitDisplay: 'long' })
    },
    list: (items) => list().format(items),
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

const spans = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000]] as const

/** A span in the largest unit that it fills at least once. */
export function roundedSpan(ms: number): { readonly value: number; readonly unit: (typeof spans)[number][0] } {
  const found = spans.find(([, length]) => Math.abs(ms) >= length) ?? (['second', 1_000] as const)
  return { value: Math.trunc(ms / found[1]), unit: found[0] }
}

const formats = new Map<string, Format>()

function formatOf(locale: string): Format {
  const known = formats.get(locale) ?? createFormat(locale)
  formats.set(locale, known)
  return known
}

export function useFormat(): Format {
  const { locale } = useSpeech()
  return formatOf(locale)
}
