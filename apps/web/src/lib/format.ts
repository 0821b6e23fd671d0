import { useMemo } from 'react'
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
  readonly list: (items: readonly string[]) => string
}

export function createFormat(locale: string): Format {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 6 })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return {
    usd: (amount) => money.format(amount),
    number: (value, options) => new Intl.NumberFormat(locale, options).format(value),
    percent: (share) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    date: (instant) => date.format(new Date(instant)),
    dateTime: (instant) => dateTime.format(new Date(instant)),
    relative: (instant, now) => {
      const { value, unit } = roundedSpan(Date.parse(instant) - now)
      return relative.format(value, unit)
    },
    distance: (metres) => new Intl.NumberFormat(locale, metres < 1_000
      ? { style: 'unit', unit: 'meter', maximumFractionDigits: 0 }
      : { style: 'unit', unit: 'kilometer', maximumFractionDigits: metres < 10_000 ? 1 : 0 }).format(metres < 1_000 ? metres : metres / 1_000),
    list: (items) => list.format(items),
  }
}

const spans = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1_000]] as const

/** A span in the largest unit that it fills at least once. */
export function roundedSpan(ms: number): { readonly value: number; readonly unit: (typeof spans)[number][0] } {
  const found = spans.find(([, length]) => Math.abs(ms) >= length) ?? (['second', 1_000] as const)
  return { value: Math.trunc(ms / found[1]), unit: found[0] }
}

export function useFormat(): Format {
  const { locale } = useSpeech()
  return useMemo(() => createFormat(locale), [locale])
}
