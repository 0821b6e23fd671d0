import type { Language } from '../../lib/language.ts'

/** What an error means to a person, and what to do about it now. */
export type ErrorText = { readonly says: string; readonly doNow: string }

/** One error in every language: what it means, what to do. */
export type ErrorRow = { readonly [L in Language]: readonly [says: string, doNow: string] }

export function errorTextOf(row: ErrorRow, language: Language): ErrorText {
  const [says, doNow] = row[language]
  return { says, doNow }
}
