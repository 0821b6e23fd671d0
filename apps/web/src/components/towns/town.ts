import type { Point } from '../../lib/geo.ts'

/** A town; `country` is its code (ISO 3166), `others` are further spellings that people know it by. */
export type Town = Point & { readonly name: string; readonly country: string; readonly others: readonly string[] }

/** Towns with their names as they are compared, the largest first. */
export type TownIndex = readonly { readonly town: Town; readonly keys: readonly string[] }[]

/** A town in the file of the build: thousandths of a degree, and the other spellings in one text. */
export type TownRow = readonly [name: string, country: string, lat: number, lng: number, others?: string]

/** The file of the build; the largest town comes first. */
export type TownsFile = { readonly source: string; readonly towns: readonly TownRow[] }

/** With fewer inhabitants a town is not in the file, which would be too large for a phone. */
export const leastInhabitants = 15_000

/** Separates spellings; no name holds it. */
export const betweenOthers = '|'

export function townOf([name, country, lat, lng, others]: TownRow): Town {
  return {
    name,
    country,
    lat: lat / 1_000,
    lng: lng / 1_000,
    others: others === undefined ? [] : others.split(betweenOthers),
  }
}
