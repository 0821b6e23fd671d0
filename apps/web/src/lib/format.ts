import { useSpeech } from './i18n.tsx'

/** How the reader's language writes amounts, times and distances. */
export type Format = {
  /** Dollars as the service says them; bounties below a cent keep all their digits. */
  readonly usd: (amount: number) => string
  /** Dollars and cents, rounded down as for whoever receives them; what is below ten cents keeps its digits. */
  readonly cents: (amount: number) => string
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string
  readonly percent: (share: number) => string
  readonly date: (instant: string) => string
  /** Day and month of a day of the service, which counts in UTC; where there is little room. */
  readonly shortDate: (instant: string) => string
  readonly dateTime: (instant: string) => string
  /** `in 3 hours`, `2 days ago`. */
  readonly relative: (instant: string, now: number) => string
  /** `2 days ago`, of what has happened: a clock that is behind the service's does not put it into the future. */
  readonly ago: (instant: string, now: number) => string
  /** Metres or kilometres. */
  readonly distance: (metres: number) => string
  /** `40 seconds`, `7 days`: rounded, in the largest unit of which there are two. */
  readonly duration: (seconds: number) => string
  readonly list: (items: readonly string[]) => string
}

export function createFormat(locale: string): Format {
  // Each is made when it is first used: what a browser takes for them is felt on a phone.
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const shortDate = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }))
  const dateTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const spanOf = once(() => new Intl.RelativeTimeFormat(locale))
  const atOnce = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const numbers = new Map<string, Intl.NumberFormat>()
  const number = (value: number, options: Intl.NumberFormatOptions = {}): string => {
    const key = JSON.stringify(options)
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options)
    numbers.set(key, format)
    return format.format(value)
  }
  // `tomorrow` is a day of the calendar, and a span knows none: only the moment itself has a word of its own.
  const relative = (instant: string, now: number): string => {
    const { value, unit } = roundedSpan(Date.parse(instant) - now)
    return (value === 0 ? atOnce() : spanOf()).format(value, unit)
  }
  const usd = (amount: number): string =>
    number(amount, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 6 })
  return {
    usd,
    // Amounts are whole in millionths: rounded there first, 4.35 stays 4.35.
    cents: (amount) => usd(Math.abs(amount) < 0.1 ? amount : Math.floor(Math.round(amount * 1e6) / 1e4) / 100),
    number,
    percent: (share) => number(share, { style: 'percent', maximumFractionDigits: 0 }),
    date: (instant) => date().format(new Date(instant)),
    shortDate: (instant) => shortDate().format(new Date(instant)),
    dateTime: (instant) => dateTime().format(new Date(instant)),
    relative,
    ago: (instant, now) => relative(instant, Math.max(now, Date.parse(instant))),
    distance: (metres) =>
      metres < 1_000
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

const spans = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const
/** What is short of a whole unit by less than this part of it counts as whole: two days a minute ago are two days. */
const grace = 0.05

/** A span in the largest unit of which there are two, or in minutes from one on: `1 day` may be nearly two. */
export function roundedSpan(ms: number): { readonly value: number; readonly unit: (typeof spans)[number][0] } {
  const whole = (length: number): number => Math.trunc(Math.abs(ms) / length + grace)
  const [unit, length] =
    spans.find(([name, one]) => whole(one) >= (name === 'minute' ? 1 : 2)) ?? (['second', 1_000] as const)
  return { value: Math.sign(ms) * whole(length) + 0, unit }
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
