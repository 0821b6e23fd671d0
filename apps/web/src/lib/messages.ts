import type { ReactNode } from 'react'
import { tamed } from '@ergon/contract/facts'
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

/**
 * The text of a key. A newer service has values that this page has no words for: then the value itself is said, and the
 * screen is drawn all the same.
 */
export function textOf<K extends string>(texts: Readonly<Record<K, string>>, key: K): string {
  if (Object.hasOwn(texts, key)) return texts[key]
  const last = key.split('.').at(-1) ?? ''
  return last.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

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

/** Letters and unseen marks that are read from right to left. */
const rightToLeft = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const isolates = /[\u2066-\u2069]/g

/** What people write does not turn the sentence around it (Unicode UAX #9, isolates). */
const apart = <T>(value: T): T | string => {
  if (typeof value !== 'string') return value
  const text = balanced(tamed(value))
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text
}

/** Each isolate is ended where the text ends, and ends none that began before it. */
function balanced(text: string): string {
  let open = 0
  const kept = text.replaceAll(isolates, (sign) => {
    if (sign !== '\u2069') open += 1
    else if (open === 0) return ''
    else open -= 1
    return sign
  })
  return kept + '\u2069'.repeat(open)
}

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
