/** A point on the earth in degrees (WGS 84). */
export type Point = { readonly lat: number; readonly lng: number }

const earthRadiusM = 6_371_008.8
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The way between two points over the ground, in metres. */
export function metresBetween(one: Point, other: Point): number {
  const half =
    Math.sin(radians(other.lat - one.lat) / 2) ** 2 +
    Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * Math.sin(radians(other.lng - one.lng) / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** Reads `19.4326,-99.1332`; undefined for what names no point. */
export function readPoint(text: string | undefined): Point | undefined {
  const [, lat, lng] = /^(-?\d{1,2}(?:\.\d{1,8})?),(-?\d{1,3}(?:\.\d{1,8})?)$/.exec(text ?? '') ?? []
  const point = { lat: Number(lat), lng: Number(lng) }
  return lat !== undefined && lng !== undefined && Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180
    ? point
    : undefined
}

/**
 * A point as an address carries it, to three digits: about 100 m, so that a link that is passed on gives no front door
 * away.
 */
export function writePoint({ lat, lng }: Point): string {
  return `${lat.toFixed(3)},${lng.toFixed(3)}`
}

/** A circle on the ground as a closed ring of [lng, lat], for drawing. */
export function ringAround({ lat, lng }: Point, radiusM: number, corners = 64): [number, number][] {
  const angular = radiusM / earthRadiusM
  return Array.from({ length: corners + 1 }, (_, corner) => {
    const bearing = (2 * Math.PI * (corner % corners)) / corners
    const at = Math.asin(
      Math.sin(radians(lat)) * Math.cos(angular) + Math.cos(radians(lat)) * Math.sin(angular) * Math.cos(bearing),
    )
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angular) * Math.cos(radians(lat)),
      Math.cos(angular) - Math.sin(radians(lat)) * Math.sin(at),
    )
    return [lng + (east * 180) / Math.PI, (at * 180) / Math.PI]
  })
}

/**
 * A point as maps and search fields take it in any language; a decimal comma would run into the one between the two.
 */
export function coordinatesOf({ lat, lng }: Point): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`
}

/** A part of the earth in degrees; one that reaches over the 180th meridian ends west of where it begins. */
export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }

/** Reads `west,south,east,north`; undefined for what is no box. */
export function readBox(text: string | undefined): Box | undefined {
  const parts = (text ?? '').split(',')
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts.map((part) =>
    /^-?\d{1,3}(?:\.\d{1,8})?$/.test(part) ? Number(part) : NaN,
  )
  const isOne = parts.length === 4 && south < north && [south, north].every((lat) => Math.abs(lat) <= 90)
  return isOne && west !== east && [west, east].every((lng) => Math.abs(lng) <= 180)
    ? { west, south, east, north }
    : undefined
}

/** A box as an address carries it, to three digits; what a map shows beyond once around the earth is all of it. */
export function writeBox({ west, south, east, north }: Box): string {
  const lngs = east - west >= 360 ? [-180, 180] : [turned(west), turned(east)]
  const lats = [Math.max(-90, south), Math.min(90, north)]
  return [lngs[0], lats[0], lngs[1], lats[1]].map((degrees) => (degrees ?? 0).toFixed(3)).join(',')
}

const turned = (lng: number): number => (lng >= -180 && lng <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180)

/** The smallest box that holds everything within so many metres; at a pole it goes around the earth. */
export function boxAround({ lat, lng }: Point, metres: number): Box {
  const up = (metres / earthRadiusM) * (180 / Math.PI)
  const [south, north] = [Math.max(-90, lat - up), Math.min(90, lat + up)]
  const narrow = Math.cos(radians(Math.max(Math.abs(south), Math.abs(north))))
  const aside = narrow < 1e-6 ? 180 : Math.min(180, up / narrow)
  return { west: lng - aside, south, east: lng + aside, north }
}
