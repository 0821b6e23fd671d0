import { numberTyped } from '../../lib/number-typed.ts'

/** An exact amount as the service reads it; what is no number stays text for the schema to refuse. */
export function decimalTyped(typed: string, locale: string): string {
  return String(numberTyped(typed, locale) ?? '')
}
