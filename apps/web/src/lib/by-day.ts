/** What happened on one day of the reader's calendar. */
export type Day<T> = { readonly key: string; readonly at: string; readonly items: readonly T[] }

/** Groups what comes newest first by the days of this device, in the order it came. */
export function byDay<T>(items: readonly T[], atOf: (item: T) => string): readonly Day<T>[] {
  const days = new Map<string, { readonly at: string; readonly items: T[] }>()
  for (const item of items) {
    const at = atOf(item)
    const key = dayOf(new Date(at))
    const day = days.get(key) ?? { at, items: [] }
    day.items.push(item)
    days.set(key, day)
  }
  return [...days].map(([key, day]) => ({ key, ...day }))
}

/** Whether a moment was today or yesterday, by the calendar of this device. */
export function nearDay(at: string, now: number): 'today' | 'yesterday' | undefined {
  const day = dayOf(new Date(at))
  if (day === dayOf(new Date(now))) return 'today'
  const before = new Date(now)
  before.setDate(before.getDate() - 1)
  return day === dayOf(before) ? 'yesterday' : undefined
}

const dayOf = (at: Date): string => [at.getFullYear(), at.getMonth(), at.getDate()].join('-')
