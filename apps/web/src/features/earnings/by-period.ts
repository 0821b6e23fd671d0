/** What reached a worker in one span of time. */
export type Period = { readonly start: string; readonly usd: number; readonly count: number }
export const spans = ['month', 'week'] as const
export type Span = (typeof spans)[number]

/**
 * Payments added up by month or week (UTC, weeks begin on Monday), every span from the first to the last with none left
 * out, and empty ones before them up to `least` in all.
 */
export function byPeriod(
  payments: readonly { readonly paid_at: string; readonly payout_usd: number }[],
  span: Span,
  least = 1,
): readonly Period[] {
  if (payments.length === 0) return []
  // In millionths: sums of decimals must not drift.
  const sums = new Map<string, { micros: number; count: number }>()
  for (const { paid_at, payout_usd } of payments) {
    const start = startOf(new Date(paid_at), span).toISOString()
    const sum = sums.get(start) ?? { micros: 0, count: 0 }
    sums.set(start, { micros: sum.micros + Math.round(payout_usd * 1e6), count: sum.count + 1 })
  }
  const starts = [...sums.keys()].sort()
  const [first, last] = [starts[0] ?? '', starts.at(-1) ?? '']
  const periods: Period[] = []
  for (let at = new Date(first); at.toISOString() <= last; at = nextOf(at, span)) {
    const { micros, count } = sums.get(at.toISOString()) ?? { micros: 0, count: 0 }
    periods.push({ start: at.toISOString(), usd: micros / 1e6, count })
  }
  for (let at = new Date(first); periods.length < least;) {
    at = startOf(new Date(at.getTime() - 1), span)
    periods.unshift({ start: at.toISOString(), usd: 0, count: 0 })
  }
  return periods
}

function startOf(at: Date, span: Span): Date {
  if (span === 'month') return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
  const monday = (at.getUTCDay() + 6) % 7
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - monday))
}

function nextOf(at: Date, span: Span): Date {
  return span === 'month'
    ? new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
    : new Date(at.getTime() + 7 * 86_400_000)
}
