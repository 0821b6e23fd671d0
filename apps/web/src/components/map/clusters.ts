import type { Point } from '../../lib/geo.ts'

/** Points that would cover one another, as one. */
export type Cluster<T extends Point> = Point & { readonly key: string; readonly members: readonly T[] }

/** Width of the world in pixels at zoom 0. */
const worldPx = 512
/** Buttons are 44 px wide; nearer than this they would overlap. */
const cellPx = 60

/**
 * Puts points together that lie in the same square of the screen at a zoom; each cluster stands in the middle of its
 * members.
 */
export function clustersAt<T extends Point & { readonly id: string }>(
  points: readonly T[],
  zoom: number,
): readonly Cluster<T>[] {
  const scale = (worldPx * 2 ** zoom) / cellPx
  const cells = Map.groupBy(
    points,
    ({ lat, lng }) => `${Math.floor(eastOf(lng) * scale)}:${Math.floor(southOf(lat) * scale)}`,
  )
  return [...cells.values()].map((members) => ({
    key: members
      .map(({ id }) => id)
      .toSorted()
      .join(' '),
    lat: mean(members.map(({ lat }) => lat)),
    lng: mean(members.map(({ lng }) => lng)),
    members,
  }))
}

const eastOf = (lng: number): number => (lng + 180) / 360

/** Web Mercator from north to south, 0 to 1. */
function southOf(lat: number): number {
  const bounded = Math.max(-85.05, Math.min(85.05, lat))
  return 0.5 - Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360)) / (2 * Math.PI)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
