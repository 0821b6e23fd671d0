/** A position as a device said it. */
export type Fix = { readonly lat: number; readonly lng: number; readonly accuracyM?: number; readonly at?: string }

/** The position that a piece of evidence is, or undefined when it is anything else. */
export function readFix(value: unknown): Fix | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const said = value as Readonly<Record<string, unknown>>
  const { lat, lng, accuracy_meters: accuracy, timestamp } = said
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return {
    lat,
    lng,
    ...(typeof accuracy === 'number' ? { accuracyM: accuracy } : {}),
    ...(typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? { at: timestamp } : {}),
  }
}

const earthM = 6_371_008.8
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The way between two points along the surface, in metres (haversine). */
export function metresBetween(one: Pick<Fix, 'lat' | 'lng'>, other: Pick<Fix, 'lat' | 'lng'>): number {
  const half =
    Math.sin(radians(other.lat - one.lat) / 2) ** 2 +
    Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * Math.sin(radians(other.lng - one.lng) / 2) ** 2
  return 2 * earthM * Math.asin(Math.min(1, Math.sqrt(half)))
}
