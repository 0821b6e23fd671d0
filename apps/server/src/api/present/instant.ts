const dayMs = 86_400_000
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
let known = { day: Number.NaN, text: '' }

/**
 * The instant as the wire carries it; equal to `Date.toISOString`. A page of tasks holds sixty instants, and instants
 * of one page mostly share their day, whose text is kept.
 */
export function instant(at: Date): string {
  const time = at.getTime()
  const day = Math.floor(time / dayMs)
  if (day !== known.day) known = { day, text: at.toISOString().slice(0, -13) }
  const ms = time - day * dayMs
  const second = Math.floor(ms / 1_000)
  const minute = Math.floor(second / 60)
  const hour = Math.floor(minute / 60)
  return `${known.text}${two[hour] ?? ''}:${two[minute % 60] ?? ''}:${two[second % 60] ?? ''}.${String(ms % 1_000).padStart(3, '0')}Z`
}

export function instantOrNull(at: Date | null): string | null {
  return at === null ? null : instant(at)
}
