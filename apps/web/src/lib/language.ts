import { onDevice } from './kept.ts'

/** The languages of the app; every text exists in each. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

const storageKey = 'ergon.language'

/** What was chosen, else the first language of the browser that the app speaks, else English. */
export function initialLanguage(stored: string | null, preferred: readonly string[]): Language {
  return (
    languages.find((one) => one === stored) ??
    preferred
      .map((tag) => languages.find((one) => tag.toLowerCase().split('-')[0] === one))
      .find((one) => one !== undefined) ??
    'en'
  )
}

/** The locale for dates and money: the browser's own variant of the language where it has one. */
export function localeOf(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language
}

export function readLanguage(): Language {
  return initialLanguage(onDevice.read(storageKey), navigator.languages)
}

/** Of the language that is read, outside of what React draws. */
export const readLocale = (): string => localeOf(readLanguage(), navigator.languages)

export function keepLanguage(language: Language): void {
  onDevice.keep(storageKey, language)
}
