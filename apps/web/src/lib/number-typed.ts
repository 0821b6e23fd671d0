/** Signs that only ever part thousands: spaces of every width and the apostrophe. */
const gaps = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g
const plain = /^-?\d+$/
/** `1.000.000`, and `1.000,5` or `1,000.5`: the first sign parts thousands. */
const grouped = /^-?[1-9]\d{0,2}([.,])\d{3}(?:(?:\1\d{3})+|(?:\1\d{3})*(?!\1)[.,]\d+)$/
/** `1,000` or `1.000`: a thousand to some, one to others. */
const either = /^-?[1-9]\d{0,2}([.,])\d{3}$/
const decimal = /^-?\d+[.,]\d+$/
/** The signs of Arabic and Persian keyboards, of which each has one meaning. */
const arabic = /^-?(?:\d+|[1-9]\d{0,2}(?:٬\d{3})+)(?:٫\d+)?$/
/** The noughts of keyboards whose figures are not those of ASCII. */
const noughts = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0xff_10] as const
/** How dollars are called beside a figure, here and where an amount is copied from. */
const [dollarsBefore, dollarsAfter] = [/^(?:US\$|USDC?|\$)\s*/i, /\s*(?:US\$|USDC?|\$)$/i]

/**
 * A number as people type it in any language of the app, `1000`, `1 000`, `1,000`, `0,5`; undefined for nothing. What
 * is no number, and `1,000` where the comma is the decimal sign of the reader, stay text for the schema to refuse: a
 * guess would be a thousand times off.
 */
export function numberTyped(typed: string, locale: string): number | string | undefined {
  const text = inAscii(typed).trim().replaceAll(gaps, '')
  if (text === '') return undefined
  if (plain.test(text)) return Number(text)
  if (arabic.test(text)) return Number(text.replaceAll('٬', '').replace('٫', '.'))
  const [, sign] = either.exec(text) ?? grouped.exec(text) ?? []
  if (sign === undefined) return decimal.test(text) ? Number(text.replace(',', '.')) : typed
  if (either.test(text) && sign !== signsOf(locale).group) return typed
  return Number(text.replaceAll(sign, '').replace(',', '.'))
}

/**
 * An amount of a file, which says nothing of who wrote it: `1,000` is a thousand where it was written in English and
 * one where it was not, so that it is left as text for the schema to refuse.
 */
export function numberOfFile(written: string, locale: string): number | string | undefined {
  return either.test(inAscii(written).trim()) ? written : dollarsTyped(written, locale)
}

/** An amount in dollars, with or without their name: what the app shows can be pasted. */
export function dollarsTyped(typed: string, locale: string): number | string | undefined {
  const read = numberTyped(typed.trim().replace(dollarsBefore, '').replace(dollarsAfter, ''), locale)
  return typeof read === 'string' ? typed : read
}

/**
 * An exact amount as text, as the service reads it. What is no number, or another one to other readers as `1.000` is,
 * becomes what a schema refuses: left as it was typed, the service would read it in its own way.
 */
export function decimalTyped(typed: string, locale: string): string {
  const read = dollarsTyped(typed, locale)
  return read === undefined ? '' : String(typeof read === 'number' ? read : Number.NaN)
}

/**
 * A figure that is measured, such as `40.420` degrees or `1,125 kg`: three digits after the sign are decimals as any
 * others, unless the sign parts thousands for the reader.
 */
export function measureTyped(typed: string, locale: string): number | string | undefined {
  const text = inAscii(typed).trim()
  const [, sign] = either.exec(text) ?? []
  return sign === undefined || sign === signsOf(locale).group
    ? numberTyped(typed, locale)
    : Number(text.replace(',', '.'))
}

/** Degrees are never thousands. */
export function degreesTyped(typed: string): number | string | undefined {
  const text = inAscii(typed).trim().replace(/[,٫]/, '.')
  if (text === '') return undefined
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : typed
}

/** A figure as the reader types it, such that it is read as the same: three decimals get a fourth. */
export function typedNumber(value: number, locale: string): string {
  return String(value)
    .replace(/\.\d{3}$/, '$&0')
    .replace('.', signsOf(locale).decimal)
}

/** Figures of other scripts as those of ASCII, and the wide signs that go with the wide ones. */
function inAscii(typed: string): string {
  return typed
    .replaceAll(/\p{Nd}/gu, (figure) => {
      const code = figure.codePointAt(0) ?? 0
      const nought = noughts.find((one) => code >= one && code <= one + 9)
      return nought === undefined ? figure : String(code - nought)
    })
    .replaceAll('．', '.')
    .replaceAll('，', ',')
}

function signsOf(locale: string): { readonly group: string; readonly decimal: string } {
  // Spanish begins to part thousands at five digits.
  const parts = new Intl.NumberFormat(locale).formatToParts(-12_345.6)
  const sign = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? ''
  return { group: sign('group'), decimal: sign('decimal') }
}
