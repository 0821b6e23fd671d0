import { roundedSpan } from '../../../lib/format.ts'
import type { Format } from '../../../lib/format.ts'

/** A length of time in the largest unit of which there are two, or in minutes from one on. */
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
