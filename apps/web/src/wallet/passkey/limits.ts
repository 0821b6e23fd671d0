import { dollarsTyped } from '../../lib/number-typed.ts'

/** What the wallet may pay; atomic units of six decimals, as text, because a store knows no bigint everywhere. */
export type Limits = { readonly perPaymentAtomic: string; readonly perDayAtomic: string }

export type Spent = { readonly at: number; readonly atomic: string }

/** The escrow takes at most 100 dollars a task. */
export const firstLimits: Limits = { perPaymentAtomic: '100000000', perDayAtomic: '200000000' }

export const dayMs = 86_400_000
/** As many payments as are remembered; the oldest of a day cannot fall out before the day is full. */
export const mostRemembered = 500

export type Verdict =
  | { readonly kind: 'within'; readonly spent: readonly Spent[] }
  | { readonly kind: 'perPayment' | 'perDay'; readonly limit: bigint }

/** Whether one more payment is within the limits, and what is remembered then. A day is the last 24 hours. */
export function weigh(limits: Limits, spent: readonly Spent[], atomic: bigint, now: number): Verdict {
  const [perPayment, perDay] = [BigInt(limits.perPaymentAtomic), BigInt(limits.perDayAtomic)]
  if (atomic > perPayment) return { kind: 'perPayment', limit: perPayment }
  // What lies ahead counts as well: a clock that was set back gives no second day.
  const ofDay = spent.filter(({ at }) => at > now - dayMs)
  const sum = ofDay.reduce((total, one) => total + BigInt(one.atomic), 0n)
  if (sum + atomic > perDay || ofDay.length >= mostRemembered) return { kind: 'perDay', limit: perDay }
  return { kind: 'within', spent: [...ofDay, { at: now, atomic: atomic.toString() }] }
}

const mostDollars = 999_999_999

/** Dollars as people type them, in atomic units; undefined for what is no amount, or another one to other readers. */
export function atomicOf(typed: string, locale: string): bigint | undefined {
  const usd = dollarsTyped(typed, locale)
  if (typeof usd !== 'number' || usd < 0 || usd > mostDollars) return undefined
  const exact = usd.toFixed(6)
  return Number(exact) === usd ? BigInt(exact.replace('.', '')) : undefined
}

/** Atomic units as dollars and every digit of them, with the signs of the reader: `1.479` is a thousand to some. */
export function dollarsOf(atomic: bigint, locale: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  })
  return format.format(Number(atomic) / 1e6)
}
