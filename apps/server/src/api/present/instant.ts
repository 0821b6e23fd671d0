const dayMs = 86_400_000
const mostDays = 400
const days = new Map<number, string>()
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/**
 * The instant as the wire carries it; equal to `Date.toISOString`. A page of tasks holds sixty instants of a few days,
 * and the text of a day is kept.
 */
export function instant(at: Date): string {
  const time = at.getTime()
  const day = Math.floor(time / dayMs)
  const ms = time - day * dayMs
  const second = Math.floor(ms / 1_000)
  const minute = Math.floor(second / 60)
  const thousandth = ms % 1_000
  const fraction = thousandth === 0 ? '000' : String(thousandth).padStart(3, '0')
  return `${days.get(day) ?? dayText(day, at)}${two[Math.floor(minute / 60)] ?? ''}:${two[minute % 60] ?? ''}:${two[second % 60] ?? ''}.${fraction}Z`
}

function dayText(day: number, at: Date): string {
  const text = at.toISOString().slice(0, -13)
  if (days.size >= mostDays) days.clear()
  days.set(day, text)
  return text
}

export function instantOrNull(at: Date | null): string | null {
  return at === null ? null : instant(at)
}
