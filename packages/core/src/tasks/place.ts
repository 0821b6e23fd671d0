import type { Category } from '@ergon/contract'

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
const metresPerDegree = 111_320

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
  return { lat: round(middle), lng: round((column + 0.5) * width - 180), radiusM: Math.max(radiusM, Math.round(cellDegrees * metresPerDegree * Math.SQRT1_2)) }
}

const round = (degrees: number): number => Math.round(degrees * 1e4) / 1e4
