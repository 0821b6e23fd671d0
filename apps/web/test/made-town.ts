import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { zxyToTileId } from 'pmtiles'
import { packed, pmtilesFile, type PackedTile } from '../src/world-plugin/pmtiles-file.ts'

const streets = 17
/** About 110 m from one street to the next. */
const step = 0.001
export const townAt = { lat: 40.4203, lng: -3.6889 } as const
const [west, south] = [townAt.lng - (step * (streets - 1)) / 2, townAt.lat - (step * (streets - 1)) / 2]
const [east, north] = [west + step * (streets - 1), south + step * (streets - 1)]
const zooms = [10, 11, 12, 13, 14, 15] as const

/** A town that nobody lives in, in the schema of Protomaps: a map of streets without a licence or a download. */
export function madeTown(): Buffer {
  const layers = Object.entries({
    earth: [shape({ kind: 'earth' }, square(west - 0.05, south - 0.05, east + 0.05, north + 0.05))],
    landuse: [
      shape(
        { kind: 'park', min_zoom: 10 },
        square(west + 3 * step, south + 3 * step, west + 6 * step, south + 7 * step),
      ),
    ],
    water: [
      shape(
        { kind: 'lake', min_zoom: 10 },
        square(west + 11 * step, south + 10 * step, west + 13 * step, south + 12 * step),
      ),
    ],
    roads: roads(),
    buildings: houses(),
    places: [
      shape(
        { kind: 'locality', name: 'Villa Inventada', population_rank: 9, min_zoom: 7, sort_key: 1 },
        { type: 'Point', coordinates: [townAt.lng, townAt.lat] },
      ),
    ],
  }).map(([name, features]) => [name, cut({ type: 'FeatureCollection', features })] as const)
  const tiles = zooms.flatMap((z) => {
    const [left, right] = [columnOf(west - 0.05, z), columnOf(east + 0.05, z)]
    const [top, bottom] = [rowOf(north + 0.05, z), rowOf(south - 0.05, z)]
    const found: PackedTile[] = []
    for (let x = left; x <= right; x += 1)
      for (let y = top; y <= bottom; y += 1) {
        const cuts = layers.flatMap(([name, layer]) => {
          const tile = layer.getTile(z, x, y)
          return tile === null || tile.features.length === 0 ? [] : [[name, tile] as const]
        })
        if (cuts.length > 0)
          found.push({
            id: zxyToTileId(z, x, y),
            bytes: packed(fromGeojsonVt(Object.fromEntries(cuts), { version: 2, extent: 4_096 })),
          })
      }
    return found
  })
  return pmtilesFile(tiles, {
    minZoom: 10,
    maxZoom: 15,
    bounds: [west - 0.05, south - 0.05, east + 0.05, north + 0.05],
    metadata: { name: 'Villa Inventada', attribution: '<a href="https://x.test">&copy; OpenStreetMap</a>' },
  })
}

function roads(): Feature[] {
  return Array.from({ length: streets }, (_, at) => at).flatMap((at) => {
    const isMajor = at % 8 === 0
    const kind = isMajor ? 'major_road' : 'minor_road'
    const facts = { kind, kind_detail: isMajor ? 'primary' : 'residential', min_zoom: isMajor ? 9 : 12 }
    return [
      shape(
        { ...facts, name: `Calle ${String(at + 1)}` },
        {
          type: 'LineString',
          coordinates: [
            [west, south + at * step],
            [east, south + at * step],
          ],
        },
      ),
      shape(
        { ...facts, name: `Avenida ${String(at + 1)}` },
        {
          type: 'LineString',
          coordinates: [
            [west + at * step, south],
            [west + at * step, north],
          ],
        },
      ),
    ]
  })
}

/** Three houses in each block, but for the park and the lake. */
function houses(): Feature[] {
  return Array.from(
    { length: (streets - 1) ** 2 },
    (_, at) => [at % (streets - 1), Math.floor(at / (streets - 1))] as const,
  )
    .filter(([x = 0, y = 0]) => !(x >= 3 && x < 6 && y >= 3 && y < 7) && !(x >= 11 && x < 13 && y >= 10 && y < 12))
    .flatMap(([x = 0, y = 0]) =>
      [0.15, 0.42, 0.69].map((from) => {
        const [left, low] = [west + (x + from) * step, south + (y + 0.2) * step]
        return shape({ kind: 'building', height: 9 }, square(left, low, left + 0.2 * step, low + 0.55 * step))
      }),
    )
}

const shape = (properties: Readonly<Record<string, string | number>>, geometry: Geometry): Feature => ({
  type: 'Feature',
  properties,
  geometry,
})

function square(left: number, low: number, right: number, high: number): Geometry {
  const ring = [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
    [left, low],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

const cut = (features: FeatureCollection): GeoJSONVT =>
  new GeoJSONVT(features, { maxZoom: 15, indexMaxZoom: 15, indexMaxPoints: 0, extent: 4_096, buffer: 64 })

const columnOf = (lng: number, z: number): number => Math.floor(((lng + 180) / 360) * 2 ** z)
function rowOf(lat: number, z: number): number {
  const angle = (lat * Math.PI) / 180
  return Math.floor(((1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2) * 2 ** z)
}
