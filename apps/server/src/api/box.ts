import { MarketError, type Box } from '@ergon/core'

/**
 * Reads `west,south,east,north`, whose form the schema has seen to.
 * @throws VALIDATION_FAILED where it is no part of the earth
 */
export function readBox(text: string): Box {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = text.split(',').map(Number)
  const isOne = south < north && west !== east && south >= -90 && north <= 90
  if (isOne && [west, east].every((lng) => Math.abs(lng) <= 180)) return { west, south, east, north }
  throw new MarketError('VALIDATION_FAILED', {
    field: 'box',
    constraint: 'west,south,east,north in degrees, with south below north and west not east',
    received: text,
  })
}
