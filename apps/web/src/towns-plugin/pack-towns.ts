import { folded } from '../components/towns/fold.ts'
import { betweenOthers, leastInhabitants, type TownRow } from '../components/towns/town.ts'

/** From so many on a town has names in other languages that people type, such as `Lisboa`, `Londres`, `Cologne`. */
const leastForNames = 200_000
/** Destroyed, abandoned and historical places. */
const pastPlaces = /^PPL[HQW]$/
/** Spellings in the letters of the app's languages; what is written out of another alphabet mostly has apostrophes. */
const typable = /^[A-ZÁÉÍÓÚÜÑ][A-Za-zÁÉÍÓÚÜÑáéíóúüñ .-]{2,23}$/

/** Packs the lines of GeoNames (its `readme.txt` names the columns), the largest town first. */
export function packTowns(lines: string): readonly TownRow[] {
  return lines
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(
      ([, name, , , , , , kind = '', country]) => name !== undefined && country?.length === 2 && !pastPlaces.test(kind),
    )
    .map((columns) => ({ inhabitants: Number(columns[14]), columns }))
    .filter(({ inhabitants }) => inhabitants >= leastInhabitants)
    .toSorted((one, other) => other.inhabitants - one.inhabitants)
    .map(({ columns, inhabitants }) => rowOf(columns, inhabitants))
}

function rowOf(
  [, name = '', ascii = '', names = '', lat, lng, , kind, country = '']: readonly string[],
  inhabitants: number,
): TownRow {
  const own = folded(name)
  const foreign =
    inhabitants >= leastForNames || kind === 'PPLC' ? names.split(',').filter((one) => typable.test(one)) : []
  // What the own name begins with is found by it.
  const others = [...new Map([ascii, ...foreign].map((one) => [folded(one), one]))]
    .filter(([key]) => !own.startsWith(key))
    .map(([, one]) => one)
  const row = [name, country, Math.round(Number(lat) * 1_000), Math.round(Number(lng) * 1_000)] as const
  return others.length === 0 ? row : [...row, others.join(betweenOthers)]
}
