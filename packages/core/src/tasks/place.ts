import type { Category } from '@ergon/contract'

/** A place as a viewer may know it: the point and its radius, or the area around it. */
export type ShownPlace = TaskPlace & { readonly precision: 'exact' | 'area' }

/** Where a task has to be done: a point and the radius around it that counts, in metres. */
export type TaskPlace = { readonly lat: number; readonly lng: number; readonly radiusM: number }

/** What everybody may know of a place: the middle of a cell of about two kilometres, and how far its corner is. */
export type PublicArea = { readonly lat: number; readonly lng: number; readonly radiusM: number }

const defaultRadiusM = 500
const simpleActionRadiusM = 1_000

/** The radius where the publisher names none. */
export function radiusOf(category: Category): number {
  return category === 'simple_action' ? simpleActionRadiusM : defaultRadiusM
}

/** Degrees of latitude of one cell; about 2.2 km. */
const cellDegrees = 0.02

/**
 * The area of a place, coarse enough that it tells a quarter and no address. Cells get wider in degrees towards the
 * poles, so that they stay about as wide in metres. Two places in one cell have the same area.
 */
export function publicArea({ lat, lng, radiusM }: TaskPlace): PublicArea {
  const row = Math.min(Math.floor((lat + 90) / cellDegrees), 180 / cellDegrees - 1)
  const middle = (row + 0.5) * cellDegrees - 90
  const columns = Math.max(1, Math.floor((360 / cellDegrees) * Math.cos((middle * Math.PI) / 180)))
  const width = 360 / columns
  const column = Math.min(Math.floor((lng + 180) / width), columns - 1)
  const centre = { lat: round(middle), lng: round((column + 0.5) * width - 180) }
  const corners = [-0.5, 0.5].map((side) => ({ lat: middle + side * cellDegrees, lng: (column + 1) * width - 180 }))
  const reach = Math.ceil(Math.max(...corners.map((corner) => metresBetween(centre, corner)))) + roundingM
  return { ...centre, radiusM: Math.max(radiusM, reach) }
}

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4
/** What rounding the centre to four digits may move it, at the most. */
const roundingM = 12

const earthM = 6_371_000
const radians = Math.PI / 180

/** Great-circle distance on a sphere, in metres; within half a per cent of the ellipsoid's. */
export function metresBetween(
  a: { readonly lat: number; readonly lng: number },
  b: { readonly lat: number; readonly lng: number },
): number {
  const h =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lng - a.lng) * radians) / 2) ** 2
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(h)))
}
