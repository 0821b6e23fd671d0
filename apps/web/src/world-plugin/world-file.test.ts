import { gunzipSync } from 'node:zlib'
import type { Geometry, Position } from 'geojson'
import { PMTiles, type Source } from 'pmtiles'
import { beforeAll, expect, test } from 'vitest'
import { townRows } from '../towns-plugin/towns-plugin.ts'
import { worldFile } from './world-file.ts'
import { shapesAt } from './world-shapes.ts'

let file: Buffer
let archive: PMTiles
beforeAll(async () => {
  file = await worldFile(await townRows())
  const source: Source = {
    getKey: () => 'world',
    getBytes: (offset, length) =>
      Promise.resolve({ data: new Uint8Array(file.subarray(offset, offset + length)).buffer }),
  }
  archive = new PMTiles(source, undefined, (data) => Promise.resolve(new Uint8Array(gunzipSync(data)).buffer))
})

const textAt = async (z: number, x: number, y: number): Promise<string> =>
  Buffer.from((await archive.getZxy(z, x, y))?.data ?? new ArrayBuffer(0)).toString('utf8')

test('the world comes in at most 3.3 MB, and each of its zooms is there', async () => {
  expect(file.length).toBeLessThan(3_300_000)
  expect(await archive.getHeader()).toMatchObject({ minZoom: 0, maxZoom: 6, tileType: 1 })
  expect(await archive.getMetadata()).toMatchObject({ attribution: expect.stringContaining('GeoNames') as unknown })
})

test('its tiles name land, coast, borders, countries in both languages, and towns', async () => {
  const spain = await textAt(5, 15, 12)
  for (const word of ['earth', 'coast', 'boundaries', 'countries', 'places', 'Spain', 'España', 'Madrid'])
    expect(spain).toContain(word)
  // The South Pacific has nothing to send.
  expect(await archive.getZxy(6, 5, 40)).toBeUndefined()
})

test('West Africa and Siberia are land and the Caspian Sea is water', async () => {
  const { earth } = await shapesAt('110m')
  const isLand = (at: Position): boolean => earth.features.some(({ geometry }) => holds(geometry, at))
  expect(isLand([-1.5, 7])).toBe(true)
  expect(isLand([100, 60])).toBe(true)
  expect(isLand([51, 41.5])).toBe(false)
  expect(isLand([-30, 30])).toBe(false)
})

/** Whether a point is in a polygon, on this turn around the world or the ones beside it. */
function holds(geometry: Geometry, [lng = 0, lat = 0]: Position): boolean {
  const polygons =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  return polygons.some((rings) =>
    [-360, 0, 360].some((turn) => rings.reduce((is, ring) => is !== crosses(ring, lng + turn, lat), false)),
  )
}

/** Whether a line eastward from a point meets a ring an odd number of times. */
function crosses(ring: readonly Position[], lng: number, lat: number): boolean {
  return ring.reduce((is, [x = 0, y = 0], at) => {
    const [px = 0, py = 0] = ring[at - 1] ?? ring.at(-1) ?? []
    return y > lat !== py > lat && lng < ((px - x) * (lat - y)) / (py - y) + x ? !is : is
  }, false)
}
