import type { ReactNode } from 'react'
import { IntlMessageFormat } from 'intl-messageformat'
import type { Language } from './language.ts'

/** The texts of one part of the app in every language: a key that one language lacks does not compile. */
export type Messages<K extends string = string> = { readonly [L in Language]: { readonly [P in K]: string } }

/** Declares texts in ICU MessageFormat, next to what shows them. */
export function defineMessages<const E extends Readonly<Record<string, string>>>(messages: {
  readonly en: E
  readonly es: { readonly [K in keyof E]: string }
}): Messages<keyof E & string> {
  return messages
}

export type MessageValues = Readonly<Record<string, string | number | boolean | Date>>
export type RichValues = Readonly<
  Record<string, string | number | boolean | Date | ((parts: ReactNode[]) => ReactNode)>
>

const formats = new Map<string, IntlMessageFormat>()

/** Names in braces and nothing that needs a language: most texts. */
const plain = /^[^{}<>'#]*(?:\{\w+\}[^{}<>'#]*)*$/

/**
 * One text in one language. What a language has no say in is filled in without loading its rules, which a phone feels.
 */
export function formatMessage(text: string, locale: string, values: MessageValues = {}): string {
  if (
    plain.test(text) &&
    Object.values(values).every((value) => typeof value === 'string' || typeof value === 'number')
  )
    return text.replaceAll(/\{(\w+)\}/g, (braced, name: string) => String(apart(values[name] ?? braced)))
  const said: unknown = parsed(text, locale).format(allApart(values))
  return Array.isArray(said) ? said.join('') : String(said)
}

/** As {@link formatMessage}, with tags that become elements. */
export function formatRich(text: string, locale: string, values: RichValues): ReactNode {
  return parsed(text, locale).format<ReactNode>(allApart(values))
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** What is written from right to left does not turn the sentence around it (Unicode UAX #9, isolates). */
const apart = <T>(value: T): T | string =>
  typeof value === 'string' && rightToLeft.test(value) ? `\u2068${value}\u2069` : value

const allApart = <T>(values: Readonly<Record<string, T>>): Record<string, T | string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, apart(value)]))

/**
 * Loads the browser's rules of languages while it waits for the network; the first text that needs them would stand
 * still for it.
 */
export function warmUp(locale: string): void {
  parsed('{n, plural, other {#}}', locale).format({ n: 1 })
}

function parsed(text: string, locale: string): IntlMessageFormat {
  const key = `${locale}\n${text}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new IntlMessageFormat(text, locale)
  formats.set(key, format)
  return format
}
