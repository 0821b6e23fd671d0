import { roundedSpan } from '../../../lib/format.ts'
import type { Format } from '../../../lib/format.ts'

/** A length of time in the largest unit that it fills at least once. */
export function spanParts(seconds: number): ReturnType<typeof roundedSpan> {
  return roundedSpan(Math.max(0, seconds) * 1_000)
}

/** `3 hours`, as the reader's language writes it. */
export function spanText(format: Format, seconds: number): string {
  const { unit, value } = spanParts(seconds)
  return format.number(value, { style: 'unit', unit, unitDisplay: 'long' })
}

/** Memory in the unit that people compare it in. */
export function memoryText(format: Format, bytes: number): string {
  return format.number(bytes / 1_000_000, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })
}

/** When something was, seen from now; a clock that is behind the service's does not put it into the future. */
export function agoText(format: Format, at: string, now: number): string {
  return format.relative(at, Math.max(now, Date.parse(at)))
}
