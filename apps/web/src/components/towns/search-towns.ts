import { folded } from './fold.ts'
import { nearestOf } from './nearest-town.ts'
import type { Town, TownIndex } from './town.ts'

/**
 * A town that was found; `by` is the other spelling that fits when its own name does not, `beside` the larger town that
 * tells it from its namesakes.
 */
export type FoundTown = { readonly town: Town; readonly by: string | undefined; readonly beside: Town | undefined }

export function indexTowns(towns: readonly Town[]): TownIndex {
  return towns.map((town) => ({ town, keys: [folded(town.name), ...town.others.map(folded)] }))
}

/**
 * The towns that a text may mean: those called just so, then those whose name begins with it, then those with a later
 * word that does; in each the larger before the smaller. An other spelling counts as much as a name only when it is
 * whole: many a large town was once called like a smaller one. What follows a comma narrows by country, in the
 * words that the reader sees.
 */
export function searchTowns(
  index: TownIndex,
  typed: string,
  most: number,
  countryName: (code: string) => string,
): readonly FoundTown[] {
  const [name = '', ...behind] = typed.split(',')
  const [query, country] = [folded(name), folded(behind.join(' '))]
  if (query === '') return []
  const ranked: readonly FoundTown[][] = Array.from({ length: ranks }, () => [])
  for (const { town, keys } of index) {
    const fit = fitOf(keys, query)
    const rank = fit === undefined ? undefined : ranked[fit.rank]
    if (
      fit === undefined ||
      rank === undefined ||
      rank.length >= most ||
      (country !== '' && !isCountry(country, town, countryName))
    )
      continue
    rank.push({ town, by: town.others[fit.key - 1], beside: undefined })
  }
  return toldApart(ranked.flat().slice(0, most), index)
}

const ranks = 4

/** How well the best of a town's names fits, the first of which is its own. */
function fitOf(keys: readonly string[], query: string): { readonly rank: number; readonly key: number } | undefined {
  const [own = ''] = keys
  if (own.startsWith(query)) return { rank: own.length === query.length ? 0 : 1, key: 0 }
  if (!keys.some((key) => key.includes(query))) return undefined
  const whole = keys.indexOf(query)
  if (whole > 0) return { rank: 1, key: whole }
  const begun = keys.findIndex((key) => key.startsWith(query))
  if (begun > 0) return { rank: 2, key: begun }
  const inside = keys.findIndex((key) => key.includes(` ${query}`))
  return inside < 0 ? undefined : { rank: 3, key: inside }
}

function isCountry(typed: string, { country }: Town, countryName: (code: string) => string): boolean {
  return (
    country.toLowerCase() === typed ||
    folded(countryName(country))
      .split(' ')
      .some((_, word, words) => words.slice(word).join(' ').startsWith(typed))
  )
}

/** Farther than this a town says nothing of where another is. */
const besideM = 150_000
/** Those that many people have heard of. */
const knownTowns = 3_000

/** Of several towns with one name in one country, each with the nearest well-known town that is larger. */
function toldApart(found: readonly FoundTown[], index: TownIndex): readonly FoundTown[] {
  const times = Map.groupBy(found, ({ town }) => `${town.country} ${folded(town.name)}`)
  return found.map((one) => {
    const isAlone = times.get(`${one.town.country} ${folded(one.town.name)}`)?.length === 1
    if (isAlone) return one
    const own = index.findIndex(({ town }) => town === one.town)
    return {
      ...one,
      beside: nearestOf(
        index
          .slice(0, Math.min(own, knownTowns))
          .map(({ town }) => town)
          .filter(({ name }) => name !== one.town.name),
        one.town,
        besideM,
      ),
    }
  })
}
