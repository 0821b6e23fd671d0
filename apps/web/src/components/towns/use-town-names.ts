import { useMemo } from 'react'
import { useSpeech } from '../../lib/i18n.tsx'
import type { FoundTown } from './search-towns.ts'
import type { Town } from './town.ts'

export type TownNames = {
  readonly country: (code: string) => string
  /** `Lisbon, Portugal`. */
  readonly town: (town: Town) => string
  readonly found: (found: FoundTown) => string
}

/** Towns with their country in the reader's language. */
export function useTownNames(): TownNames {
  const { locale } = useSpeech()
  return useMemo(() => {
    let names: Intl.DisplayNames | undefined
    const kept = new Map<string, string>()
    const country = (code: string): string => {
      names ??= new Intl.DisplayNames(locale, { type: 'region' })
      const name = kept.get(code) ?? names.of(code) ?? code
      kept.set(code, name)
      return name
    }
    const town = ({ name, country: code }: Town): string => `${name}, ${country(code)}`
    return {
      country,
      town,
      found: ({ town: one, by }) => (by === undefined ? town(one) : `${one.name} (${by}), ${country(one.country)}`),
    }
  }, [locale])
}
