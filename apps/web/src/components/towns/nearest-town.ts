import { metresBetween, type Point } from '../../lib/geo.ts'
import type { Town, TownIndex } from './town.ts'

/** As far as a town may be to say where a point is. */
const nearM = 50_000

/** The town that is nearest to a point; undefined in the middle of nowhere. */
export function nearestTown(index: TownIndex, point: Point): Town | undefined {
  return nearestOf(
    index.map(({ town }) => town),
    point,
    nearM,
  )
}

/** The nearest of some towns, no farther than that. */
export function nearestOf(towns: readonly Town[], point: Point, withinM: number): Town | undefined {
  let [nearest, least]: [Town | undefined, number] = [undefined, withinM]
  // A degree of latitude is 111 km everywhere: most towns are told to be too far without the sines.
  const mostDegrees = withinM / 110_000
  for (const town of towns) {
    if (Math.abs(town.lat - point.lat) > mostDegrees) continue
    const metres = metresBetween(town, point)
    if (metres <= least) [nearest, least] = [town, metres]
  }
  return nearest
}
