import type { FeatureCollection, Geometry, Position } from 'geojson'

const southPole = -90

/** Lines that cross the 180th meridian, continued beyond it instead of running back around the world. */
export function unwrapped(features: FeatureCollection): FeatureCollection {
  return {
    ...features,
    features: features.features.map((feature) => ({ ...feature, geometry: geometryUnwrapped(feature.geometry) })),
  }
}

function geometryUnwrapped(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case 'Polygon':
      return { ...geometry, coordinates: polygonUnwrapped(geometry.coordinates) }
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map(polygonUnwrapped) }
    case 'LineString':
      return { ...geometry, coordinates: lineUnwrapped(geometry.coordinates) }
    case 'MultiLineString':
      return { ...geometry, coordinates: geometry.coordinates.map(lineUnwrapped) }
    default:
      return geometry
  }
}

/** A hole stays within the land around it, on whichever side of the meridian that begins: the Caspian Sea is one. */
function polygonUnwrapped([outer = [], ...holes]: readonly Position[][]): Position[][] {
  const land = ringUnwrapped(outer)
  const west = land.reduce((least, [lng = 0]) => Math.min(least, lng), Infinity)
  const within = (hole: readonly Position[]): Position[] => {
    const ring = ringUnwrapped(hole)
    const turns = Math.ceil((west - ring.reduce((least, [lng = 0]) => Math.min(least, lng), Infinity)) / 360) * 360
    return turns === 0 ? ring : ring.map(([lng = 0, lat = 0]) => [lng + turns, lat])
  }
  return [land, ...holes.map(within)]
}

function lineUnwrapped(line: readonly Position[]): Position[] {
  let turns = 0
  let last: number | undefined
  return line.map(([lng = 0, lat = 0]) => {
    if (last !== undefined && lng - last > 180) turns -= 360
    if (last !== undefined && lng - last < -180) turns += 360
    last = lng
    return [lng + turns, lat]
  })
}

/** A ring that goes once around the world lies around a pole; of the two only the south has land. */
export function ringUnwrapped(ring: readonly Position[]): Position[] {
  const line = lineUnwrapped(ring)
  const [from, to] = [line[0]?.[0] ?? 0, line.at(-1)?.[0] ?? 0]
  return Math.abs(to - from) < 180 ? line : [...line, [to, southPole], [from, southPole], line[0] ?? [from, southPole]]
}
