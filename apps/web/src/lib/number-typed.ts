/** Signs that only ever part thousands: spaces of every width and the apostrophe. */
const gaps = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g
const plain = /^-?\d+$/
/** `1.000.000`, and `1.000,5` or `1,000.5`: the first sign parts thousands. */
const grouped = /^-?[1-9]\d{0,2}([.,])\d{3}(?:(?:\1\d{3})+|(?:\1\d{3})*(?!\1)[.,]\d+)$/
/** `1,000` or `1.000`: a thousand to some, one to others. */
const either = /^-?[1-9]\d{0,2}([.,])\d{3}$/
const decimal = /^-?\d+[.,]\d+$/

/**
 * A number as people type it in any language of the app, `1000`, `1 000`, `1,000`, `0,5`; undefined for nothing. What
 * is no number, and `1,000` where the comma is the decimal sign of the reader, stay text for the schema to refuse: a
 * guess would be a thousand times off.
 */
export function numberTyped(typed: string, locale: string): number | string | undefined {
  const text = typed.trim().replaceAll(gaps, '')
  if (text === '') return undefined
  if (plain.test(text)) return Number(text)
  const [, sign] = either.exec(text) ?? grouped.exec(text) ?? []
  if (sign === undefined) return decimal.test(text) ? Number(text.replace(',', '.')) : typed
  if (either.test(text) && sign !== signsOf(locale).group) return typed
  return Number(text.replaceAll(sign, '').replace(',', '.'))
}

/**
 * A figure that is measured, such as `40.420` degrees or `1,125 kg`: three digits after the sign are decimals as any
 * others, unless the sign parts thousands for the reader.
 */
export function measureTyped(typed: string, locale: string): number | string | undefined {
  const text = typed.trim()
  const [, sign] = either.exec(text) ?? []
  return sign === undefined || sign === signsOf(locale).group
    ? numberTyped(typed, locale)
    : Number(text.replace(',', '.'))
}

/** Degrees are never thousands. */
export function degreesTyped(typed: string): number | string | undefined {
  const text = typed.trim().replace(',', '.')
  if (text === '') return undefined
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : typed
}

/** A figure as the reader types it, such that it is read as the same: three decimals get a fourth. */
export function typedNumber(value: number, locale: string): string {
  return String(value)
    .replace(/\.\d{3}$/, '$&0')
    .replace('.', signsOf(locale).decimal)
}

function signsOf(locale: string): { readonly group: string; readonly decimal: string } {
  // Spanish begins to part thousands at five digits.
  const parts = new Intl.NumberFormat(locale).formatToParts(-12_345.6)
  const sign = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? ''
  return { group: sign('group'), decimal: sign('decimal') }
}
