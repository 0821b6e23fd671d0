import Supercluster from 'supercluster'
import type { Point } from '../../lib/geo.ts'

/** Points that would cover one another, as one; `opensAt` is the zoom at which they come apart. */
export type Cluster<T extends Point> = Point & {
  readonly key: string
  readonly members: readonly T[]
  readonly opensAt: number
}

/** Buttons are 44 px wide and carry an amount; nearer than this they would overlap. */
const radiusPx = 60
export const clusterMaxZoom = 18
const wholeEarth: [number, number, number, number] = [-180, -90, 180, 90]

/** Answers for each zoom which points are seen as one, each in the middle of its members. */
export function clusterPoints<T extends Point & { readonly id: string }>(
  points: readonly T[],
): (zoom: number) => readonly Cluster<T>[] {
  const index = new Supercluster<{ readonly of: T }>({ radius: radiusPx, maxZoom: clusterMaxZoom })
  index.load(
    points.map((of) => ({
      type: 'Feature',
      properties: { of },
      geometry: { type: 'Point', coordinates: [of.lng, of.lat] },
    })),
  )
  return (zoom) =>
    index.getClusters(wholeEarth, Math.floor(zoom)).map(({ properties, geometry: { coordinates } }) => {
      const [lng = 0, lat = 0] = coordinates
      if (!('cluster' in properties))
        return { key: properties.of.id, lat, lng, members: [properties.of], opensAt: clusterMaxZoom }
      const { cluster_id: id } = properties
      const members = index.getLeaves(id, Infinity).map((leaf) => leaf.properties.of)
      return { key: keyOf(members), lat, lng, members, opensAt: index.getClusterExpansionZoom(id) }
    })
}

const keyOf = (members: readonly { readonly id: string }[]): string =>
  members
    .map(({ id }) => id)
    .toSorted()
    .join(' ')
